import { open } from 'node:fs/promises'
import path from 'node:path'
import { readConfig } from '../../config/settings.ts'
import { writeToFile } from '../../data-transfer/export/destination.ts'
import { exportRecords } from '../../data-transfer/export/records.ts'
import { createProgress } from '../../data-transfer/import/progress.ts'
import { readLines } from '../../data-transfer/import/lines.ts'
import type { Report } from '../../data-transfer/import/report.ts'
import { importLines } from '../../data-transfer/import/run-import.ts'
import { formatNotation } from '../../data-transfer/records/notation.ts'
import { recordTypes, forEachType } from '../../data-transfer/records/record-types.ts'
import { withSession } from '../../database/connection.ts'
import { openDatabase } from '../../database/open.ts'
import { command } from '../command.ts'
import type { CommandResult } from '../command.ts'
import { commandLog, operatorName } from '../context.ts'
import { openForOutput, writeOutputEntry } from '../open-for-output.ts'
import { CommandFailure, printFailure } from '../terminal/output.ts'
import { table } from '../terminal/table.ts'
import { callerPath, currentTerminal, writeToStdout } from '../terminal/terminal.ts'

const types = Object.values(recordTypes)
const keptMembers = types.flatMap(({ name, members }) => {
  const kept = [...members].flatMap(([member, { keep }]) => (keep === undefined ? [] : [member]))
  return kept.length === 0 ? [] : [`  ${`${name} `.padEnd(8)}${kept.join(', ')}`]
})

export const importCommand = command({
  name: 'import',
  summary: 'Import users, teams and what belongs to them',
  description: `The file contains one JSON object per line, the type of the record in its member "type". Members marked with ? are optional:

${types.map(formatNotation).join('\n')}

A record creates or updates the row with its natural key, so that importing a file twice changes nothing. A record may
refer to earlier lines and to existing data. Nothing is deleted. If a line is wrong, nothing is written.

An absent member gets its default value. These members keep their stored value instead:

${keptMembers.join('\n')}

A new webhook has no secret and is disabled: rotate its secret, and then enable it. A new identity provider has no client
secret: enter it and sign in as a test before you require it.

The secrets of a client stay valid unless the record contains client_secret_hashes, or a client_secret that is not valid.`,
  positionals: { file: { description: 'file to import, or - for standard input' } },
  options: {
    'send-mails': { description: 'notify the owners and billing members of teams of invoices that are new; default: no emails' },
    'emit-events': {
      description: 'record each change in a team in its audit log and as an event; default: one audit entry for the whole file',
    },
    partial: { description: 'write the valid lines even if others are wrong; the exit status is still 1' },
  },
  run: async ({ positionals: { file }, options: { partial, 'send-mails': sendMails, 'emit-events': emitEvents }, json }) => {
    const source = await openSource(file)
    const opened = await openDatabase(readConfig(currentTerminal().settings), 'command', commandLog)
    const progress = createProgress(currentTerminal().stderr, source.size)
    try {
      const report = await withSession(opened.poolConfig, (session) =>
        importLines(session, readLines(source.bytes, progress.bytes), {
          partial,
          sendMails,
          emitEvents,
          operator: operatorName(),
          source: file === '-' ? 'standard input' : path.basename(file),
          onProgress: progress.records,
        }),
      )
      progress.end()
      return toResult(report, partial, json)
    } finally {
      progress.end()
      await opened.close()
    }
  },
})

async function openSource(file: string): Promise<{ bytes: AsyncIterable<Uint8Array>; size: number | undefined }> {
  if (file === '-') return { bytes: currentTerminal().stdin, size: undefined }
  const handle = await open(callerPath(file))
  const stat = await handle.stat()
  if (stat.isDirectory()) {
    await handle.close()
    throw new CommandFailure('wrong_file', `${file}: it is a folder`, [], {})
  }
  return { bytes: handle.createReadStream({ highWaterMark: 256 * 1024 }), size: stat.isFile() ? stat.size : undefined }
}

function toResult(report: Report, partial: boolean, json: boolean): CommandResult {
  const { counts, wrong, wrongCount } = report
  const hasWrongLines = wrongCount > 0
  if (hasWrongLines) {
    const message = `${wrongCount} wrong line${wrongCount === 1 ? '' : 's'}, ${partial ? 'the others were written' : 'nothing was written'}`
    const failure = new CommandFailure('wrong_lines', message, report.wrongLines, { wrong: wrongCount, lines: wrong })
    if (!partial) throw failure
    printFailure(failure, json)
  }
  const columns = ['read', 'created', 'updated', 'unchanged'] as const
  const rows = Object.entries(counts).map(([type, count]) => [type].concat(columns.map((column) => String(count[column]))))
  return {
    value: { records: counts, wrong: wrongCount },
    text: table(['type', ...columns], rows),
    status: hasWrongLines ? 1 : 0,
  }
}

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
