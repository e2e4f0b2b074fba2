import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { advisoryLocks } from '../../../prisma/advisory-locks.ts'
import { Chunk } from './chunk.ts'
import type { Line } from './lines.ts'
import { Owners } from './owners.ts'
import { parseRecord } from './parse-record.ts'
import { Report } from './report.ts'
import { writeChunk } from './write.ts'

export interface ImportOptions {
  /** Write what is good although some is not. */
  partial: boolean
  /** Who imports, and what, for the audit. */
  operator: string
  source: string
  /** Told after every chunk how many records have been read. */
  onProgress(records: number): void
}

/** Imports lines in one transaction, which is undone if a line is wrong, unless `partial`. */
export async function importLines(session: ClientBase, lines: AsyncIterable<Line>, options: ImportOptions): Promise<Report> {
  const report = new Report()
  await session.query('BEGIN')
  try {
    // Two imports that meet the same rows in other orders would wait for each other; one after the other they cannot.
    await session.query(`SELECT pg_advisory_xact_lock(${advisoryLocks.import})`)
    await session.query('SET CONSTRAINTS members_last_owner DEFERRED')
    await writeLines(session, lines, report, options.onProgress)
    const isGood = report.wrongCount === 0 || options.partial
    if (isGood) await writeAuditEntry(session, report, options)
    await session.query(isGood ? 'COMMIT' : 'ROLLBACK')
    return report
  } catch (error) {
    await session.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function writeLines(session: ClientBase, lines: AsyncIterable<Line>, report: Report, onProgress: (records: number) => void) {
  const owners = new Owners()
  let chunk = new Chunk()
  const flush = async () => {
    const full = chunk
    chunk = new Chunk()
    await writeChunk(session, full, owners, report)
    onProgress(report.records)
  }
  for await (const line of lines) {
    const record = parseRecord(line)
    if (!('type' in record)) {
      report.refuse(record)
      continue
    }
    if (chunk.isFull || !chunk.takes(record)) await flush()
    chunk.add(line.number, record, line.text.length)
  }
  await flush()
  report.takeBack('member', await owners.restoreLast(session))
}

/** One entry for the whole, in its transaction; what changed is the file's to say. */
async function writeAuditEntry(session: ClientBase, { counts, wrongCount }: Report, { operator, source }: ImportOptions) {
  await session.query(
    `INSERT INTO audit_entries (at, action, actor_kind, actor_name, via, subject, after, request_id)
     VALUES (now(), 'import', 'operator', $1, 'command_line', $2, $3, $4)`,
    [operator, source, JSON.stringify({ ...counts, wrong: wrongCount }), randomUUID()],
  )
}
