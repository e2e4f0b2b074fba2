import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { otherAuditActions } from '../../schema/core/audit.ts'

interface OperatorEntry {
  action: Exclude<keyof typeof otherAuditActions, 'readAsStaff'> | 'exportAuditLog'
  /** The name of the operator. */
  operator: string
  /** What was read or changed, such as the name of a file. */
  subject: string
  /** What was written, such as numbers or filters. */
  after?: object
}

/** Writes the audit entry of a command that works on the database itself instead of executing an operation of the schema. */
export async function writeOperatorEntry(session: ClientBase, { action, operator, subject, after }: OperatorEntry): Promise<void> {
  await session.query(
    `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, subject, after, request_id)
     VALUES (now(), $1, 'operator', $2, 'command_line', $3, $4, $5)`,
    [action, operator, subject, after === undefined ? null : JSON.stringify(after), randomUUID()],
  )
}
