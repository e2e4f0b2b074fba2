import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { teamTokenScopes } from '../../schema/core/scopes.ts'
import type { Scope } from '../../schema/core/scopes.ts'
import { createOwnedTeam, teamToken } from '../support/data/team.ts'
import { graphql } from '../support/http/graphql.ts'
import { request } from '../support/http/request.ts'
import { useService } from '../support/service/service.ts'
import { createWebhook } from '../support/webhooks/webhook.ts'

const service = useService()
const { database } = service
const write: Scope[] = ['acct:team:webhooks:write']
const url = 'http://127.0.0.1:9/elsewhere'

/** Changes a webhook of the types with a team token of the scopes. Returns the status code and what the webhook is then. */
async function changeWith(scopes: readonly Scope[], types: Parameters<typeof createWebhook>[3], body: object) {
  const { team } = await createOwnedTeam(database)
  const { id } = await createWebhook(service, team, 'http://127.0.0.1:9/hook', types)
  const token = await teamToken(database, team, { scopes })
  const response = await request(service, 'PATCH', `/api/v1/teams/${team.slug}/webhooks/${id}`, { token, body })
  const webhook = await database.prisma.webhook.findUniqueOrThrow({ where: { id } })
  return [response.status, response.body?.code ?? null, webhook.url === url || webhook.types.length !== (types ?? []).length]
}

describe('a token that may change webhooks', () => {
  test.each<[string, Scope[], Parameters<typeof createWebhook>[3], object]>([
    ['cannot send all events elsewhere without any other scope', write, [], { url }],
    ['cannot send events elsewhere with the scope of the feed alone', [...write, 'acct:team:events:read'], ['member.joined'], { url }],
    ['cannot send them without the scope of the feed', [...write, 'acct:team:members:read'], ['member.joined'], { url }],
    [
      'cannot ask for types that it may not read',
      [...write, 'acct:team:events:read'],
      ['team.updated'],
      { types: ['team.updated', 'token.created'] },
    ],
    ['cannot ask for all types', [...write, 'acct:team:events:read', 'acct:team:members:read'], ['member.joined'], { types: [] }],
  ])('%s', async (_, scopes, types, body) => {
    expect(await changeWith(scopes, types, body)).toEqual([403, 'insufficient_scope', false])
  })

  test.each<[string, Scope[], Parameters<typeof createWebhook>[3], object]>([
    ['can send what it may read elsewhere', [...write, 'acct:team:events:read', 'acct:team:members:read'], ['member.joined'], { url }],
    [
      'can ask for types that it may read',
      [...write, 'acct:team:events:read', 'acct:team:tokens:read'],
      ['team.updated'],
      { types: ['team.updated', 'token.created'] },
    ],
  ])('%s', async (_, scopes, types, body) => {
    expect(await changeWith(scopes, types, body)).toEqual([204, null, true])
  })

  test('can disable a webhook, and describe it, without reading events', async () => {
    expect(await changeWith(write, [], { enabled: false, description: 'Paused' })).toEqual([204, null, false])
  })
})

