import { teamToken } from '../../support/data/team.ts'
import type { TestService } from '../../support/service/service.ts'
import { teamSlug } from './people.ts'

/** A directory that has sent 30 members, a guest and somebody who left, with groups, and that received an error. */
export async function createDirectory({ database }: TestService): Promise<void> {
  const { prisma } = database
  const team = await prisma.team.findUniqueOrThrow({ where: { slug: teamSlug } })
  const teamId = team.id
  const now = Date.now()
  const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000)
  await teamToken(database, team, { name: 'Directory', scopes: ['acct:team:scim'] })
  await prisma.accessToken.updateMany({ where: { teamId, name: 'Directory' }, data: { lastUsedAt: minutesAgo(4) } })
  await prisma.teamDomain.create({
    data: { teamId, domain: 'northwind.example', value: 'k3Vb9sQ2mXt7Lw5RzYc8Hd4N', verifiedAt: minutesAgo(80_000) },
  })
  const members = await prisma.member.findMany({
    where: { teamId },
    include: { user: true },
    orderBy: { userId: 'asc' },
    take: 30,
  })
  const people = members.map(({ user: { id, name, email } }) => ({ userId: id, accountId: id, name, userName: email }))
  const guest = { userId: '0d3b2a52-4f1e-4b0e-9a64-5d6a7f3c1e01', name: 'Noor Haddad', userName: 'noor@agency.example' }
  const former = { userId: '0d3b2a52-4f1e-4b0e-9a64-5d6a7f3c1e02', name: 'Ivo Petrov', userName: 'ivo.petrov@northwind.example' }
  for (const [index, { name, ...user }] of [...people, guest, former].entries()) {
    const times = { createdAt: minutesAgo(50_000), updatedAt: minutesAgo(40 * index) }
    await prisma.scimUser.create({ data: { teamId, ...user, attributes: { displayName: name, emails: [] }, ...times } })
  }
  for (const [index, displayName] of ['Accounting', 'Designers', 'Platform Engineering'].entries()) {
    const users = people.slice(index * 9, index * 9 + 8 - index).map(({ userId }) => ({ teamId, userId }))
    const times = { createdAt: minutesAgo(50_000), updatedAt: minutesAgo(400) }
    await prisma.scimGroup.create({ data: { teamId, displayName, members: { createMany: { data: users } }, ...times } })
  }
  const inGroups = people.slice(0, 8).map(({ userId }) => userId)
  await prisma.member.updateMany({ where: { teamId, userId: { in: inGroups }, role: { not: 'owner' } }, data: { managed: true } })
  const request = { method: 'POST', path: '/scim/v2/Users', status: 409, scimType: 'uniqueness' }
  const detail = 'A user with the address aiko.tanaka@northwind.example exists already.'
  await prisma.directoryError.create({ data: { teamId, at: minutesAgo(130), ...request, detail } })
}
