import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import { argumentName } from '../../src/mcp/tool-schemas.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { callMessage, post } from '../support/mcp/client.ts'
import { useDisconnectableService } from '../support/oauth/disconnectable-service.ts'

const { service, proxy } = useDisconnectableService({ rateLimitApi: 100_000 })
const { database } = service

beforeEach(() => void service.logged.splice(0))

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

describe('while the database cannot be reached', () => {
  test.each([
    ['tools/list', () => list],
    ['a read', () => callMessage('list_teams')],
    ['a write', (team: string) => callMessage('update_team', { team_slug: team, name: 'Changed' })],
  ])('%s is a 503, as in REST', async (_, messageFor) => {
    const { team, token } = await createOwnedTeam(database)
    await proxy.disconnect()
    const { status, headers, body } = await post(service, token, messageFor(team.slug))
    expect([status, headers.get('retry-after'), body]).toEqual([
      503,
      '1',
      { message: 'Server Error', code: 'server_error', request_id: headers.get('x-request-id') },
    ])
    await proxy.restore()
    await expect.poll(async () => (await post(service, token, list)).status).toBe(200)
    expect(await database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({ name: 'Acme' })
  })
})

test('a body with deep nesting, or with many values, is a refusal', async () => {
  const { team, token } = await createOwnedTeam(database)
  const nested = `${'['.repeat(40_000)}${']'.repeat(40_000)}`
  for (const name of [nested, `[${'1,'.repeat(45_000)}1]`]) {
    const message = JSON.stringify(callMessage('update_team', { team_slug: team.slug })).replace('}}}', `,"name":${name}}}}`)
    const { status, body } = await post(service, token, message)
    expect([status, JSON.parse(body.result.content[0].text).code]).toEqual([200, 'validation_failed'])
  }
  expect(service.logged).toEqual([])
})

test('the length of a body ends at 100 KiB, and a body that is not JSON is refused', async () => {
  const { token } = await createOwnedTeam(database)
  const refusals = []
  for (const body of [`"${'x'.repeat(102_400)}"`, '{"jsonrpc":"2.0"', '\0', 'undefined', '"\ud800'])
    refusals.push((await post(service, token, body)).status)
  expect(refusals).toEqual([413, 400, 400, 400, 400])
})

// Values that a model could send for any argument, among them those that PostgreSQL cannot store.
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('\0', '\ud800', '', ' ', '../..', "';--", 'null', -1, 0, 1e308, Number.MAX_SAFE_INTEGER, null, true, [], {}, [[]], {
    $ne: 1,
  }),
)

test.each(routes.map((route) => [route.tool, route] as const))(
  '%s accepts any arguments without a fault',
  async (tool, { pathParameters, query, body }) => {
    const { team, token } = await createOwnedTeam(database)
    const names = [...Object.keys(query?.shape ?? {}), ...Object.keys((body && 'shape' in body && body.shape) || {})]
    const sent = fc.record(
      {
        ...Object.fromEntries([...pathParameters.map(argumentName), ...names].map((name) => [name, value])),
        team_slug: fc.oneof({ weight: 4, arbitrary: fc.constant(team.slug) }, { weight: 1, arbitrary: value }),
      },
      { requiredKeys: ['team_slug'] },
    )
    await fc.assert(
      fc.asyncProperty(sent, async (values) => {
        const { status, body: reply } = await post(service, token, callMessage(tool, values))
        expect([status, reply.id, reply.error]).toEqual([200, 1, undefined])
        const [{ text }] = reply.result.content
        if (reply.result.isError)
          expect(JSON.parse(text).code).toMatch(/^(validation_failed|team_forbidden|not_found|last_owner|rate_limited)$/)
        else if (reply.result.structuredContent) expect(JSON.parse(text)).toEqual(reply.result.structuredContent)
      }),
      { numRuns: 40 },
    )
    expect(service.logged).toEqual([])
  },
)
