import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { AuditAction, TeamAction } from '../../schema/core/audit/actions.ts'

interface OperatorEntry {
  action: AuditAction
  /** The name of the operator. */
  operator: string
  /** Name of the object that was read or changed, such as a file. */
  subject: string
  /** Data that was written, such as numbers or filters. */
  after?: object
}

/** Writes the audit entry of a command that works on the database itself instead of executing an operation of the schema. */
export async function writeOperatorEntry(session: ClientBase, { operator, ...entry }: OperatorEntry): Promise<void> {
  await writeOperatorEntries(session, { operator, requestId: randomUUID(), milliseconds: 0 }, [entry])
}

/** An entry of a command that changes many things in teams. Its subject is a user, whose name is looked up, or has a name. */
export interface CommandEntry {
  action: TeamAction
  teamId?: string
  userId?: string
  subject?: string
  subjectName?: string
  before?: object
  after?: object
}

/** The operator, the common data of the entries of one run, and the time from the start of the transaction to the changes. */
interface Run {
  operator: string
  requestId: string
  milliseconds: number
}

/** Writes several entries with one statement. */
export async function writeOperatorEntries(
  session: ClientBase,
  run: Run,
  entries: readonly (CommandEntry | Omit<OperatorEntry, 'operator'>)[],
): Promise<void> {
  if (entries.length === 0) return
  await session.query(
    `INSERT INTO audit_entries
       (at, action, actor_kind, actor_name, authentication_method, team_id, subject, subject_name, before, after, request_id)
     SELECT now() + $4 * interval '1 millisecond', e.action, 'operator', $2, 'command_line', e."teamId", coalesce(e.subject, e."userId"::text),
       coalesce(e."subjectName", u.name), e.before, e.after, $3
     FROM json_to_recordset($1) AS e (action text, "teamId" uuid, "userId" uuid, subject text, "subjectName" text, before jsonb, after jsonb)
     LEFT JOIN users u ON u.id = e."userId"`,
    [JSON.stringify(entries), run.operator, run.requestId, run.milliseconds],
  )
}
