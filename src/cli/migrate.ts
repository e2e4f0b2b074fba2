import { readConfig } from '../config.ts'
import { readMigrationStatus } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import { command } from './command.ts'
import { commandLog } from './context.ts'
import { table } from './output.ts'

export const migrateStatus = command({
  name: 'migrate status',
  about: 'Shows which migrations the database has; changes nothing. Exit status 1 unless all are applied and none failed.',
  run: async () => {
    const opened = await openDatabase(readConfig(), 'command', commandLog, { migrate: false })
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
