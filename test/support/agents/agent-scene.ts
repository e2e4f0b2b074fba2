import { randomUUID } from 'node:crypto'
import type { IdentityProvider } from '../../../prisma/generated/client/client.ts'
import { createOwnedTeam, createUser, join, unique } from '../data/team.ts'
import { createDomain } from '../domains/domain.ts'
import { exchangeAssertion } from '../identities/identity.ts'
import { basicAuthorization } from '../oauth/client-authentication.ts'
import { createClient } from '../oauth/oauth.ts'
import type { ClientOptions } from '../oauth/oauth.ts'
import type { TestService } from '../service/service.ts'
import type { useProviders } from '../identity-providers/provider.ts'
import { addProvider } from '../identity-providers/team-provider.ts'

type Fields = Record<string, string | undefined>

interface SceneOptions {
  provider?: Partial<IdentityProvider>
  client?: ClientOptions
}

/** The scopes that the owner of a scene allows. */
export const agentScopes = ['acct:team:read', 'acct:team:members:read']

/** A team whose identity provider gives an agent access for a member, who has signed in there. */
export async function createAgentScene(
  service: Pick<TestService, 'url' | 'database' | 'clock'>,
  providers: ReturnType<typeof useProviders>,
  { provider: settings, client: registration }: SceneOptions = {},
) {
  const { database, clock, url } = service
  const idp = await providers.create()
  const { team, owner } = await createOwnedTeam(database, { name: 'Acme' })
  const { domain } = await createDomain(database, team)
  const client = await createClient(database, { name: 'Assistant', ...registration })
  const row = await addProvider(database, team, idp, {
    name: 'Okta',
    agentsEnabledAt: clock.now(),
    agentClientIds: [client.clientId],
    agentScopes,
    ...settings,
  })
  const member = await createUser(database, { email: `${unique('ada')}@${domain}`, emailVerified: true })
  await join(database, team, member, 'member')
  const subject = unique('subject')
  await database.prisma.externalIdentity.create({
    data: { providerId: row.id, subject, userId: member.id, email: member.email, lastSignInAt: clock.now() },
  })

  /** The claims of a valid assertion, with these changes. Undefined removes a claim. */
  const claims = (changes: object = {}) => {
    const seconds = Math.floor(clock.now().getTime() / 1000)
    const common = { iss: idp.issuer, sub: subject, aud: url, client_id: client.clientId, jti: randomUUID() }
    return { ...common, iat: seconds, exp: seconds + 300, scope: agentScopes.join(' '), email: member.email, ...changes }
  }
  const sign = (changes: object = {}, header: object = {}) => idp.sign(claims(changes), { typ: 'oauth-id-jag+jwt', ...header })
  /** Sends an assertion as the client, by default a valid one. */
  const exchange = async (assertion?: string, fields: Fields = {}, headers: Record<string, string> = {}) => {
    const authorization = basicAuthorization(client.clientId, client.secret)
    return exchangeAssertion(service, { assertion: assertion ?? (await sign()), ...fields }, { authorization, ...headers })
  }
  return { idp, row, team, owner, member, client, subject, domain, claims, sign, exchange }
}

export type AgentScene = Awaited<ReturnType<typeof createAgentScene>>

/** Creates a managed member of the team of a scene who has not signed in at the provider yet. */
export async function createUnlinkedMember({ database }: Pick<TestService, 'database'>, { team, domain }: AgentScene) {
  const user = await createUser(database, { email: `${unique('grace')}@${domain}`, emailVerified: true, createdByTeamId: team.id })
  await join(database, team, user, 'member')
  return user
}
