import { readConfig } from '../../config/settings.ts'
import { applyMigrations, readMigrationStatus } from '../../database/apply-migrations.ts'
import { openDatabase } from '../../database/open.ts'
import type { OpenDatabase } from '../../database/open.ts'
import { command } from '../command.ts'
import { commandLog } from '../context.ts'
import { table } from '../terminal/table.ts'
import { currentTerminal } from '../terminal/terminal.ts'

export const migrateStatus = command({
  name: 'migrate status',
  summary: 'Show the state of the database migrations',
  description: 'Changes nothing. The exit status is 1 if a migration is pending or failed.',
  run: () =>
    withDatabase(async ({ connection }) => {
      const status = await readMigrationStatus(connection)
      const rows = Object.entries(status).flatMap(([state, names]: [string, string[]]) => names.map((name) => [name, state]))
      const isCurrent = status.pending.length + status.failed.length === 0
      return { value: status, text: table(['migration', 'state'], rows), status: isCurrent ? 0 : 1 }
    }),
})

export const migrateDeploy = command({
  name: 'migrate deploy',
  summary: 'Apply pending database migrations',
  description:
    'The service and most commands also apply them when they start. Run this command before a deployment to detect a failing migration early.',
  run: () =>
    withDatabase(async ({ connection }) => {
      const applied = await applyMigrations(connection, commandLog)
      return {
        value: { applied },
        text:
          applied.length > 0
            ? table(
                ['applied'],
                applied.map((name) => [name]),
              )
            : 'No migration is pending.',
      }
    }),
})

/** Opens the database without applying migrations. */
async function withDatabase<Result>(work: (opened: OpenDatabase) => Promise<Result>): Promise<Result> {
  const opened = await openDatabase(readConfig(currentTerminal().settings), 'command', commandLog, { migrate: false })
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}
