import { describe, expect, test } from 'vitest'
import { join } from '../../support/data/team.ts'
import { createAgentScene } from '../../support/agents/agent-scene.ts'
import type { AgentScene } from '../../support/agents/agent-scene.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { addProvider } from '../../support/identity-providers/team-provider.ts'
import { request } from '../../support/http/request.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// What ends or reduces the access that an identity provider gave takes effect at the next request with a token.

const service = useService()
const { database, clock } = service
const { prisma } = database
const providers = useProviders(() => clock.now())

async function execute(caller: Parameters<typeof executeAs>[1], document: string, variables: object): Promise<void> {
  expect((await executeAs(service, caller, document, { ...variables })).refusal).toBeNull()
}
const asOwner = async (scene: AgentScene, document: string, variables: object) =>
  execute(await sessionOf(service, scene.owner), document, variables)
const set = (scene: AgentScene, changes: object) =>
  asOwner(scene, 'mutation ($input: SetAgentAssertionsInput!) { setAgentAssertions(input: $input) { identityProvider { name } } }', {
    input: { team: scene.team.slug, providerId: scene.row.id, ...changes },
  })
const byId = (name: string, payload: string) => `mutation ($id: ID!) { ${name}(input: { id: $id }) { ${payload} } }`
const grantId = async ({ member: { id: userId } }: AgentScene) => (await prisma.oAuthGrant.findFirstOrThrow({ where: { userId } })).id

const refused: [cause: string, apply: (scene: AgentScene) => Promise<unknown>, status: number][] = [
  ['an owner turns it off', (scene) => set(scene, { enabled: false }), 401],
  [
    'an owner removes the client',
    async (scene) => set(scene, { clientIds: [(await createAgentScene(service, providers)).client.clientId] }),
    401,
  ],
  [
    'the operator disables the provider',
    ({ row: { id } }) => execute(operator, byId('disableIdentityProvider', 'identityProvider { name }'), { id }),
    401,
  ],
  [
    'an owner deletes the provider',
    (scene) => asOwner(scene, byId('deleteIdentityProvider', 'identityProvider { name }'), { id: scene.row.id }),
    401,
  ],
  [
    'an owner removes the last verified domain',
    async (scene) => {
      const { id } = await prisma.teamDomain.findFirstOrThrow({ where: { teamId: scene.team.id } })
      await asOwner(scene, byId('removeTeamDomain', 'domain { domain }'), { id })
    },
    401,
  ],
  [
    'the domain is lost',
    ({ team: { id: teamId } }) => prisma.teamDomain.updateMany({ where: { teamId }, data: { verifiedAt: null } }),
    401,
  ],
  [
    'an owner removes the member',
    (scene) =>
      asOwner(
        scene,
        'mutation ($team: String!, $userId: ID!) { removeMember(input: { team: $team, userId: $userId }) { team { slug } } }',
        {
          team: scene.team.slug,
          userId: scene.member.id,
        },
      ),
    401,
  ],
  ['the account is disabled', ({ member: { id } }) => prisma.user.update({ where: { id }, data: { disabledAt: clock.now() } }), 401],
  ['the identity is unlinked', ({ member: { id: userId } }) => prisma.externalIdentity.deleteMany({ where: { userId } }), 401],
  ['the client is disabled', ({ client: { id } }) => prisma.oAuthClient.update({ where: { id }, data: { disabledAt: clock.now() } }), 401],
  ['an owner deletes the team', ({ team: { id } }) => prisma.team.update({ where: { id }, data: { deletedAt: clock.now() } }), 401],
  [
    'the member revokes the grant',
    async (scene) =>
      execute(await sessionOf(service, scene.member), byId('revokeGrant', 'grant { grantId }'), { id: await grantId(scene) }),
    401,
  ],
  [
    'an owner revokes the access of the grant',
    async (scene) =>
      asOwner(
        scene,
        'mutation ($team: String!, $grantId: ID!) { revokeGrantTeamAccess(input: { team: $team, grantId: $grantId }) { grant { grantId } } }',
        {
          team: scene.team.slug,
          grantId: await grantId(scene),
        },
      ),
    403,
  ],
  [
    'the team requires two-factor authentication',
    ({ team: { id } }) => prisma.team.update({ where: { id }, data: { twoFactorRequiredAt: clock.now() } }),
    403,
  ],
  [
    'the team requires sign-in through another provider',
    async ({ team, member: { id: userId } }) => {
      const other = await addProvider(database, team, await providers.create())
      await prisma.externalIdentity.create({ data: { providerId: other.id, userId, subject: 'subject', lastSignInAt: new Date(0) } })
      await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: other.id, signInRequiredAt: clock.now() } })
    },
    403,
  ],
]

async function createToken(scene: AgentScene): Promise<string> {
  const { status, body } = await scene.exchange()
  expect(status).toBe(200)
  return body.access_token
}

describe('the next request is refused if', () => {
  test.each(refused)('%s', async (_, apply, status) => {
    const scene = await createAgentScene(service, providers)
    const token = await createToken(scene)
    const path = `/api/v1/teams/${scene.team.slug}`
    expect((await request(service, 'GET', path, { token })).status).toBe(200)
    await apply(scene)
    expect((await request(service, 'GET', path, { token })).status).toBe(status)
  })
})

test('a scope that an owner removes is missing at the next request, and in introspection', async () => {
  const scene = await createAgentScene(service, providers)
  const token = await createToken(scene)
  await set(scene, { scopes: ['acct:team:read'] })
  expect((await request(service, 'GET', `/api/v1/teams/${scene.team.slug}`, { token })).status).toBe(200)
  expect((await request(service, 'GET', `/api/v1/teams/${scene.team.slug}/members`, { token })).body).toMatchObject({
    code: 'insufficient_scope',
  })
  expect((await scene.exchange()).body.scope).toBe('acct:team:read')
})

test('the role of the member decides at each request', async () => {
  const scene = await createAgentScene(service, providers, {
    provider: { agentScopes: ['acct:team:read', 'acct:team:access:read'] },
    client: { optionalScopes: ['acct:team:read', 'acct:team:access:read'] },
  })
  const { body } = await scene.exchange(await scene.sign({ scope: undefined }))
  const read = async () => {
    const query = `{ team(slug: "${scene.team.slug}") { grants { nodes { client { clientId } } } } }`
    return (await request(service, 'POST', '/graphql', { token: body.access_token, body: { query } })).body
  }
  expect((await read()).errors[0].extensions.code).toBe('role_required')
  await prisma.member.updateMany({ where: { userId: scene.member.id }, data: { role: 'owner' } })
  expect((await read()).data.team.grants.nodes).toEqual([{ client: { clientId: scene.client.clientId } }])
})

test('the required provider meets the requirement of its own team, however long ago the member signed in', async () => {
  const scene = await createAgentScene(service, providers)
  await prisma.externalIdentity.updateMany({ where: { userId: scene.member.id }, data: { lastSignInAt: new Date(0) } })
  await prisma.team.update({ where: { id: scene.team.id }, data: { signInProviderId: scene.row.id, signInRequiredAt: clock.now() } })
  const token = await createToken(scene)
  expect((await request(service, 'GET', `/api/v1/teams/${scene.team.slug}`, { token })).status).toBe(200)
})

test('a token reaches the team of the provider only', async () => {
  const scene = await createAgentScene(service, providers)
  const other = await createAgentScene(service, providers)
  await join(database, other.team, scene.member, 'member')
  const token = await createToken(scene)
  expect((await request(service, 'GET', `/api/v1/teams/${other.team.slug}`, { token })).status).toBe(403)
})
