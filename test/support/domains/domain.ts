import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import type { Team, TeamDomain } from '../../../prisma/generated/client/client.ts'
import { unique } from '../data/team.ts'

/** Creates the row of a domain that no other test uses; by default it is verified. */
export const createDomain = ({ prisma }: OpenDatabase, { id: teamId }: Team, data: Partial<TeamDomain> = {}): Promise<TeamDomain> => {
  const now = new Date()
  return prisma.teamDomain.create({
    data: {
      teamId,
      domain: `${unique('domain')}.example`,
      value: unique('team-account-verification='),
      verifiedAt: now,
      checkedAt: now,
      ...data,
    },
  })
}
