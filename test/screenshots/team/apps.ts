import type { ClientOptions } from '../../support/oauth/oauth.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import type { TestService } from '../../support/service/service.ts'
import type { createHistory } from './history.ts'
import { people, teamSlug } from './people.ts'

const day = 86_400_000

/** Apps of the team: one that is published and has changes in review, a draft, one that was rejected, and one without users. */
export async function createApps({ database, clock }: TestService, { userOf }: ReturnType<typeof createHistory>) {
  const { prisma } = database
  const team = await prisma.team.findUniqueOrThrow({ where: { slug: teamSlug } })
  const ago = (days: number) => new Date(clock.now().getTime() - days * day)
  const create = (clientId: string, daysAgo: number, options: ClientOptions) =>
    createClient(database, { clientId, ownerTeamId: team.id, createdAt: ago(daysAgo), requiredScopes: ['openid'], ...options })
  await create('warehouse-scanner', 3, { name: 'Warehouse Scanner', confidential: false, state: 'draft' })
  await create('nightly-export', 60, {
    name: 'Nightly Export',
    grantTypes: ['client_credentials'],
    redirectUris: [],
    requiredScopes: [],
    optionalScopes: ['acct:team:invoices:read', 'acct:team:members:read'],
    state: 'draft',
    lastUsedAt: ago(0.2),
  })
  await create('northwlnd', 20, {
    name: 'Northwlnd Sign-in',
    state: 'rejected',
    rejectionReason: 'The name looks like that of the company. Choose one that says what the app does.',
  })
  const portal = await create('northwind-portal', 210, {
    name: 'Northwind Portal',
    description: 'Orders and deliveries for dealers.',
    publisher: 'Northwind Ltd',
    clientUri: 'https://portal.northwind.example/',
    redirectUris: ['https://portal.northwind.example/callback'],
    optionalScopes: ['profile', 'email', 'offline_access', 'acct:team:read', 'acct:team:members:read'],
    team: 'required',
    state: 'listed',
  })
  const proposedChanges = {
    name: 'Northwind Dealer Portal',
    redirectUris: ['https://portal.northwind.example/callback', 'https://dealers.northwind.example/callback'],
    optionalScopes: ['profile', 'email', 'offline_access', 'acct:team:read', 'acct:team:members:read', 'acct:team:invoices:read'],
  }
  await prisma.oAuthClient.update({ where: { id: portal.id }, data: { proposedChanges } })
  for (const [index, { email }] of people.slice(3, 9).entries())
    await prisma.oAuthGrant.create({
      data: {
        userId: (await userOf(email)).id,
        oauthClientId: portal.id,
        teamId: team.id,
        scopes: ['openid', 'profile', 'email', 'acct:team:read', ...(index % 2 === 0 ? ['acct:team:members:read'] : [])],
        createdAt: ago(12 * (index + 1)),
        lastUsedAt: ago(index * 0.8),
        expiresAt: ago(-300),
      },
    })
  const failure = (cause: string, sent: string, count: number, daysAgo: number) => ({
    oauthClientId: portal.id,
    day: ago(daysAgo),
    lastAt: ago(daysAgo),
    cause,
    sent,
    count,
  })
  await prisma.authorizationFailure.createMany({
    data: [
      failure('redirect_uri', 'https://portal.northwind.example/cb', 14, 0.1),
      failure('code', '', 3, 1.4),
      failure('scope', 'acct:team:audit:read', 1, 4),
    ],
  })
  return { client: portal.clientId }
}
