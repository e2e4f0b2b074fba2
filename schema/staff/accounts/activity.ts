import type { AuditEntry } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { auditEntries } from '../../audit/audit-list.ts'
import type { AuditRow } from '../../audit/audit-list.ts'
import type { Context } from '../../core/context.ts'
import { isNoReading, toShownEntry } from '../shown-entry.ts'

/** Maximum number of entries that are returned. */
export const activityLength = 20
/** Number of entries in each part of which those that are no reads by staff are returned. */
const readLength = 10 * activityLength

/** Builds SQL for the latest entries of the actor in one team or in none. The order is that of the index on the actor, the team and the time. */
const latestBy = (team: string) =>
  `SELECT e.id, e.at FROM (SELECT id, at, action FROM audit_entries WHERE actor_user_id = $1 AND ${team} ORDER BY team_id DESC, at DESC LIMIT ${readLength}) e
   WHERE ${isNoReading('e')} LIMIT ${activityLength}`

// PostgreSQL may read the entries of all actors by time until it finds some of this one, whenever an index has the order of a part. Here
// none has: the team is a range instead of a constant, and the entries about the account are read before they are sorted.
const selectActivity = statement<AuditRow, [userId: string, subject: string]>(
  'activity_of_account',
  `WITH about AS MATERIALIZED (SELECT e.id, e.at FROM audit_entries e WHERE e.subject = $2 AND ${isNoReading('e')})
   SELECT ${auditEntries.columns} FROM audit_entries r WHERE r.id = ANY (ARRAY(
     SELECT id FROM (
       SELECT e.id, e.at FROM members m CROSS JOIN LATERAL (${latestBy('team_id >= m.team_id AND team_id <= m.team_id')}) e WHERE m.user_id = $1
       UNION (${latestBy('team_id IS NULL')})
       UNION SELECT id, at FROM about) latest
     ORDER BY at DESC, id LIMIT ${activityLength}))
   ORDER BY r.at DESC, r.id`,
)

/**
 * Reads the latest audit entries by an account, in its teams and outside of teams, and about it. Reads by staff are left out, because they
 * would displace the others.
 */
export const readActivity = async ({ database }: Context, userId: string): Promise<AuditEntry[]> =>
  (await selectActivity(database.pool, userId, userId)).map((row) => toShownEntry(auditEntries.toNode(row)))
