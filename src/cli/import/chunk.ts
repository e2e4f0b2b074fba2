import type { AnyRecord, RecordOf, RecordType } from './records.ts'
import { tokenHash } from './tables.ts'

/** A valid record and where it stands. */
export interface Entry<Type extends RecordType = RecordType> {
  line: number
  record: RecordOf<Type>
}

type Entries = { [Type in RecordType]: Entry<Type>[] }

const mostRecords = 1000
const mostBytes = 4 * 1024 * 1024

/**
 * Records that are written together, type by type. What comes out is as if each line had been written on its own, in
 * its order: a line that repeats a key of the chunk, or brings what an earlier line of it referred to, has to wait.
 */
export class Chunk {
  readonly entries: Entries = { user: [], team: [], member: [], app: [], invoice: [], token: [], client: [] }
  readonly #keys = new Set<string>()
  readonly #references = new Set<string>()
  #bytes = 0

  get isFull(): boolean {
    return this.#keys.size >= mostRecords || this.#bytes >= mostBytes
  }

  /** False when the chunk has to be written before this record can be part of one. */
  takes(record: AnyRecord): boolean {
    const key = keyOf(record)
    return !this.#keys.has(key) && !this.#references.has(key)
  }

  add(line: number, record: AnyRecord, bytes: number): void {
    // The list of its own type, which the compiler cannot follow.
    const list: { line: number; record: AnyRecord }[] = this.entries[record.type]
    list.push({ line, record })
    this.#keys.add(keyOf(record))
    this.#bytes += bytes
    if (record.type === 'user' || record.type === 'team' || record.type === 'client') return
    this.#references.add(`team ${record.team}`)
    if (record.type === 'member' || record.type === 'token') this.#references.add(`user ${record.user}`)
  }
}

function keyOf(record: AnyRecord): string {
  switch (record.type) {
    case 'user':
      return `user ${record.email}`
    case 'team':
      return `team ${record.slug}`
    case 'member':
      return `member ${record.team} ${record.user}`
    case 'app':
      return `app ${record.team} ${record.id}`
    case 'invoice':
      return `invoice ${record.team} ${record.number}`
    case 'token':
      return `token ${tokenHash(record)}`
    case 'client':
      return `client ${record.client_id}`
  }
}
