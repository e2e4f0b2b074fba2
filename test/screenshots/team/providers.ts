import type { TestService } from '../../support/service/service.ts'
import type { Application } from '../../../prisma/generated/client/enums.ts'
import { encodeGroup } from '../../../src/account-site/sign-in-settings/groups/group-forms.ts'
import { seedProvider } from '../../support/identity-providers/seed-provider.ts'
import { seedTest } from '../../support/identity-providers/seed-test.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import type { createHistory } from './history.ts'
import { owner, teamSlug } from './people.ts'

/** Two identity providers, of which the first is tested and used, and gives an agent access. Returns its identifier. */
export async function createProviders(service: TestService, { userOf }: ReturnType<typeof createHistory>): Promise<string> {
  const { prisma } = service.database
  const team = await prisma.team.findUniqueOrThrow({ where: { slug: teamSlug } })
  const members = await prisma.member.findMany({ where: { teamId: team.id }, take: 43, orderBy: { userId: 'asc' } })
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const okta = { name: 'Okta', issuer: 'https://northwind.okta.com', clientId: '0oa1mx8dbwGqDGoLV5d7', createdAt: daysAgo(60) }
  const { clientId } = await createClient(service.database, { name: 'Meeting assistant' })
  const agents = { agentsEnabledAt: daysAgo(3), agentClientIds: [clientId], agentScopes: ['acct:team:read', 'acct:team:members:read'] }
  const settings = { testedAt: new Date(), jitRole: 'member' as const, groupsClaim: 'groups' }
  const id = await seedProvider(service, team, { ...okta, ...settings, ...agents })
  await seedProvider(service, team, { name: 'Keycloak Stockholm', issuer: 'https://keycloak.northwind.example/realms/staff' })
  for (const [index, { userId }] of members.entries()) {
    const identity = { providerId: id, userId, subject: `00u${index}`, lastSignInAt: daysAgo(index / 24) }
    await prisma.externalIdentity.create({ data: identity })
  }
  await seedTest(service, await userOf(owner.email), id)
  return id
}

/** Groups that have a role. Returns the parameter of the page of one. */
export async function createGroupRoles({ database: { prisma } }: TestService, teamId: string): Promise<string> {
  const some = (applications: Application[]) => ({ teamId, allApplications: false, applications })
  await prisma.groupRole.createMany({
    data: [
      { ...some(['billing']), group: 'Accounting', role: 'billing' },
      { ...some(['cert', 'deploy', 'domain']), group: 'Platform Engineering', role: 'member' },
      { teamId, group: 'team-accounts-users', role: 'member' },
    ],
  })
  return encodeGroup('Platform Engineering')
}
