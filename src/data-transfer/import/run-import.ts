import type { ClientBase } from 'pg'
import { advisoryLocks } from '../../../prisma/advisory-locks.ts'
import { writeOperatorEntry } from '../../database/operator-entry.ts'
import { Chunk } from './chunk.ts'
import { EventWriter } from './events.ts'
import type { Line } from './lines.ts'
import { parseRecord } from './parse-record.ts'
import { Report } from './report.ts'
import { MemberWriter } from './types/teams.ts'
import { writeChunk } from './write.ts'

interface ImportOptions {
  /** True to write the valid records although others are wrong. */
  partial: boolean
  /** True to notify the owners and billing members of teams of their new invoices; default false. */
  sendMails?: boolean
  /** True to create events for changes in teams; default false. */
  emitEvents?: boolean
  /** The operator and the name of the file, for the audit log. */
  operator: string
  source: string
  /** Called after every chunk with the number of records read so far. */
  onProgress(records: number): void
}

/** Imports lines in one transaction. Without `partial`, a wrong line rolls it back. */
export async function importLines(session: ClientBase, lines: AsyncIterable<Line>, options: ImportOptions): Promise<Report> {
  const report = new Report()
  await session.query('BEGIN')
  try {
    // Imports run one at a time: two that write the same rows in different orders would deadlock.
    await session.query(`SELECT pg_advisory_xact_lock(${advisoryLocks.import})`)
    await session.query('SET CONSTRAINTS members_last_owner DEFERRED')
    await writeLines(session, lines, report, options)
    const commits = report.wrongCount === 0 || options.partial
    // Each import has one entry, in its transaction. The file documents the individual changes.
    const { operator, source } = options
    const after = { ...report.counts, wrong: report.wrongCount }
    if (commits) await writeOperatorEntry(session, { action: 'import', operator, subject: source, after })
    await session.query(commits ? 'COMMIT' : 'ROLLBACK')
    return report
  } catch (error) {
    await session.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function writeLines(
  session: ClientBase,
  lines: AsyncIterable<Line>,
  report: Report,
  { sendMails = false, emitEvents = false, operator, onProgress }: ImportOptions,
) {
  const events = emitEvents ? new EventWriter(session, operator) : null
  const members = new MemberWriter()
  const write = async (full: Chunk) => {
    await writeChunk(session, full, members, { report, events, sendMails })
    await analyseGrown(session)
    onProgress(report.records)
  }
  let chunk = new Chunk()
  // The next chunk is read while PostgreSQL writes this one, which saves a third of the time.
  let writing = Promise.resolve()
  const flush = async () => {
    await writing
    writing = write(chunk)
    // The next call throws its error. Until then, it must not count as unhandled.
    writing.catch(() => {})
    chunk = new Chunk()
  }
  try {
    for await (const line of lines) {
      const record = parseRecord(line)
      if (!('type' in record)) {
        report.refuse(record)
        continue
      }
      if (chunk.isFull || !chunk.accepts(record)) await flush()
      chunk.add(line.number, record, line.text.length)
    }
    await flush()
    await writing
  } finally {
    // If the file cannot be read further, no statement may follow the rollback.
    await writing.catch(() => {})
  }
  const { wrong, ownerless } = await members.restoreLastOwners(session)
  report.undo('member', wrong)
  await events?.end(ownerless)
}

/**
 * Selects the tables of the service, including those that triggers fill, that are more than twice as large as at their last ANALYZE.
 * `relpages` is 0 for an empty table; two pages are read faster than any index.
 */
const findGrown = `
  SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'teams'::regclass)
    AND pg_relation_size(oid) > 2 * greatest(relpages, 1) * current_setting('block_size')::bigint`

/**
 * Analyses tables as an import fills them. If they were analysed while empty, as at the end of `restore`, PostgreSQL plans to read them
 * completely, and the sessions keep those plans for triggers and foreign keys. A chunk would then take seconds.
 */
async function analyseGrown(session: ClientBase): Promise<void> {
  const { rows } = await session.query<{ name: string }>(findGrown)
  if (rows.length > 0) await session.query(`ANALYZE ${rows.map(({ name }) => name).join(', ')}`)
}
