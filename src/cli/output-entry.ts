import type { ClientBase } from 'pg'
import { messageOf } from '../config/error-message.ts'
import { writeOperatorEntry } from '../database/operator-entry.ts'
import { commandLog, operatorName } from './context.ts'

interface OutputEntry {
  action: 'backup' | 'export' | 'exportAuditLog'
  /** The file to which the command writes. */
  file: string
  /** The content of the file. */
  after?: object
}

/**
 * Writes the audit entry of a command that outputs stored data, before it reads rows. If that fails, it only warns, because a database that
 * cannot be written must still be readable.
 */
export async function writeOutputEntry(session: ClientBase, { action, file, after }: OutputEntry): Promise<void> {
  try {
    await writeOperatorEntry(session, { action, operator: operatorName(), subject: file, after })
  } catch (error) {
    commandLog.warn(`warning: the audit log has no entry of this ${action === 'backup' ? 'backup' : 'export'}: ${messageOf(error)}`)
  }
}
