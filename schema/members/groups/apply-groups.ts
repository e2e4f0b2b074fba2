import type { Role } from '../../../prisma/generated/client/enums.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { isSameAccess } from '../../apps/application.ts'
import { writeAuditEntries } from '../../core/audit/audit.ts'
import type { AuditedChange } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { lockTeam } from '../../core/database/locks.ts'
import type { LockedTeam } from '../../core/database/locks.ts'
import { sendNotice, userToNotify } from '../../core/notices/send-notice.ts'
import { hasDirectoryGroups, termsOfGroups } from './directory-groups.ts'
import type { MemberTerms } from './directory-groups.ts'
import { groupRolesOfTeams } from './group-role.ts'
import { joinTeam } from './join-team.ts'

/** The parts of the context that a change of members by groups needs. */
type GroupContext = Pick<Context, 'now' | 'sendMail' | 'principal' | 'browser' | 'requestId'>

interface GroupsOfUser {
  teamId: string
  userId: string
  /** The groups of the user, as the identity provider states them. */
  groups: readonly string[]
  /** The role of members in none of the groups that have a role; null if they are not members. */
  jitRole: Role | null
  /** True if groups can make the user a member. */
  mayJoin: boolean
  /** Name of the identity provider. */
  provider: string
}

/**
 * Gives a member of a team the role and the products of their groups, or makes a user a member if a group has a role
 * (docs/decisions/scim.md#groups). Changes nothing if no group of the team has a role, or if its directory states groups. No other team may
 * be locked.
 */
export async function applyGroups(transaction: Transaction, context: GroupContext, userGroups: GroupsOfUser): Promise<void> {
  const { teamId, userId, groups, jitRole, mayJoin, provider } = userGroups
  const [team, isDirectory] = await Promise.all([lockTeam(transaction, teamId), hasDirectoryGroups(transaction, teamId)])
  if (isDirectory) return
  const isMember = await applyToMembers(transaction, context, team, new Map([[userId, groups]]), jitRole)
  if (isMember.has(userId) || !mayJoin) return
  const [groupRoles, [user]] = await Promise.all([groupRolesOfTeams(transaction, [teamId]), userToNotify(transaction, userId)])
  const terms = termsOfGroups(groupRoles, groups)
  if (terms && user) joinTeam(transaction, context, 'joinThroughProvider', { teamId, user, ...terms, isManaged: true, provider })
}

interface ConcernedMember extends MemberTerms {
  id: string
  name: string
  email: string
  emailVerified: boolean
  isManaged: boolean
}

const concernedMembers = statement<ConcernedMember, [teamId: string, userIds: readonly string[]]>(
  'members_of_groups',
  `SELECT m.user_id AS id, u.name, u.email, u.email_verified AS "emailVerified", m.role, m.managed AS "isManaged",
     CASE WHEN NOT m.all_applications THEN to_json(m.applications) END AS "accessibleAppIds"
   FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 AND m.user_id = ANY ($2::uuid[]) ORDER BY m.user_id`,
)

const setTerms = statement<
  object,
  [teamId: string, userIds: readonly string[], role: Role, allApplications: boolean, applications: readonly string[]]
>(
  'set_terms_of_members',
  `UPDATE members SET role = $3::"Role", all_applications = $4, applications = $5::text[]::"Application"[], managed = true
   WHERE team_id = $1 AND user_id = ANY ($2::uuid[])`,
)
const removeMembers = statement<object, [teamId: string, userIds: readonly string[]]>(
  'remove_members_by_groups',
  `DELETE FROM members WHERE team_id = $1 AND user_id = ANY ($2::uuid[]) AND role <> 'owner'`,
)

/**
 * Applies the groups of several members of a team that the caller has locked, and returns the users who are members. Owners remain
 * unchanged, and so do members who were never managed and whose groups have no role.
 */
export async function applyToMembers(
  transaction: Transaction,
  context: GroupContext,
  team: LockedTeam,
  groupsByUser: ReadonlyMap<string, readonly string[]>,
  jitRole: Role | null,
): Promise<ReadonlySet<string>> {
  const [groupRoles, members] = await Promise.all([
    groupRolesOfTeams(transaction, [team.id]),
    concernedMembers(transaction, team.id, [...groupsByUser.keys()]),
  ])
  const memberIds = new Set(members.map(({ id }) => id))
  if (groupRoles.length === 0) return memberIds
  const fallback = jitRole && { role: jitRole, accessibleAppIds: null }
  const changed: { member: ConcernedMember; terms: MemberTerms }[] = []
  const removed: ConcernedMember[] = []
  for (const member of members) {
    const terms = termsOfGroups(groupRoles, groupsByUser.get(member.id) ?? [])
    if (member.role === 'owner' || (!terms && !member.isManaged)) continue
    const newTerms = terms ?? fallback
    if (!newTerms) removed.push(member)
    else if (!member.isManaged || !isSame(member, newTerms)) changed.push({ member, terms: newTerms })
  }
  await writeTerms(transaction, context, team, changed)
  await removeAll(transaction, context, team, removed)
  return memberIds
}

const isSame = (one: MemberTerms, other: MemberTerms) =>
  one.role === other.role && isSameAccess(one.accessibleAppIds, other.accessibleAppIds)

async function writeTerms(
  transaction: Transaction,
  context: GroupContext,
  team: LockedTeam,
  changes: readonly { member: ConcernedMember; terms: MemberTerms }[],
): Promise<void> {
  const entries: AuditedChange[] = []
  for (const { member, terms } of changes) {
    const { id, name, isManaged } = member
    entries.push({ teamId: team.id, subject: id, subjectName: name, before: toValues(member, isManaged), after: toValues(terms, true) })
    const notice = { team: team.name, slug: team.slug, role: terms.role }
    if (terms.role !== member.role) await sendNotice(transaction, context, member, 'role-changed', notice)
  }
  for (const same of Map.groupBy(changes, ({ terms }) => JSON.stringify(terms)).values()) {
    const [first] = same
    if (!first) continue
    const { role, accessibleAppIds } = first.terms
    const ids = same.map(({ member }) => member.id)
    transaction.defer(setTerms(transaction, team.id, ids, role, accessibleAppIds === null, accessibleAppIds ?? []))
  }
  if (entries.length > 0) writeAuditEntries(transaction, context, 'applyGroups', entries)
}

const toValues = ({ role, accessibleAppIds }: MemberTerms, isManaged: boolean) => ({ role, accessibleAppIds, isManaged })

async function removeAll(transaction: Transaction, context: GroupContext, team: LockedTeam, members: readonly ConcernedMember[]) {
  if (members.length === 0) return
  const ids = members.map(({ id }) => id)
  transaction.defer(removeMembers(transaction, team.id, ids))
  for (const member of members) await sendNotice(transaction, context, member, 'removed-from-team', { team: team.name })
  const entries = members.map(({ id, name, email, role, accessibleAppIds }) => ({
    teamId: team.id,
    subject: id,
    subjectName: name,
    before: { email, role, accessibleAppIds },
  }))
  writeAuditEntries(transaction, context, 'removeByGroups', entries)
}
