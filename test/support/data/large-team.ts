import { randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '../../../prisma/client.ts'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { unique } from './team.ts'

const names = ['Ada Moreau', 'Ben Okafor', 'Chiara Rossi', 'Đặng Thị Hương', 'Émile Durand-Lefèvre', 'Frieda von Hohenstein']
const day = 86_400_000

/** Adds 1,000 members, 300 team tokens and 300 personal tokens to a team. Returns the identifiers of the members. */
export async function enlargeTeam({ prisma }: Database, team: Team, now: Date): Promise<string[]> {
  const run = unique('run')
  const users = Array.from({ length: 1000 }, (_, index) => ({
    id: randomUUID(),
    name: `${names[index % names.length]} ${index}`,
    email: `firstname.lastname.${index}@${run}.example.com`,
    emailVerified: true,
  }))
  await prisma.user.createMany({ data: users })
  const roles = ['member', 'member', 'billing', 'owner'] as const
  await prisma.member.createMany({
    data: users.map(({ id }, index) => ({
      teamId: team.id,
      userId: id,
      role: roles[index % 4] ?? 'member',
      allApplications: index % 3 > 0,
      applications: index % 3 === 0 ? (['deploy', 'cert', 'flow', 'backup'] as const).slice(0, 1 + (index % 4)) : [],
      joinedAt: new Date(now.getTime() - (1000 - index) * day),
    })),
  })
  const token = (index: number, owner: { teamId: string } | { userId: string }) => ({
    kind: 'teamId' in owner ? ('team' as const) : ('personal' as const),
    ...owner,
    name: `Deployment pipeline ${index}`,
    hash: new Uint8Array(randomBytes(32)),
    lastFour: String(index).padStart(4, '0'),
    scopes: [...tokenScopes].slice(0, 1 + (index % tokenScopes.length)),
    createdById: users[index]?.id ?? null,
    createdAt: new Date(now.getTime() - index * day),
    lastUsedAt: index % 5 === 0 ? null : new Date(now.getTime() - index * 3_600_000),
    expiresAt: new Date(now.getTime() + (1 + index) * day),
  })
  const tokensOf = (ownerOf: (user: { id: string }) => { teamId: string } | { userId: string }) =>
    prisma.accessToken.createMany({ data: users.slice(0, 300).map((user, index) => token(index, ownerOf(user))) })
  await tokensOf(() => ({ teamId: team.id }))
  await tokensOf(({ id }) => ({ userId: id }))
  return users.map(({ id }) => id)
}
