import { createInitialAccess } from '../../support/agents/initial-access.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import type { TestService } from '../../support/service/service.ts'
import type { createHistory } from './history.ts'
import { people, teamSlug } from './people.ts'

const day = 86_400_000

const agents = [
  {
    clientId: 'https://claude.ai/oauth/client-metadata.json',
    name: 'claude.ai',
    scopes: ['teams', 'acct:team:read', 'acct:team:members:read'],
  },
  {
    clientId: 'https://vscode.dev/oauth/client-metadata.json',
    name: 'vscode.dev',
    scopes: ['acct:team:read', 'acct:team:invoices:read'],
  },
  { clientId: 'support-agent', name: 'Support agent', scopes: ['acct:team:members:read', 'acct:team:members:write'] },
]

/** Agents that members have connected, allowed hosts and initial access tokens. */
export async function createAgents({ database, clock }: TestService, { userOf }: ReturnType<typeof createHistory>): Promise<void> {
  const { prisma } = database
  const { id: teamId } = await prisma.team.findUniqueOrThrow({ where: { slug: teamSlug } })
  const ago = (days: number) => new Date(clock.now().getTime() - days * day)
  await prisma.team.update({ where: { id: teamId }, data: { agentHosts: ['claude.ai', 'vscode.dev'] } })
  for (const [index, { clientId, name, scopes }] of agents.entries()) {
    const source = clientId.startsWith('https:') ? ('metadata' as const) : ('registration' as const)
    const { id: oauthClientId } = await createClient(database, { clientId, name, source, confidential: false })
    const userId = (await userOf(people[index + 1]?.email ?? '')).id
    const times = { createdAt: ago(20 - index), lastUsedAt: ago(index * 3 + 0.01), expiresAt: ago(-300) }
    await prisma.oAuthGrant.create({ data: { userId, oauthClientId, teamId, scopes, ...times } })
  }
  const owner = await userOf(people[0]?.email ?? '')
  const token = await createInitialAccess(database, { id: teamId }, owner.id)
  await prisma.initialAccessToken.update({ where: { id: token.id }, data: { lastUsedAt: ago(1) } })
  const expired = await createInitialAccess(database, { id: teamId }, owner.id)
  await prisma.initialAccessToken.update({ where: { id: expired.id }, data: { createdAt: ago(9), expiresAt: ago(2) } })
}
