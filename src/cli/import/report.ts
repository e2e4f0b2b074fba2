import { printable } from '../output.ts'
import type { Wrong } from './parse-record.ts'
import { recordTypes } from './records.ts'
import type { RecordType } from './records.ts'

const shown = 20

export interface Counts {
  read: number
  created: number
  updated: number
  unchanged: number
}

/** What became of the records, by type, and the first wrong lines. */
export class Report {
  readonly counts: Record<RecordType, Counts>
  readonly wrong: Wrong[] = []
  wrongCount = 0

  constructor() {
    const entries = recordTypes.map((type) => [type, { read: 0, created: 0, updated: 0, unchanged: 0 }])
    this.counts = Object.fromEntries(entries) as Record<RecordType, Counts>
  }

  refuse(wrong: Wrong): void {
    this.wrongCount += 1
    this.wrong.push(wrong)
    // They come chunk by chunk, within one by type: only the first few lines are kept, in their order.
    this.wrong.sort((a, b) => a.line - b.line)
    this.wrong.length = Math.min(this.wrong.length, shown)
  }

  /** Good records of one type, of which `written` were new or changed. */
  note(type: RecordType, read: number, written: readonly { created: boolean }[]): void {
    const created = written.filter((row) => row.created).length
    const counts = this.counts[type]
    counts.read += read
    counts.created += created
    counts.updated += written.length - created
    counts.unchanged += read - written.length
  }

  /** Lines that had been written and were taken back. */
  takeBack(type: RecordType, wrong: readonly Wrong[]): void {
    this.counts[type].read -= wrong.length
    this.counts[type].updated -= wrong.length
    for (const each of wrong) this.refuse(each)
  }

  get records(): number {
    return recordTypes.reduce((sum, type) => sum + this.counts[type].read, 0)
  }

  /** The wrong lines, one a line: `line 17: invoice ACME-0042: currency: …`. */
  get wrongLines(): string[] {
    const lines = this.wrong.map(({ line, subject, member, message }) =>
      printable([`line ${line}`, subject, member, message].filter((part) => part !== null).join(': ')),
    )
    return this.wrongCount > shown ? [...lines, `and ${this.wrongCount - shown} more wrong lines`] : lines
  }
}
