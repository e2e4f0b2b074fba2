import { readConfig } from '../../config/settings.ts'
import { readMigrationStatus } from '../../database/migrate.ts'
import { openDatabase } from '../../database/open.ts'
import { command } from '../command.ts'
import { commandLog } from '../context.ts'
import { table } from '../output.ts'
import { currentTerminal } from '../terminal.ts'

export const migrateStatus = command({
  name: 'migrate status',
  summary: 'Show the state of the database migrations',
  description: 'Changes nothing. The exit status is 1 if a migration is pending or failed.',
  run: async () => {
    const opened = await openDatabase(readConfig(currentTerminal().settings), 'command', commandLog, { migrate: false })
    try {
      const status = await readMigrationStatus(opened.poolConfig)
      const rows = Object.entries(status).flatMap(([state, names]: [string, string[]]) => names.map((name) => [name, state]))
      const isCurrent = status.pending.length + status.failed.length === 0
      return { value: status, text: table(['migration', 'state'], rows), status: isCurrent ? 0 : 1 }
    } finally {
      await opened.close()
    }
  },
})
