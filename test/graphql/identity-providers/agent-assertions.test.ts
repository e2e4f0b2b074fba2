import { beforeEach, expect, test } from 'vitest'
import { createDomain } from '../../support/domains/domain.ts'
import { seedProvider } from '../../support/identity-providers/seed-provider.ts'
import { createScene } from '../../support/identity-providers/settings.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { executeAs } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// The settings by which an owner lets an identity provider give access to agents.

const service = useService()
const { database } = service

const fields = 'agentAssertions { enabled enabledAt clientIds clients { clientId name } scopes linkByAddress }'
const set = `mutation ($input: SetAgentAssertionsInput!) { setAgentAssertions(input: $input) { identityProvider { ${fields} } } }`

let scene: Awaited<ReturnType<typeof prepare>>
beforeEach(async () => {
  scene = await prepare()
})

async function prepare() {
  const created = await createScene(service)
  const id = await seedProvider(service, created.team)
  await createDomain(database, created.team)
  return { ...created, id, client: await createClient(database, { name: 'Assistant' }) }
}
const change = (input: object, providerId = scene.id) =>
  executeAs(service, scene.session, set, { input: { team: scene.team.slug, providerId, ...input } })
const usual = () => ({ enabled: true, clientIds: [scene.client.clientId], scopes: ['acct:team:read'] })

test('turns the access of agents on, and notifies the owners', async () => {
  const mails = service.mails.length
  const { data } = await change({ ...usual(), linkByAddress: true })
  expect(data.setAgentAssertions.identityProvider.agentAssertions).toEqual({
    enabled: true,
    enabledAt: expect.any(String),
    clientIds: [scene.client.clientId],
    clients: [{ clientId: scene.client.clientId, name: 'Assistant' }],
    scopes: ['acct:team:read'],
    linkByAddress: true,
  })
  expect(service.mails.slice(mails)).toMatchObject([{ kind: 'identity-provider', data: { what: 'agents_on' } }])
})

test('keeps the clients and scopes while it is off, and changes nothing without a change', async () => {
  await change(usual())
  const { data } = await change({ enabled: false })
  expect(data.setAgentAssertions.identityProvider.agentAssertions).toMatchObject({
    enabled: false,
    enabledAt: null,
    clientIds: [scene.client.clientId],
    scopes: ['acct:team:read'],
    linkByAddress: false,
  })
  const mails = service.mails.length
  await change({ enabled: false })
  expect(service.mails.length).toBe(mails)
})

test.each([
  ['without a client', { clientIds: [] }, 'clientIds'],
  ['without a scope', { scopes: [] }, 'scopes'],
  ['with an unknown scope', { scopes: ['acct:everything'] }, 'scopes.0'],
  ['with a scope of users', { scopes: ['openid'] }, 'scopes.0'],
  ['with a scope of directories', { scopes: ['acct:team:scim'] }, 'scopes.0'],
  ['with an unknown client', { clientIds: ['unknown'] }, 'clientIds.0'],
])('refuses to turn it on %s', async (_, input, field) => {
  const { refusal } = await change({ ...usual(), ...input })
  expect(refusal).toMatchObject({ code: 'validation_failed', details: { errors: { [field]: [expect.any(String)] } } })
  expect(await database.prisma.identityProvider.findUnique({ where: { id: scene.id } })).toMatchObject({ agentsEnabledAt: null })
})

test.each([
  ['public', { confidential: false }],
  ['disabled', { disabledAt: new Date() }],
  ['not published, of another team', { state: 'draft' }],
] as const)('refuses a client that is %s', async (_, data) => {
  const { team } = await createOwnedTeam(database)
  const { clientId } = await createClient(database, { ...data, ownerTeamId: team.id })
  const { refusal } = await change({ ...usual(), clientIds: [scene.client.clientId, clientId] })
  expect(refusal?.details.errors).toEqual({
    'clientIds.1': [`There is no confidential client “${clientId}” that the team can use.`],
  })
})

test('accepts a draft of the team, and keeps a client that was disabled since', async () => {
  const { clientId } = await createClient(database, { state: 'draft', ownerTeamId: scene.team.id })
  await change({ ...usual(), clientIds: [clientId] })
  await database.prisma.oAuthClient.update({ where: { clientId }, data: { disabledAt: new Date() } })
  const { data } = await change({ clientIds: [clientId, scene.client.clientId] })
  expect(data.setAgentAssertions.identityProvider.agentAssertions).toMatchObject({
    clientIds: [clientId, scene.client.clientId],
    clients: [{ clientId: scene.client.clientId }],
  })
})

test('refuses a SAML provider, one of another team, and a team without a verified domain', async () => {
  const saml = await seedProvider(service, scene.team, { kind: 'saml' })
  expect((await change(usual(), saml)).refusal?.details.errors).toEqual({
    providerId: ['Only an OpenID provider can give access to agents.'],
  })
  const other = await createScene(service)
  const foreign = await seedProvider(service, other.team)
  expect((await change(usual(), foreign)).refusal?.code).toBe('not_found')
  await database.prisma.teamDomain.updateMany({ where: { teamId: scene.team.id }, data: { verifiedAt: null } })
  expect((await change(usual())).refusal?.details.errors).toEqual({ enabled: ['Verify a domain of the team first.'] })
})
