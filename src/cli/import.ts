import { open } from 'node:fs/promises'
import path from 'node:path'
import { readConfig } from '../config.ts'
import { withSession } from '../database/connection.ts'
import { openDatabase } from '../database/open.ts'
import { command } from './command.ts'
import type { Answer } from './command.ts'
import { commandLog, operatorName } from './context.ts'
import { CommandFailure, printFailure, table } from './output.ts'
import { readLines } from './import/lines.ts'
import { createProgress } from './import/progress.ts'
import type { Report } from './import/report.ts'
import { importLines } from './import/run.ts'

export const importCommand = command({
  name: 'import',
  about: 'Imports users, teams, members, apps, invoices, tokens and clients: newline-delimited JSON, one record a line.',
  notes: `Records, each keyed by its natural key, so that importing again changes nothing and importing a changed file updates:
  {"type":"user","email","name","password"?,"email_verified"?,"disabled_at"?}
  {"type":"team","slug","name","timezone"?,"gravatar_email"?,"created_at"?}
  {"type":"member","team","user":EMAIL,"role","accessible_app_ids"?,"joined_at"?}
  {"type":"app","team","id","name","description"?,"url"?,"status"?,"connected_at"?}
  {"type":"invoice","team","number","app_id"?,"status","currency","tax"?,"amount_paid"?,"invoice_date","due_date"?,"paid_at"?,
   "period_start"?,"period_end"?,"lines":[{"description","quantity","unit_amount","app_id"?,"period_start"?,"period_end"?}]}
  {"type":"token","kind":"personal"|"team","user"|"team","name","scopes","expires_at"?,"value"|"sha256"}
  {"type":"client","client_id","name","description"?,"redirect_uris","confidential","client_secret"?|"client_secret_hashes"?:
   [{"sha256","expires_at"?}],"grants","scopes":{"required","optional"},"team":"none"|"optional"|"required",
   "refresh_replay_seconds"?,"logo_uri"?,"post_logout_redirect_uris"?,"backchannel_logout_uri"?,
   "id_token_signed_response_alg"?,"disabled_at"?}

An absent member is its default, except that a password, email_verified, disabled_at, created_at, joined_at, connected_at and
a client’s secrets stay as they are; a client_secret that no longer works replaces those that do. A record may refer to
earlier lines and to what the service has. Nothing is ever deleted. A wrong line is reported, and nothing is written.`,
  positionals: { file: { about: 'the file, or - for standard input' } },
  options: { partial: { about: 'write the good lines although others are wrong; the exit status is still 1' } },
  run: async ({ positionals: { file }, options: { partial }, json }) => {
    const source = await openSource(file)
    const opened = await openDatabase(readConfig(), 'command', commandLog)
    const progress = createProgress(process.stderr, source.size)
    try {
      const report = await withSession(opened.poolConfig, (session) =>
        importLines(session, readLines(source.bytes, progress.bytes), {
          partial,
          operator: operatorName(),
          source: file === '-' ? 'standard input' : path.basename(file),
          onProgress: progress.records,
        }),
      )
      progress.end()
      return conclude(report, partial, json)
    } finally {
      progress.end()
      await opened.close()
    }
  },
})

async function openSource(file: string): Promise<{ bytes: AsyncIterable<Uint8Array>; size: number | undefined }> {
  if (file === '-') return { bytes: process.stdin, size: undefined }
  const handle = await open(file)
  const stat = await handle.stat()
  return { bytes: handle.createReadStream({ highWaterMark: 256 * 1024 }), size: stat.isFile() ? stat.size : undefined }
}

function conclude(report: Report, partial: boolean, json: boolean): Answer {
  const { counts, wrong, wrongCount } = report
  const isWrong = wrongCount > 0
  if (isWrong) {
    const lines = `${wrongCount} wrong line${wrongCount === 1 ? '' : 's'}, ${partial ? 'the others were written' : 'nothing was written'}`
    const failure = new CommandFailure('wrong_lines', lines, report.wrongLines, { wrong: wrongCount, lines: wrong })
    if (!partial) throw failure
    printFailure(failure, json)
  }
  const kinds = ['read', 'created', 'updated', 'unchanged'] as const
  const rows = Object.entries(counts).map(([type, count]) => [type].concat(kinds.map((kind) => String(count[kind]))))
  return {
    value: { records: counts, wrong: wrongCount },
    text: table(['type', ...kinds], rows),
    status: isWrong ? 1 : 0,
  }
}
