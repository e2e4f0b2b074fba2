import { describe, expect, test } from 'vitest'
import type { Scope } from '../../schema/core/scopes.ts'
import { createOwnedTeam, teamToken } from '../support/data/team.ts'
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
