import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { encodeGroup } from '../../../src/account-site/sign-in-settings/groups/group-forms.ts'
import { createInitialAccess } from '../agents/initial-access.ts'
import { createClient } from '../oauth/oauth.ts'
import { seedDirectory } from '../scim/seed-directory.ts'
import type { TestService } from '../service/service.ts'
import { seedIdentity } from '../identities/seed-identity.ts'
import { seedProvider } from '../identity-providers/seed-provider.ts'
import { seedTest, statedAnswer } from '../identity-providers/seed-test.ts'
import { seedWebhook } from '../webhooks/seed-webhook.ts'

/**
 * Adds an app of a team that is published, with changes that wait for a review, a connection and refused requests. Returns the parameter of
 * its page.
 */
async function seedApp({ database, clock }: TestService, team: Team, person: User, name: string) {
  const { prisma } = database
  const now = clock.now()
  const client = await createClient(database, {
    ownerTeamId: team.id,
    name,
    description: name,
    publisher: name,
    team: 'optional',
    state: 'listed',
    rejectionReason: null,
    redirectUris: ['https://app.example/callback'],
  })
  const changes = { name: `${name.slice(0, 250)} 2`, redirectUris: [`https://new.example/${'long-path/'.repeat(20)}`] }
  await prisma.oAuthClient.update({ where: { id: client.id }, data: { proposedChanges: changes } })
  await prisma.oAuthGrant.create({
    data: {
      userId: person.id,
      oauthClientId: client.id,
      teamId: team.id,
      scopes: ['openid', 'teams', 'acct:team:members:write'],
      expiresAt: new Date(now.getTime() + 86_400_000),
      lastUsedAt: now,
    },
  })
  const failure = { oauthClientId: client.id, day: now, lastAt: now }
  await prisma.authorizationFailure.createMany({
    data: [
      { ...failure, cause: 'redirect_uri', sent: `https://app.example/${'x'.repeat(150)}`, count: 12 },
      { ...failure, cause: 'pkce', sent: '', count: 1 },
    ],
  })
  return { client: client.clientId }
}

/** Adds an agent that a member has connected, an allowed host and an initial access token. */
async function seedAgents({ database, clock }: TestService, team: Team, person: User, name: string): Promise<void> {
  const { prisma } = database
  const expiresAt = new Date(clock.now().getTime() + 86_400_000)
  const agent = await createClient(database, {
    clientId: `https://agents.example/${team.slug}`,
    name,
    source: 'metadata',
    confidential: false,
  })
  await prisma.team.update({ where: { id: team.id }, data: { agentHosts: ['agents.example', `${'long'.repeat(14)}.example`] } })
  await prisma.oAuthGrant.create({ data: { userId: person.id, oauthClientId: agent.id, teamId: team.id, scopes: ['teams'], expiresAt } })
  await createInitialAccess(database, team, person.id)
}

/** Adds an identity provider and the answer to a test sign-in in which every text is `name`. */
async function seedTestedProvider(service: TestService, team: Team, person: User, name: string): Promise<string> {
  const { clientId } = await createClient(service.database, { name })
  const agents = { agentsEnabledAt: service.clock.now(), agentClientIds: [clientId, name], agentScopes: ['acct:team:read'] }
  const provider = await seedProvider(service, team, { name, groupsClaim: name, ...agents })
  const answer = { ...statedAnswer, name, groups: [name], claims: { ...statedAnswer.claims, name, [name]: [name] } }
  await seedTest(service, person, provider, answer)
  // With a second one, the sign-in URL of the team offers a choice.
  await seedProvider(service, team, { name, issuer: 'https://idp-2.example.com' })
  return provider
}

/** Adds a group that has a role. Returns the parameter of its page. */
async function seedGroupRole({ database: { prisma } }: TestService, { id }: Team, name: string): Promise<string> {
  await prisma.groupRole.create({
    data: { teamId: id, group: name, role: 'billing', allApplications: false, applications: ['cert', 'flow'] },
  })
  return encodeGroup(name)
}

/** Adds what connects other systems to a team. Returns the parameters of the pages. */
export async function seedConnections(
  service: TestService,
  team: Team,
  { person, other }: Record<'person' | 'other', User>,
  entryId: string,
  name: string,
) {
  await seedDirectory(service, team, other, name)
  await seedAgents(service, team, person, name)
  return {
    provider: await seedTestedProvider(service, team, person, name),
    group: await seedGroupRole(service, team, name),
    identity: await seedIdentity(service, team, person, name),
    ...(await seedWebhook(service, team, entryId, name)),
    ...(await seedApp(service, team, person, name)),
  }
}
