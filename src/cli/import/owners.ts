import type { ClientBase } from 'pg'
import { subjectOf } from './parse-record.ts'
import type { Wrong } from './parse-record.ts'
import type { RecordOf } from './records.ts'
import { memberColumns, memberKey, memberRow, upsertMembers } from './tables.ts'
import { recordset } from './upsert.ts'
import type { Written } from './upsert.ts'

// Within an import a team may be handed over in any order of lines, so the rule that it keeps an owner is judged at
// the end (SET CONSTRAINTS members_last_owner DEFERRED), here in words and once more by the trigger.

export interface MemberToWrite {
  line: number
  record: RecordOf<'member'>
  teamId: string
  userId: string
}

/** A line that took the owner's role from somebody, and the row as it was before. */
interface Demotion {
  line: number
  record: RecordOf<'member'>
  before: Record<string, unknown> & { team_id: string }
}

const columns = Object.keys(memberColumns)
const names = (prefix: string) => columns.map((name) => `${prefix}${name}`).join(', ')
const findChanged = `
  SELECT i.n, to_jsonb(e) AS before FROM ${recordset({ ...memberKey, ...memberColumns })}
  LEFT JOIN members e ON e.team_id = i.team_id AND e.user_id = i.user_id
  WHERE e.team_id IS NULL OR (${names('e.')}) IS DISTINCT FROM (${names('i.').replace('i.joined_at', 'coalesce(i.joined_at, e.joined_at)')})`

export class Owners {
  readonly #demotions: Demotion[] = []

  /** Writes members under the locks of their teams, where the service's own changes queue too, and notes demotions. */
  async write(session: ClientBase, members: readonly MemberToWrite[]): Promise<Written[]> {
    if (members.length === 0) return []
    const rows = members.map(({ record, teamId, userId }) => memberRow(record, teamId, userId))
    const { rows: changed } = await session.query<{ n: number; before: Demotion['before'] | null }>(findChanged, [JSON.stringify(rows)])
    if (changed.length === 0) return []
    // NO KEY: the foreign keys of other transactions hold the row in KEY SHARE and would make this wait for them.
    const lockTeams = 'SELECT 1 FROM teams WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE'
    await session.query(lockTeams, [changed.flatMap(({ n }) => rows[n]?.team_id ?? [])])
    for (const { n, before } of changed) {
      const member = members[n]
      if (member && before?.role === 'owner' && member.record.role !== 'owner') this.#demotions.push({ ...member, before })
    }
    return upsertMembers(
      session,
      changed.flatMap(({ n }) => rows[n] ?? []),
    )
  }

  /** Gives back the role that lines took from a team's last owners, and answers these lines. */
  async restoreLast(session: ClientBase): Promise<Wrong[]> {
    const { rows: teams } = await session.query<{ id: string }>(
      `SELECT id FROM teams t WHERE id = ANY ($1::uuid[])
       AND NOT EXISTS (SELECT FROM members m WHERE m.team_id = t.id AND m.role = 'owner')`,
      [[...new Set(this.#demotions.map(({ before }) => before.team_id))]],
    )
    const ownerless = new Set(teams.map(({ id }) => id))
    const undone = this.#demotions.filter(({ before }) => ownerless.has(before.team_id))
    // Of a person demoted, promoted and demoted again the first demotion knows the row as it was.
    const rows = new Map(undone.toReversed().map(({ before }) => [`${before.team_id} ${String(before.user_id)}`, before]))
    await upsertMembers(session, [...rows.values()])
    return undone.map(({ line, record }) => {
      return { line, subject: subjectOf(record), member: 'role', message: `The team ${record.team} must keep at least one owner.` }
    })
  }
}
