import { beforeAll, describe, expect, test } from 'vitest'
import { createOwnedTeam, createUser, join, unique } from '../../support/data/team.ts'
import { createDomain } from '../../support/domains/domain.ts'
import { createAgentScene } from '../../support/agents/agent-scene.ts'
import type { AgentScene } from '../../support/agents/agent-scene.ts'
import { exchangeAssertion } from '../../support/identities/identity.ts'
import { expectRefusal } from '../../support/identities/job.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { addProvider } from '../../support/identity-providers/team-provider.ts'
import { basicAuthorization } from '../../support/oauth/client-authentication.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Requests with a valid assertion of an identity provider that are refused, and change nothing.

const service = useService()
const { database, clock } = service
const { prisma } = database
const providers = useProviders(() => clock.now())

// oidc-provider creates its signing keys for the first request.
beforeAll(async () => void (await (await createAgentScene(service, providers)).exchange()))

const send =
  (scene: AgentScene, changes: object, header: object = {}) =>
  async () =>
    scene.exchange(await scene.sign(changes, header))

const states: [state: string, apply: (scene: AgentScene) => Promise<unknown>, error: string, description: RegExp][] = [
  [
    'the provider is disabled',
    ({ row: { id } }) => prisma.identityProvider.update({ where: { id }, data: { disabledAt: clock.now() } }),
    'invalid_grant',
    /\biss\b/,
  ],
  ['the provider is deleted', ({ row: { id } }) => prisma.identityProvider.delete({ where: { id } }), 'invalid_grant', /\biss\b/],
  [
    'no owner turned it on',
    ({ row: { id } }) => prisma.identityProvider.update({ where: { id }, data: { agentsEnabledAt: null } }),
    'invalid_grant',
    /\biss\b/,
  ],
  [
    'the provider has the protocol SAML',
    ({ row: { id } }) => prisma.identityProvider.update({ where: { id }, data: { kind: 'saml' } }),
    'invalid_grant',
    /\biss\b/,
  ],
  [
    'the team lost its domain',
    ({ team: { id: teamId } }) => prisma.teamDomain.updateMany({ where: { teamId }, data: { verifiedAt: null } }),
    'invalid_grant',
    /\biss\b/,
  ],
  [
    'the team is deleted',
    ({ team: { id } }) => prisma.team.update({ where: { id }, data: { deletedAt: clock.now() } }),
    'invalid_grant',
    /\biss\b/,
  ],
  [
    'no owner named the client',
    ({ row: { id } }) => prisma.identityProvider.update({ where: { id }, data: { agentClientIds: ['other'] } }),
    'unauthorized_client',
    /client/,
  ],
  [
    'the client is disabled',
    ({ client: { id } }) => prisma.oAuthClient.update({ where: { id }, data: { disabledAt: clock.now() } }),
    'invalid_client',
    /./,
  ],
  [
    'the member was removed',
    ({ member: { id: userId } }) => prisma.member.deleteMany({ where: { userId } }),
    'invalid_grant',
    /\bsub\b.* member/,
  ],
  [
    'the account is disabled',
    ({ member: { id } }) => prisma.user.update({ where: { id }, data: { disabledAt: clock.now() } }),
    'invalid_grant',
    /\bsub\b.* disabled/,
  ],
  [
    'the identity is unlinked',
    ({ member: { id: userId } }) => prisma.externalIdentity.deleteMany({ where: { userId } }),
    'invalid_grant',
    /\bsub\b/,
  ],
  [
    'the account must be proved again',
    ({ member: { id: userId } }) => prisma.externalIdentity.updateMany({ where: { userId }, data: { needsProof: true } }),
    'invalid_grant',
    /\bsub\b/,
  ],
  [
    'the team requires two-factor authentication',
    ({ team: { id } }) => prisma.team.update({ where: { id }, data: { twoFactorRequiredAt: clock.now() } }),
    'invalid_grant',
    /two-factor/,
  ],
  ['the team requires another provider', requireOther, 'invalid_grant', /another identity provider/],
]

async function requireOther({ team, member }: AgentScene): Promise<void> {
  const other = await addProvider(database, team, await providers.create())
  const identity = { providerId: other.id, userId: member.id, subject: unique('s'), lastSignInAt: new Date(0) }
  await prisma.externalIdentity.create({ data: identity })
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: other.id, signInRequiredAt: clock.now() } })
}

describe('an assertion is refused if', () => {
  test.each(states)('%s', async (_, apply, error, description) => {
    const scene = await createAgentScene(service, providers)
    await apply(scene)
    await expectRefusal(service, send(scene, {}), { error, description })
  })

  test('the address is that of a user of another team, whatever the team consents to', async () => {
    const scene = await createAgentScene(service, providers, { provider: { linksAgentsByAddress: true } })
    const { team } = await createOwnedTeam(database)
    const { domain } = await createDomain(database, team)
    const user = await createUser(database, { email: `ada@${domain}`, emailVerified: true, createdByTeamId: team.id })
    await join(database, team, user, 'member')
    const changes = { sub: 'other', email: user.email, email_verified: true }
    await expectRefusal(service, send(scene, changes), { error: 'invalid_grant', description: /\bsub\b/ })
  })
})

test('a public client, another client, and a client without its secret are refused', async () => {
  const scene = await createAgentScene(service, providers)
  const assertion = await scene.sign()
  const publicClient = await createClient(database, { confidential: false })
  await prisma.identityProvider.update({
    where: { id: scene.row.id },
    data: { agentClientIds: [scene.client.clientId, publicClient.clientId] },
  })
  const asPublic = async () =>
    exchangeAssertion(service, { client_id: publicClient.clientId, assertion: await scene.sign({ client_id: publicClient.clientId }) })
  await expectRefusal(service, asPublic, { error: 'unauthorized_client', description: /grant type/ })
  const other = await createClient(database)
  const authorization = basicAuthorization(other.clientId, other.secret)
  await expectRefusal(service, () => exchangeAssertion(service, { assertion }, { authorization }), {
    error: 'invalid_grant',
    description: /\bclient_id\b/,
  })
  const { clientId } = scene.client
  await expectRefusal(service, () => exchangeAssertion(service, { client_id: clientId, assertion }), {
    error: 'invalid_client',
    description: /./,
  })
  const wrong = { authorization: basicAuthorization(clientId, 'wrong') }
  await expectRefusal(service, () => exchangeAssertion(service, { assertion }, wrong), { error: 'invalid_client', description: /./ })
  // None of these used the assertion up.
  expect((await scene.exchange(assertion)).status).toBe(200)
})
