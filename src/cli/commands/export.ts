import { readConfig } from '../../config/settings.ts'
import { withSession } from '../../database/connection.ts'
import { command } from '../command.ts'
import { openForOutput } from '../open-for-output.ts'
import { writeOutputEntry } from '../output-entry.ts'
import { writeToFile } from '../../data-transfer/export/destination.ts'
import { exportRecords } from '../../data-transfer/export/records.ts'
import { forEachType } from '../../data-transfer/records/record-types.ts'
import { table } from '../terminal/table.ts'
import { writeToStdout } from '../terminal/stdout.ts'
import { callerPath, currentTerminal } from '../terminal/terminal.ts'

export const exportCommand = command({
  name: 'export',
  summary: 'Export all data in the format of import',
  description: `Writes the state of one point in time in a stable order. Importing the file into an empty database and exporting again
produces the same bytes. Passwords, token values and client secrets are exported as hashes; revoked tokens are omitted.
Only the owner can read the file.`,
  positionals: { file: { description: 'file to write, or - for standard output (default: -)', optional: true } },
  run: async ({ positionals: { file = '-' } }) => {
    const opened = await openForOutput(readConfig(currentTerminal().settings), { migrate: true })
    try {
      return await withSession(opened.poolConfig, async (session) => {
        await writeOutputEntry(session, { action: 'export', file })
        const counts = forEachType(() => 0)
        const records = exportRecords(session, counts)
        // The exit status 1 tells the caller that the output is incomplete, because its reader closed the pipe.
        if (file === '-') return (await writeToStdout(records)) ? undefined : { value: null, text: '', status: 1 }
        await writeToFile(callerPath(file), records)
        const rows = Object.entries(counts).map(([type, count]) => [type, String(count)])
        return { value: { records: counts }, text: table(['type', 'written'], rows) }
      })
    } finally {
      await opened.close()
    }
  },
})
