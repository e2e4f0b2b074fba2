import { statement } from '../../prisma/statement/statement.ts'
import type { Executor } from '../../prisma/statement/statement.ts'

/** Returns the domain of an email address in the form of `normalizeEmail`: the part after its last `@`. */
export const domainOfAddress = (email: string) => email.slice(email.lastIndexOf('@') + 1)

const teamOfDomain = statement<{ teamId: string }, [domain: string]>(
  'team_of_domain',
  `SELECT d.team_id AS "teamId" FROM team_domains d JOIN teams t ON t.id = d.team_id AND t.deleted_at IS NULL
   WHERE d.domain = $1 AND d.verified_at IS NOT NULL`,
)

/** Returns the team that has verified the domain of an email address in the form of `normalizeEmail`, or null. */
export async function teamOfAddress(executor: Executor, email: string): Promise<{ teamId: string } | null> {
  const [owner] = await teamOfDomain(executor, domainOfAddress(email))
  return owner ?? null
}

const countOfVerified = statement<{ count: number }, [teamId: string]>(
  'count_verified_domains',
  'SELECT count(*)::int AS count FROM team_domains WHERE team_id = $1 AND verified_at IS NOT NULL',
)

/** Returns the number of verified domains of a team. */
export const countVerifiedDomains = async (executor: Executor, teamId: string): Promise<number> =>
  (await countOfVerified(executor, teamId))[0]?.count ?? 0