describe('the answer of an endpoint', () => {
  const answers = [
    { status: 500, responseBody: 'cannot store ada@example.com', error: null },
    { status: null, responseBody: null, error: 'The connection was refused.' },
  ]
  /** Reads attempts to deliver a new member with a token of these scopes. `isForgotten`: the audit log no longer has the event. */
  async function readDeliveries(scopes: Scope[], isForgotten = false) {
    const { team, owner } = await createOwnedTeam(database)
    const { id: webhookId } = await createWebhook(service, team, 'http://127.0.0.1:9/hook')
    const actor = { actorKind: 'user', actorName: 'Ada', authenticationMethod: 'session', requestId: 'request-1' } as const
    const entry = await database.prisma.auditEntry.create({
      data: { ...actor, at: new Date(), action: 'acceptInvitation', teamId: team.id, subject: randomUUID(), actorUserId: owner.id },
    })
    const common = {
      webhookId,
      type: 'member.joined',
      entryId: isForgotten ? randomUUID() : entry.id,
      part: 1,
      at: new Date(),
      result: 'failed',
      latencyMilliseconds: 5,
    } as const
    await database.prisma.webhookDelivery.createMany({ data: answers.map((answer, attempt) => ({ ...common, ...answer, attempt })) })
    const token = await teamToken(database, team, { scopes: ['acct:team:webhooks:read', ...scopes] })
    const { body } = await request(service, 'GET', `/api/v1/teams/${team.slug}/webhooks/${webhookId}/deliveries`, { token })
    const byAttempt = body.data.toSorted((a: { attempt: number }, b: { attempt: number }) => a.attempt - b.attempt)
    return byAttempt.map(({ event, response_body, error, status }: Record<string, unknown>) => [
      event !== null,
      response_body,
      error,
      status,
    ])
  }
  const hidden = answers.map(({ status }) => [false, null, null, status])

  test.each<[string, Scope[]]>([
    ['no scope of events', []],
    ['the scope of the feed, but not of members', ['acct:team:events:read']],
    ['the scope of members, but not of the feed', ['acct:team:members:read']],
  ])('is hidden with its event from a token with %s', async (_, scopes) => {
    expect(await readDeliveries(scopes)).toEqual(hidden)
  })

  test('is shown with its event, until the audit log no longer has the event', async () => {
    const scopes: Scope[] = ['acct:team:events:read', 'acct:team:members:read']
    expect(await readDeliveries(scopes)).toEqual(answers.map(({ responseBody, error, status }) => [true, responseBody, error, status]))
    expect(await readDeliveries(scopes, true)).toEqual(hidden)
  })
})

test('the signature of an attempt is shown only to callers who may read its event, and only while its secret is known', async () => {
  const { team } = await createOwnedTeam(database)
  const { id: webhookId } = await createWebhook(service, team, 'http://127.0.0.1:9/hook')
  const actor = { actorKind: 'user', actorName: 'Ada', authenticationMethod: 'session', requestId: 'request-1' } as const
  const change = { action: 'updateTeam', teamId: team.id, subject: team.slug, at: service.clock.now() }
  const { id: entryId } = await database.prisma.auditEntry.create({ data: { ...actor, ...change } })
  const attempt = { webhookId, type: 'team.updated', entryId, part: 0, result: 'failed', latencyMilliseconds: 5 } as const
  const sent = { ...attempt, at: service.clock.now(), attempt: 1 }
  const { id } = await database.prisma.webhookDelivery.create({ data: sent })
  const read = async (scopes: Scope[]) => {
    const token = await teamToken(database, team, { scopes: ['acct:team:webhooks:read', ...scopes] })
    const query = `{ team(slug: "${team.slug}") { webhook(id: "${webhookId}") { delivery(id: "${id}") { signature attempts { deliveryId } nextAttemptAt } } } }`
    return (await graphql(service, token, query)).data.team.webhook.delivery
  }
  const signature: unknown = expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/)
  const others = { attempts: [{ deliveryId: id }], nextAttemptAt: null }
  expect(await read([])).toEqual({ signature: null, ...others })
  expect(await read(['acct:team:events:read'])).toEqual({ signature, ...others })
  const previousSecretExpiresAt = new Date(service.clock.now().getTime() + 1000)
  await database.prisma.webhook.update({ where: { id: webhookId }, data: { previousSecret: Buffer.alloc(1), previousSecretExpiresAt } })
  expect(await read(['acct:team:events:read'])).toEqual({ signature: null, ...others })
})

test.each([
  ['https://hooks.example.com/a\r\nb\tc', 'https://hooks.example.com/abc'],
  ['HTTPS://Hooks.Example.com:443/a/../b c', 'https://hooks.example.com/b%20c'],
  [' https://hooks.example.com ', 'https://hooks.example.com/'],
])('the URL %j of a webhook is stored as it is requested', async (entered, url) => {
  const { team } = await createOwnedTeam(database)
  const { id } = await createWebhook(service, team, entered)
  const urlOf = async () => (await database.prisma.webhook.findUniqueOrThrow({ where: { id } })).url
  expect(await urlOf()).toBe(url)
  await database.prisma.webhook.update({ where: { id }, data: { url: 'https://hooks.example.com/other' } })
  const token = await teamToken(database, team, { scopes: [...teamTokenScopes] })
  const path = `/api/v1/teams/${team.slug}/webhooks/${id}`
  expect((await request(service, 'PATCH', path, { token, body: { url: entered } })).status).toBe(204)
  expect(await urlOf()).toBe(url)
})
