import { forEachType, recordTypeNames } from '../records/record-types.ts'
import type { RecordTypeName } from '../records/record-types.ts'
import type { LineError } from './parse-record.ts'

const maxReported = 20

export interface Counts {
  read: number
  created: number
  updated: number
  unchanged: number
}

/** The result of an import: counts by type, and the first wrong lines. */
export class Report {
  readonly counts = forEachType((): Counts => ({ read: 0, created: 0, updated: 0, unchanged: 0 }))
  readonly wrong: LineError[] = []
  wrongCount = 0

  refuse(wrong: LineError): void {
    this.wrongCount += 1
    this.wrong.push(wrong)
    // Errors arrive by chunk and, within a chunk, by type. Only the first lines of the file are reported.
    this.wrong.sort((a, b) => a.line - b.line)
    this.wrong.length = Math.min(this.wrong.length, maxReported)
  }

  /** Counts `read` valid records of a type, of which `written` were created or changed. */
  add(type: RecordTypeName, read: number, written: readonly { created: boolean }[]): void {
    const created = written.filter((row) => row.created).length
    const counts = this.counts[type]
    counts.read += read
    counts.created += created
    counts.updated += written.length - created
    counts.unchanged += read - written.length
  }

  /** Reports lines that were counted as updated and then undone. */
  undo(type: RecordTypeName, wrong: readonly LineError[]): void {
    this.counts[type].read -= wrong.length
    this.counts[type].updated -= wrong.length
    for (const each of wrong) this.refuse(each)
  }

  get records(): number {
    return recordTypeNames.reduce((sum, type) => sum + this.counts[type].read, 0)
  }

  /** Returns the wrong lines as text: `line 17: invoice ACME-0042: currency: …`. They may contain control characters. */
  get wrongLines(): string[] {
    const lines = this.wrong.map(({ line, subject, member, message }) =>
      [`line ${line}`, subject, member, message].filter((part) => part !== null).join(': '),
    )
    return this.wrongCount > maxReported ? [...lines, `and ${this.wrongCount - maxReported} more wrong lines`] : lines
  }
}
