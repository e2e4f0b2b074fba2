import { beforeAll, expect, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import { createAgentScene } from '../../support/agents/agent-scene.ts'
import { expectRefusal } from '../../support/identities/job.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { useService } from '../../support/service/service.ts'

// The scopes, resources and uses of assertions of identity providers.

const service = useService()
const { database, clock, url } = service
const { prisma } = database
const providers = useProviders(() => clock.now())

// oidc-provider creates its signing keys for the first request.
beforeAll(async () => void (await (await createAgentScene(service, providers)).exchange()))

const limits: [limit: string, scope: string | undefined, changes: object, error: string][] = [
  ['a scope that the assertion lacks', 'acct:team:members:read', { scope: 'acct:team:read' }, 'invalid_scope'],
  ['a scope that the owners did not allow', 'teams', { scope: undefined }, 'invalid_scope'],
  ['a scope for which the client is not registered', 'acct:team:invoices:read', { scope: undefined }, 'invalid_scope'],
  ['a scope of users', 'openid', { scope: 'openid' }, 'invalid_scope'],
  ['no scope that all allow', undefined, { scope: 'teams openid unknown' }, 'invalid_scope'],
]

test.each(limits)('a request is refused for %s', async (_, scope, changes, error) => {
  const scene = await createAgentScene(service, providers, {
    provider: { agentScopes: ['acct:team:read', 'acct:team:members:read', 'acct:team:invoices:read'] },
  })
  await expectRefusal(service, async () => scene.exchange(await scene.sign(changes), { scope }), { error, description: /scope/ })
})

test.each([
  ['a resource of another service', 'https://other.example/api', {}],
  ['another resource of this service than the assertion has', `/api`, { resource: '/mcp' }],
  ['none, if the assertion has one of another service', undefined, { resource: 'https://other.example/api' }],
  ['none, if the assertion has several', undefined, { resource: ['/mcp', '/api'] }],
])('a request is refused for %s', async (_, path, changes: { resource?: string | string[] }) => {
  const scene = await createAgentScene(service, providers)
  const absolute = (value: string) => new URL(value, url).href
  const claim = changes.resource === undefined ? {} : { resource: [changes.resource].flat().map(absolute) }
  const resource = path && absolute(path)
  const attempt = async () => scene.exchange(await scene.sign(claim), { resource })
  await expectRefusal(service, attempt, { error: 'invalid_target', description: /resource/ })
})

test('an assertion is accepted once, also in parallel', async () => {
  const scene = await createAgentScene(service, providers)
  const assertion = await scene.sign()
  const results = await Promise.all(Array.from({ length: 8 }, () => scene.exchange(assertion)))
  expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 7 }, () => 400)])
  expect(results.filter(({ status }) => status === 400).every(({ body }) => /\bjti\b/.test(body.error_description))).toBe(true)
  expect(await prisma.oAuthGrant.count({ where: { userId: scene.member.id } })).toBe(1)
})

test('the owner of the client sees why an assertion was refused', async () => {
  const { team } = await createOwnedTeam(database)
  const scene = await createAgentScene(service, providers, { client: { ownerTeamId: team.id } })
  await scene.exchange(await scene.sign({ aud: 'https://other.example' }))
  await expect
    .poll(() => prisma.$queryRaw`SELECT cause, sent FROM authorization_failures WHERE oauth_client_id = ${scene.client.id}::uuid`)
    .toEqual([{ cause: 'assertion', sent: 'the claim aud does not have the expected value' }])
})
