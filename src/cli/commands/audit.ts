import type pg from 'pg'
import { readConfig } from '../../config/settings.ts'
import { exportAudit } from '../../data-transfer/export/audit-export.ts'
import { writeToFile } from '../../data-transfer/export/destination.ts'
import { withSession } from '../../database/connection.ts'
import { parseTime } from '../argument-values.ts'
import { command, UsageError } from '../command.ts'
import { openForOutput, writeOutputEntry } from '../open-for-output.ts'
import { CommandFailure } from '../terminal/output.ts'
import { writeToStdout, callerPath, currentTerminal } from '../terminal/terminal.ts'

export const auditExport = command({
  name: 'audit export',
  summary: 'Export the audit log as newline-delimited JSON',
  description: `Writes one entry per line, oldest first, as of one point in time: at, action, actor, authentication_method, client_name,
team, subject, subject_name, before, after and request_id. A time is a date, which begins at midnight UTC, or an instant.`,
  positionals: { file: { description: 'file to write, or - for standard output (default: -)', optional: true } },
  options: {
    team: { value: 'SLUG', stored: 'team', description: 'only entries of this team' },
    since: { value: 'TIME', description: 'only entries at or after this time, such as 2026-01-31 or 2026-01-31T09:30:00Z' },
    until: { value: 'TIME', description: 'only entries before this time' },
  },
  run: async ({ positionals: { file = '-' }, options }) => {
    const since = options.since === undefined ? null : parseTime(options.since, '--since')
    const until = options.until === undefined ? null : parseTime(options.until, '--until')
    if (since && until && since >= until) throw new UsageError('--until must be later than --since')
    const opened = await openForOutput(readConfig(currentTerminal().settings), { migrate: true })
    try {
      return await withSession(opened.poolConfig, async (session) => {
        const teamId = options.team === undefined ? null : await loadTeamId(session, options.team)
        await writeOutputEntry(session, { action: 'exportAuditLog', file, after: { team: options.team ?? null, since, until } })
        const entries = exportAudit(session, { teamId, since, until })
        // The exit status 1 tells the caller that the output is incomplete, because its reader closed the pipe.
        if (file === '-') return (await writeToStdout(entries.chunks)) ? undefined : { value: null, text: '', status: 1 }
        await writeToFile(callerPath(file), entries.chunks)
        return { value: { entries: entries.count() }, text: `Wrote ${entries.count()} entries.` }
      })
    } finally {
      await opened.close()
    }
  },
})

async function loadTeamId(session: pg.ClientBase, slug: string): Promise<string> {
  const { rows } = await session.query<{ id: string }>('SELECT id FROM teams WHERE slug = $1', [slug])
  if (rows[0]) return rows[0].id
  throw new CommandFailure('not_found', `unknown team ${slug}`, [], {})
}
