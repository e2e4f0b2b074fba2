import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Application, Role } from '../../prisma/generated/client/enums.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { lockTeam } from '../core/database/locks.ts'
import { isTwoFactorOn } from '../core/team-access/two-factor.ts'
import { loadById, loadOfTeam } from '../lists/batch.ts'
import { isIdentifier } from '../core/validation.ts'

export interface StoredMember {
  teamId: string
  /** The user's identifier. */
  id: string
  name: string
  email: string
  role: Role
  /** Null for all applications. */
  accessibleAppIds: Application[] | null
  pictureId: string | null
  joinedAt: string
  /** True if groups of an identity provider or directory decide the role and the products. */
  isManaged: boolean
  /** Version that changes with every change of the member; absent from lists, null if it was not read. */
  version?: string | null
}

/** A member with one property per GraphQL field, under the field's name: graphql-jit reads those without a resolver. */
export interface MemberRow extends StoredMember {
  userId: string
}

export const memberColumns = `r.team_id AS "teamId", r.user_id AS id, r.role, CASE WHEN NOT r.all_applications THEN to_json(r.applications) END AS "accessibleAppIds",
  r.joined_at AS "joinedAt", r.managed AS "isManaged", u.name, u.email, u.picture_id AS "pictureId"`

// The version is based on PostgreSQL's `xmin`, the transaction that wrote a row, because a member has no `updated_at`. It costs no column
// and cannot be forgotten by a writer. A change of the user's name or address changes it, too.
const version = `r.xmin::text || '.' || u.xmin::text AS version`

const membersByKeys = statement<StoredMember, [teamIds: readonly string[], userIds: readonly string[]]>(
  'members_by_keys',
  `SELECT ${memberColumns}, ${version} FROM unnest($1::uuid[], $2::uuid[]) k(team_id, user_id)
   JOIN members r ON r.team_id = k.team_id AND r.user_id = k.user_id JOIN users u ON u.id = r.user_id`,
)

export const withUserId = (member: StoredMember): MemberRow => Object.assign(member, { userId: member.id })

/** Returns one member, or throws `not_found`. Fields of a request that are resolved at the same time share one statement. */
export async function findMember(context: Context, teamId: string, userId: string): Promise<MemberRow> {
  const member = isIdentifier(userId) ? await loadOfTeam(context, 'member', teamId, userId, membersByKeys) : null
  if (!member) throw notFound()
  return withUserId(member)
}

/** Reads the memberships of a user in some teams. */
export const membershipsOfUser = statement<StoredMember, [teamIds: readonly string[], userId: string]>(
  'memberships_of_user',
  `SELECT ${memberColumns} FROM members r JOIN users u ON u.id = r.user_id WHERE r.team_id = ANY ($1) AND r.user_id = $2`,
)

const versionsOfMembers = statement<
  { teamId: string; id: string; version: string },
  [teamIds: readonly string[], userIds: readonly string[]]
>(
  'versions_of_members',
  `SELECT r.team_id AS "teamId", r.user_id AS id, ${version} FROM unnest($1::uuid[], $2::uuid[]) k(team_id, user_id)
   JOIN members r ON r.team_id = k.team_id AND r.user_id = k.user_id JOIN users u ON u.id = r.user_id`,
)

/** Returns the version of a member of a list. One statement reads those of all members whose versions are selected at the same time. */
export const findVersion = async (context: Context, { teamId, id }: StoredMember): Promise<string | null> =>
  (await loadOfTeam(context, 'member versions', teamId, id, versionsOfMembers))?.version ?? null

/** The last activity of members, in any team, and their use of two-factor authentication. */
export interface Activity {
  id: string
  lastActiveAt: string | null
  hasTwoFactor: boolean
}

const activityOfUsers = statement<Activity, [ids: readonly string[]]>(
  'activity_of_users',
  `SELECT u.id, u.last_active_at AS "lastActiveAt", ${isTwoFactorOn('u.id')} AS "hasTwoFactor" FROM users u WHERE u.id = ANY ($1)`,
)

/** Returns the activity of a member. One statement reads that of all members for whom it is selected at the same time. */
export const findActivity = (context: Context, { id }: StoredMember): Promise<Activity | null> =>
  loadById(context, 'activity of members', id, (ids) => activityOfUsers(context.database.pool, ids))

/** A member with the facts that the rules about changes of members need. */
export interface MemberToChange extends MemberRow {
  emailVerified: boolean
  version: string
  /** True if the team has an owner besides this member, with an enabled account. */
  hasOtherOwner: boolean
}

const memberToChange = statement<
  StoredMember & Pick<MemberToChange, 'emailVerified' | 'version' | 'hasOtherOwner'>,
  [teamId: string, userId: string]
>(
  'member_to_change',
  `SELECT ${memberColumns}, ${version}, u.email_verified AS "emailVerified",
     has_enabled_owner($1, $2) AS "hasOtherOwner"
   FROM members r JOIN users u ON u.id = r.user_id WHERE r.team_id = $1 AND r.user_id = $2`,
)

/** Locks the team and reads the member, or throws `not_found`. */
export async function lockMember(transaction: Transaction, teamId: string, userId: string): Promise<MemberToChange> {
  const [, [member]] = await Promise.all([
    lockTeam(transaction, teamId),
    isIdentifier(userId) ? memberToChange(transaction, teamId, userId) : [],
  ])
  if (!member) throw notFound()
  return { ...member, userId: member.id }
}
