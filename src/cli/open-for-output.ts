import type { ClientBase } from 'pg'
import { getErrorMessage } from '../config/error-message.ts'
import type { Config } from '../config/settings.ts'
import { withSession } from '../database/connection.ts'
import { applyMigrations } from '../database/apply-migrations.ts'
import { openDatabase } from '../database/open.ts'
import type { OpenDatabase } from '../database/open.ts'
import { writeOperatorEntry } from '../database/operator-entry.ts'
import { commandLog, operatorName } from './context.ts'
import { CommandFailure } from './terminal/output.ts'

/** Opens the database for a command that writes its content to a file. Refuses one without tables, which it must not create. */
export async function openForOutput(config: Config, { migrate }: { migrate: boolean }): Promise<OpenDatabase> {
  // This module is imported on demand, because other commands do not need it.
  const { countTables } = await import('../backup/catalog.ts')
  const opened = await openDatabase(config, 'command', commandLog, { migrate: false })
  try {
    if ((await withSession(opened.poolConfig, countTables)) === 0)
      throw new CommandFailure('not_found', 'the database has no tables: start the service, or run migrate deploy', [], {})
    if (migrate) await applyMigrations(opened.connection, commandLog)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

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
    commandLog.warn(`warning: the audit log has no entry of this ${action === 'backup' ? 'backup' : 'export'}: ${getErrorMessage(error)}`)
  }
}
