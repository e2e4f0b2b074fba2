import type { Team, User } from '../../../../prisma/generated/client/client.ts'
import { createTeam, join } from '../../data/team.ts'
import type { TestService } from '../../service/service.ts'
import { createPerson } from '../oauth.ts'

/** Who can be a user of a client of a team. */
export const relations = ['owner', 'member', 'billing', 'former member', 'outsider', 'staff'] as const
export type Relation = (typeof relations)[number]

/** Those who can connect a client that is not listed. */
export const isMember = (relation: Relation) => relation === 'owner' || relation === 'member' || relation === 'billing'

export interface DraftUsers {
  team: Team
  users: Record<Relation, User>
  /** Makes the former member one again, or removes them. */
  setFormer(isMember: boolean): Promise<unknown>
}

/** A team with a user for each relation to it. A former member is not in it. */
export async function createDraftUsers({ database }: Pick<TestService, 'database'>): Promise<DraftUsers> {
  const team = await createTeam(database, { name: 'Makers' })
  const person = async (relation: Relation) => [relation, await createPerson(database, { staff: relation === 'staff' })] as const
  const entries = await Promise.all(relations.map(person))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each relation
  const users = Object.fromEntries(entries) as Record<Relation, User>
  for (const role of ['owner', 'member', 'billing'] as const) await join(database, team, users[role], role)
  const former = users['former member']
  return {
    team,
    users,
    setFormer: (isMember) =>
      isMember
        ? join(database, team, former, 'member')
        : database.prisma.member.deleteMany({ where: { teamId: team.id, userId: former.id } }),
  }
}
