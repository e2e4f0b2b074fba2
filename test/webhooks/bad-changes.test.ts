import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { UserPrincipal } from '../../schema/core/principals.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import type { OwnedTeam } from '../support/data/team.ts'
import { request } from '../support/http/request.ts'
import { graphql } from '../support/http/graphql.ts'
import { runCli } from '../support/service/cli.ts'
import { executeAs, sessionOf } from '../support/service/in-process.ts'
import { useService } from '../support/service/service.ts'
import { secretKey } from '../support/service/test-settings.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { createWebhook, deliveriesOf } from '../support/webhooks/webhook.ts'

const service = useService()
const { database } = service
// An unused port: a request to it fails at once.
const url = 'http://127.0.0.1:9/hook'
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

let own: OwnedTeam
let owner: UserPrincipal
let id: string
beforeAll(async () => {
  own = await createOwnedTeam(database)
  owner = await sessionOf(service, own.owner)
  id = (await createWebhook(service, own.team, url, ['team.updated'])).id
})

const webhooks = async () => (await database.pool.query('SELECT * FROM webhooks ORDER BY id')).rows

describe('a replay', () => {
  const replay = async (input: object, webhookId = id) => {
    const document = 'mutation ($input: ReplayEventsInput!) { replayEvents(input: $input) { events } }'
    const { data, refusal } = await executeAs(service, owner, document, { input: { id: webhookId, ...input } })
    return refusal ? { code: refusal.code, errors: refusal.details.errors } : data.replayEvents.events
  }

  test('until a time that is no instant is refused', async () => {
    await expect(replay({ since: '2026-01-31T09:00:00Z', until: 'tomorrow' })).rejects.toThrow(
      'DateTime must be an RFC 3339 instant with an offset.',
    )
  })

  test('of more than 10,000 events delivers the oldest, and the next one the others', async () => {
    const { id: webhookId } = await createWebhook(service, own.team, url, ['member.removed'])
    onTestFinished(async () => void (await database.prisma.webhook.delete({ where: { id: webhookId } })))
    await database.pool.query(
      `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, subject, request_id, team_id)
       SELECT '2026-01-31T00:00:00Z'::timestamptz + n * interval '1 second', 'removeMember', 'operator', 'root', 'command_line', gen_random_uuid(), 'r', $1
       FROM generate_series(1, 10050) n`,
      [own.team.id],
    )
    const range = { since: '2026-01-31T00:00:00Z', until: '2026-02-01T00:00:00Z' }
    expect(await replay(range, webhookId)).toBe(10_000)
    const { rows } = await database.pool.query<{ count: number; last: Date }>(
      'SELECT count(*)::int AS count, max(e.at) AS last FROM webhook_retries r JOIN audit_entries e ON e.id = r.entry_id WHERE r.webhook_id = $1',
      [webhookId],
    )
    expect(rows).toEqual([{ count: 10_000, last: new Date(Date.parse(range.since) + 10_000_000) }])
    // The same events again are not scheduled twice.
    expect(await replay(range, webhookId)).toBe(10_000)
    expect(await replay({ ...range, since: new Date(Date.parse(range.since) + 10_001_000).toISOString() }, webhookId)).toBe(50)
    expect((await database.pool.query('SELECT 1 FROM webhook_retries WHERE webhook_id = $1', [webhookId])).rowCount).toBe(10_050)
    const line = ['webhook', 'replay', webhookId, '--since', range.since, '--until', range.until]
    const { stdout } = await runCli({ DATABASE_URL: service.databaseUrl, SECRET_KEY: secretKey }, line)
    expect(stdout).toMatch(
      /^10000 events will be delivered to .*\. That is the most of one replay: for later ones, use a later --since\.\n$/,
    )
  })

  test('of events that were delivered, only if they are wanted', async () => {
    const receiver = await startReceiver((response) => response.writeHead(receiver.received.length === 1 ? 500 : 200).end())
    const { id: webhookId } = await createWebhook(service, own.team, receiver.url, ['team.updated'])
    const since = service.clock.now().toISOString()
    for (const name of ['One', 'Two'])
      await request(service, 'PATCH', `/api/v1/teams/${own.team.slug}`, { token: own.token, body: { name } })
    await deliveries.deliver()
    const range = { since, until: new Date(service.clock.now().getTime() + 1000).toISOString() }
    expect(await replay({ ...range, onlyFailed: true }, webhookId)).toBe(1)
    expect(await replay(range, webhookId)).toBe(2)
    await deliveries.deliver()
    const ids = receiver.received.map(({ event }) => event.id)
    expect(ids).toHaveLength(4)
    expect(ids.slice(2).toSorted()).toEqual(ids.slice(0, 2).toSorted())
  })
})

describe('by REST', () => {
  const path = (webhookId: string, rest = '') => `/api/v1/teams/${own.team.slug}/webhooks/${encodeURIComponent(webhookId)}${rest}`

  test.each([
    [{ types: ['team.updated', 'nothing'] }, 'types.1', 'The selected types.1 is invalid.'],
    [{ types: 'team.updated' }, 'types', 'The types field must be an array.'],
    [{ url: 'https://10.0.0.1/' }, 'url', 'The url field must name a host on the public internet.'],
    [{ url: '' }, 'url', 'The url field is required.'],
    [{ enabled: 'yes' }, 'enabled', 'The enabled field must be true or false.'],
    [{ description: 'x'.repeat(256) }, 'description', 'The description field must not be greater than 255 characters.'],
  ])('%j is refused', async (body, member, text) => {
    const before = await webhooks()
    const { status, body: problem } = await request(service, 'PATCH', path(id), { token: own.token, body })
    expect([status, problem.code, problem.errors]).toEqual([422, 'validation_failed', { [member]: [text] }])
    expect(await webhooks()).toEqual(before)
  })

  test('a webhook of another team, or one that does not exist, is a 404', async () => {
    const other = await createOwnedTeam(database)
    const theirs = await createWebhook(service, other.team, url)
    const all = await createWebhook(service, null, url)
    for (const webhookId of [theirs.id, all.id, randomUUID(), 'x', '\0'])
      for (const [method, address, body] of [
        ['GET', path(webhookId), undefined],
        ['GET', path(webhookId, '/deliveries'), undefined],
        ['PATCH', path(webhookId), { enabled: false }],
      ] as const) {
        const answer = await request(service, method, address, { token: own.token, ...(body && { body }) })
        expect([address, answer.status, answer.body.code]).toEqual([address, 404, 'not_found'])
      }
    expect((await database.prisma.webhook.findUniqueOrThrow({ where: { id: theirs.id } })).disabledAt).toBeNull()
    const { status } = await request(service, 'GET', path(id, '/deliveries?page=0'), { token: own.token })
    expect(status).toBe(422)
  })

  test('a tampered cursor of deliveries is refused', async () => {
    const document = `query ($slug: String!, $id: ID!, $after: String) {
      team(slug: $slug) { webhook(id: $id) { deliveriesConnection(first: 1, after: $after) { pageInfo { endCursor } } } }
    }`
    for (const after of ['x', '\0', Buffer.from('{}').toString('base64url')]) {
      const { errors } = await graphql(service, own.token, document, { slug: own.team.slug, id, after })
      expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['validation_failed'])
    }
  })
})
