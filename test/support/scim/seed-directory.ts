import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { teamToken } from '../data/team.ts'
import type { TestService } from '../service/service.ts'

/** Adds a token, users, groups and an error of a directory in which every text is `name`. The member is one of the users. */
export async function seedDirectory({ database, clock }: Pick<TestService, 'database' | 'clock'>, team: Team, member: User, name: string) {
  const { prisma } = database
  const [teamId, now] = [team.id, clock.now()]
  await teamToken(database, team, { name, scopes: ['acct:team:scim'] })
  await prisma.accessToken.updateMany({ where: { teamId, scopes: { has: 'acct:team:scim' } }, data: { lastUsedAt: now } })
  const times = { createdAt: now, updatedAt: now }
  const attributes = { displayName: name, name: { formatted: name }, emails: [] }
  const user = { teamId, attributes, ...times }
  await prisma.scimUser.create({ data: { ...user, userId: member.id, accountId: member.id, userName: name } })
  await prisma.scimUser.create({ data: { ...user, userId: team.id, userName: `2 ${name}` } })
  const members = { create: { teamId, userId: member.id } }
  await prisma.scimGroup.create({ data: { teamId, displayName: name, externalId: name, members, ...times } })
  await prisma.scimGroup.create({ data: { teamId, displayName: `2 ${name}`, ...times } })
  await prisma.directoryError.create({
    data: { teamId, at: now, method: 'PATCH', path: '/scim/v2/Users/{id}', status: 409, scimType: 'uniqueness', detail: name.repeat(2) },
  })
}
