import type { Application, Role } from '../prisma/generated/client/enums.ts'
import { rfc3339 } from '../prisma/statement.ts'
import type { Reach } from '../schema/context.ts'

/** A team within reach as statements build it, by position: half the text that names would take. */
export type StoredReach = [
  role: Role,
  allApplications: boolean,
  applications: Application[],
  id: string,
  slug: string,
  name: string,
  timezone: string | null,
  gravatarEmail: string | null,
  createdAt: string,
  updatedAt: string,
]

/** The team's part of it: columns of `teams t`. */
export const teamColumns = 't.id, t.slug, t.name, t.timezone, t.gravatar_email, t.created_at, t.updated_at'

/** The whole of it for a member: columns of `members m` and `teams t`. */
export const memberColumns = `m.role, m.all_applications, m.applications, ${teamColumns}`

/** Teams within reach, by slug; sorted here and not in the statement, of which sorting three teams was a sixth. */
export const reachesOf = (stored: StoredReach[] | null): Reach[] => (stored ?? []).map(reachOf).sort(bySlug)

const bySlug = (a: Reach, b: Reach) => (a.team.slug < b.team.slug ? -1 : 1)

function reachOf(stored: StoredReach): Reach {
  const [role, allApplications, applications, id, slug, name, timezone, gravatarEmail, createdAt, updatedAt] = stored
  const team = { id, slug, name, timezone, gravatarEmail, createdAt: rfc3339(createdAt), updatedAt: rfc3339(updatedAt) }
  return { team, role, allApplications, applications }
}
