import type { ClientBase } from 'pg'
import { lockTeamsById } from '../../../../schema/core/database/locks.ts'
import { lastOwnerMessage, teamsWithoutOwner } from '../../../../schema/members/last-owner.ts'
import type { RecordOf } from '../../records/record-types.ts'
import { memberRecord, teamRecord } from '../../records/types/team-record.ts'
import type { Entry, Resolved } from '../chunk.ts'
import type { LineError } from '../parse-record.ts'
import type { Report } from '../report.ts'
import { recordset, upsertRows } from '../upsert.ts'
import type { Written } from '../upsert.ts'

/**
 * Reports records that would delete or restore an existing team, and returns the others. An old file must not do either, because the
 * cleanup erases a team that was deleted long ago.
 */
export async function refuseChangedDeletions(
  session: ClientBase,
  entries: readonly Entry<'team'>[],
  report: Report,
): Promise<readonly Entry<'team'>[]> {
  if (entries.length === 0) return entries
  const { rows } = await session.query<{ slug: string; deletedAt: Date | null }>(
    'SELECT slug, deleted_at AS "deletedAt" FROM teams WHERE slug = ANY ($1)',
    [entries.map(({ record }) => record.slug)],
  )
  const existing = new Map(rows.map(({ slug, deletedAt }) => [slug, deletedAt?.getTime()]))
  return entries.filter(({ line, record }) => {
    const isSame = !existing.has(record.slug) || existing.get(record.slug) === parseInstant(record.deleted_at)
    const message = 'An import neither deletes nor restores a team.'
    if (!isSame) report.refuse({ line, subject: teamRecord.getSubject(record), member: 'deleted_at', message })
    return isSame
  })
}

const parseInstant = (text: string | undefined) => (text === undefined ? undefined : new Date(text).getTime())

/** A line that took the role of owner from a member, and the row before the change. */
interface Demotion {
  line: number
  record: RecordOf<'member'>
  before: Readonly<Record<string, unknown>> & { team_id: string }
}

const columns = Object.keys(memberRecord.otherColumns)
const list = (prefix: string) => columns.map((name) => `${prefix}${name}`).join(', ')
const newValues = columns.map((name) => (Object.hasOwn(memberRecord.keptColumns, name) ? `coalesce(i.${name}, e.${name})` : `i.${name}`))
const findChanged = `
  SELECT i.n, to_jsonb(e) AS before FROM ${recordset({ ...memberRecord.keyColumns, ...memberRecord.otherColumns })}
  LEFT JOIN members e ON e.team_id = i.team_id AND e.user_id = i.user_id
  WHERE e.team_id IS NULL OR (${list('e.')}) IS DISTINCT FROM (${newValues.join(', ')})`
const upsertMembers = upsertRows(memberRecord)

/**
 * Writes members. The lines of an import may transfer the ownership of a team in any order, so the rule that a team has
 * an owner is checked at the end (SET CONSTRAINTS members_last_owner DEFERRED).
 */
export class MemberWriter {
  readonly #demotions: Demotion[] = []

  /** Writes members under the locks of their teams, like the service does, and records demotions. */
  readonly write = async (session: ClientBase, members: readonly Resolved<'member'>[]): Promise<Written[]> => {
    const rows = members.map(({ row }) => row)
    const { rows: changed } = await session.query<{ n: number; before: Demotion['before'] | null }>(findChanged, [JSON.stringify(rows)])
    if (changed.length === 0) return []
    const changedRows = changed.flatMap(({ n }) => (rows[n] ? [rows[n]] : []))
    await lockTeamsById(
      session,
      changedRows.map(({ team_id }) => team_id),
    )
    for (const { n, before } of changed) {
      const entry = members[n]
      if (entry && before?.role === 'owner' && entry.record.role !== 'owner')
        this.#demotions.push({ line: entry.line, record: entry.record, before })
    }
    const written = await upsertMembers(session, changedRows)
    return written.flatMap(({ n, created }) => (changed[n] ? [{ ...changed[n], created }] : []))
  }

  /** Restores the role of members whose demotion left a team without an owner. Returns these lines, and the teams by identifier. */
  async restoreLastOwners(session: ClientBase): Promise<{ wrong: LineError[]; ownerless: ReadonlySet<string> }> {
    const ownerless = await teamsWithoutOwner(
      session,
      this.#demotions.map(({ before }) => before.team_id),
    )
    const undone = this.#demotions.filter(({ before }) => ownerless.has(before.team_id))
    // If a member was demoted twice, the first demotion has the original row.
    const rows = new Map(undone.toReversed().map(({ before }) => [`${before.team_id} ${String(before.user_id)}`, before]))
    await upsertMembers(session, [...rows.values()])
    const wrong = undone.map(({ line, record }) => {
      return { line, subject: memberRecord.getSubject(record), member: 'role', message: lastOwnerMessage(record.team) }
    })
    return { wrong, ownerless }
  }
}
