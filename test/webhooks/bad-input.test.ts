import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { UserPrincipal } from '../../schema/core/principals.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import type { OwnedTeam } from '../support/data/team.ts'
import { executeAs, sessionOf } from '../support/service/in-process.ts'
import { useService } from '../support/service/service.ts'
import { insertDelivery } from '../support/webhooks/delivery-row.ts'
import { createWebhook } from '../support/webhooks/webhook.ts'

const service = useService()
const { database } = service
const url = 'https://hooks.example.com/'

let own: OwnedTeam
let other: OwnedTeam
let owner: UserPrincipal
beforeAll(async () => {
  ;[own, other] = [await createOwnedTeam(database), await createOwnedTeam(database)]
  owner = await sessionOf(service, own.owner)
})

/** All webhooks with what belongs to them, and the number of audit entries. */
const stored = async () =>
  (
    await database.pool.query(`SELECT (SELECT coalesce(json_agg(w ORDER BY id), '[]') FROM webhooks w) AS webhooks,
      (SELECT count(*) FROM webhook_retries) AS retries, (SELECT count(*) FROM webhook_deliveries) AS deliveries,
      (SELECT count(*) FROM audit_entries) AS entries`)
  ).rows[0]

/** Executes a mutation, which must change nothing, and returns why it was refused. */
async function refuse(mutation: string, input: object) {
  const before = await stored()
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`
  const { refusal } = await executeAs(service, owner, `mutation ($input: ${type}!) { ${mutation}(input: $input) { __typename } }`, {
    input,
  })
  expect(await stored()).toEqual(before)
  return refusal && { code: refusal.code, errors: refusal.details.errors }
}
const invalid = (member: string, ...texts: string[]) => ({ code: 'validation_failed', errors: { [member]: texts } })

describe('a webhook is not created', () => {
  test('in a team that is not one of the caller', async () => {
    for (const slug of [other.team.slug, 'unknown-team', '\0'])
      expect(await refuse('createWebhook', { team: slug, url })).toMatchObject({ code: 'team_forbidden' })
  })

  test('with an unknown type', async () => {
    await expect(refuse('createWebhook', { team: own.team.slug, url, types: ['TEAM_UPDATED', 'NOTHING'] })).rejects.toThrow(
      'Value "NOTHING" does not exist in "EventType" enum',
    )
  })

  test('as the twenty-first of a team, also when 25 are created at once', async () => {
    const { team, owner: user } = await createOwnedTeam(database)
    const principal = await sessionOf(service, user)
    const document = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { webhookId } } }'
    const create = () => executeAs(service, principal, document, { input: { team: team.slug, url } })
    const outcomes = await Promise.all(Array.from({ length: 25 }, create))
    const refusals = outcomes.flatMap(({ refusal }) => refusal ?? [])
    expect(refusals).toHaveLength(5)
    for (const { code, details } of refusals)
      expect({ code, errors: details.errors }).toEqual(invalid('url', 'A team can have at most 20 webhooks. Delete one first.'))
    const { data } = await executeAs(service, principal, 'query ($slug: String!) { team(slug: $slug) { webhooks { webhookId } } }', {
      slug: team.slug,
    })
    expect(data.team.webhooks).toHaveLength(20)
    expect((await create()).refusal?.code).toBe('validation_failed')
    const input = { id: data.team.webhooks[0].webhookId }
    await executeAs(service, principal, 'mutation ($input: DeleteWebhookInput!) { deleteWebhook(input: $input) { __typename } }', { input })
    expect((await create()).refusal).toBeNull()
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS count FROM audit_entries WHERE action = 'createWebhook' AND team_id = $1`,
      [team.id],
    )
    expect(rows[0].count).toBe(21)
  })
})

test('types that are named twice are stored once, in the order of the catalogue', async () => {
  const { id } = await createWebhook(service, own.team, url, ['member.removed', 'team.updated', 'member.removed'])
  const { data } = await executeAs(
    service,
    owner,
    `mutation { updateWebhook(input: { id: "${id}", enabled: true }) { webhook { types } } }`,
  )
  expect(data.updateWebhook.webhook.types).toEqual(['TEAM_UPDATED', 'MEMBER_REMOVED'])
})

describe('webhooks of others, and identifiers of none,', () => {
  test('are not found, whatever is to be done', async () => {
    const [theirs, all] = [await createWebhook(service, other.team, url), await createWebhook(service, null, url)]
    const range = { since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' }
    for (const id of [theirs.id, all.id, randomUUID(), 'x', `${theirs.id}\0`, '\0', ''])
      for (const [mutation, input] of [
        ['updateWebhook', { enabled: false }],
        ['deleteWebhook', {}],
        ['rotateWebhookSecret', {}],
        ['sendTestEvent', { type: 'TEAM_UPDATED' }],
        ['replayEvents', range],
      ] as const)
        expect([id, mutation, await refuse(mutation, { id, ...input })]).toEqual([id, mutation, { code: 'not_found' }])
  })

  test('do not show their deliveries, nor deliver them again', async () => {
    const theirs = await insertDelivery(database.pool, other.team.id, new Date())
    for (const deliveryId of [theirs.id, randomUUID(), '\0', ''])
      expect(await refuse('redeliver', { deliveryId })).toEqual({ code: 'not_found' })
    const read = 'query ($slug: String!, $id: ID!) { team(slug: $slug) { webhook(id: $id) { deliveries { total } } } }'
    const { refusal } = await executeAs(service, owner, read, { slug: own.team.slug, id: theirs.webhookId })
    expect(refusal?.code).toBe('not_found')
  })

  test('are no test event that can be delivered again', async () => {
    const { id: deliveryId } = await insertDelivery(database.pool, own.team.id, new Date())
    expect(await refuse('redeliver', { deliveryId })).toEqual({ code: 'not_found' })
  })

  test('cannot be read or delivered again after the webhook is deleted', async () => {
    const { id, webhookId } = await insertDelivery(database.pool, own.team.id, new Date())
    const read =
      'query ($slug: String!, $id: ID!, $delivery: ID!) { team(slug: $slug) { webhook(id: $id) { delivery(id: $delivery) { id } } } }'
    const execute = (document: string, variables: Record<string, unknown>) => executeAs(service, owner, document, variables)
    const variables = { slug: own.team.slug, id: webhookId, delivery: id }
    const { refusal: none, data } = await execute(read, variables)
    expect(none).toBeNull()
    const remove = 'mutation ($id: ID!) { deleteWebhook(input: { id: $id }) { webhook { id } } }'
    expect((await execute(remove, { id: webhookId })).refusal).toBeNull()
    const node = 'query ($id: ID!) { node(id: $id) { id } }'
    const nodeId = JSON.stringify(data).match(/"delivery":{"id":"([^"]+)"/)?.[1]
    const refusals = [await execute(read, variables), await execute(node, { id: nodeId })].map(({ refusal }) => refusal?.code)
    expect([...refusals, await refuse('redeliver', { deliveryId: id })]).toEqual(['not_found', 'team_forbidden', { code: 'not_found' }])
  })
})
