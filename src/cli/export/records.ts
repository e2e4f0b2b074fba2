import type { ClientBase } from 'pg'
import QueryStream from 'pg-query-stream'
import { recordTypes } from '../import/records.ts'
import type { RecordType } from '../import/records.ts'
import type { Section } from './section.ts'
import { sections } from './sections.ts'

export type ExportCounts = Record<RecordType, number>

/** How much text goes out at once. */
const pieceLength = 64 * 1024

/** Everything as lines of text in pieces, as it was at one instant; `counts` grows along. The reader sets the pace. */
export async function* exportRecords(session: ClientBase, counts: ExportCounts): AsyncGenerator<string> {
  await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    let piece = ''
    for (const section of sections) {
      for await (const line of sectionLines(session, section)) {
        counts[section.type] += 1
        piece += line
        if (piece.length < pieceLength) continue
        yield piece
        piece = ''
      }
    }
    if (piece !== '') yield piece
  } finally {
    await session.query('ROLLBACK')
  }
}

async function* sectionLines(session: ClientBase, { text, record }: Section): AsyncGenerator<string> {
  const rows = session.query(new QueryStream(text, [], { batchSize: 500, highWaterMark: 500 })) as AsyncIterable<
    Parameters<typeof record>[0]
  >
  for await (const row of rows) yield `${JSON.stringify(record(row))}\n`
}

export const noCounts = (): ExportCounts => Object.fromEntries(recordTypes.map((type) => [type, 0])) as ExportCounts
