import { readConfig } from '../config.ts'
import { withSession } from '../database/connection.ts'
import { openDatabase } from '../database/open.ts'
import { command } from './command.ts'
import { commandLog } from './context.ts'
import { writeToFile } from './export/destination.ts'
import { exportRecords, noCounts } from './export/records.ts'
import { table } from './output.ts'
import { writeToStdout } from './stdout.ts'

export const exportCommand = command({
  name: 'export',
  about: 'Writes everything that import reads, in its format and a stable order, as it is at one instant.',
  notes: `Importing an export into an empty database and exporting again gives the same bytes. Passwords, token values and
client secrets are written as their hashes; revoked tokens are left out. The file is readable for its owner alone.`,
  positionals: { file: { about: 'file to write; standard output without it, or for -', optional: true } },
  run: async ({ positionals: { file = '-' } }) => {
    const opened = await openDatabase(readConfig(), 'command', commandLog)
    try {
      return await withSession(opened.poolConfig, async (session) => {
        const counts = noCounts()
        const records = exportRecords(session, counts)
        // Who read it got only a part, and may not know.
        if (file === '-') return (await writeToStdout(records)) ? undefined : { value: null, text: '', status: 1 }
        await writeToFile(file, records)
        const rows = Object.entries(counts).map(([type, count]) => [type, String(count)])
        return { value: { records: counts }, text: table(['type', 'written'], rows) }
      })
    } finally {
      await opened.close()
    }
  },
})
