import { forEachType, recordTypes } from '../records/record-types.ts'
import type { RecordType } from '../records/record-type.ts'
import type { AnyRecord, RecordOf, RecordTypeName } from '../records/record-types.ts'
import type { Row } from '../records/storage.ts'

/** A valid record and the number of its line. */
export interface Entry<Name extends RecordTypeName = RecordTypeName> {
  line: number
  record: RecordOf<Name>
}

/** An entry whose references exist, with the row to write. */
export interface Resolved<Name extends RecordTypeName = RecordTypeName> extends Entry<Name> {
  row: Row
}

type Entries = { [Name in RecordTypeName]: Entry<Name>[] }

const maxRecords = 1000
const maxCharacters = 4 * 1024 * 1024

/**
 * Records that are written together, type by type. The result is the same as if each line had been written separately and in order: a
 * record that repeats a key of the chunk, or to which an earlier record of the chunk refers, starts the next chunk.
 */
export class Chunk {
  readonly entries = forEachType(() => [] as never[]) as Entries
  readonly #keys = new Set<string>()
  readonly #references = new Set<string>()
  #characters = 0

  get isFull(): boolean {
    return this.#keys.size >= maxRecords || this.#characters >= maxCharacters
  }

  /** Returns true if the record can be added. Otherwise the chunk must be written first. */
  accepts(record: AnyRecord): boolean {
    const key = getType(record).getKey(record)
    return !this.#keys.has(key) && !this.#references.has(key)
  }

  add(line: number, record: AnyRecord, characters: number): void {
    // The compiler does not see that the list belongs to the record's type.
    const list: { line: number; record: AnyRecord }[] = this.entries[record.type]
    list.push({ line, record })
    const type = getType(record)
    this.#keys.add(type.getKey(record))
    this.#characters += characters
    for (const { target, key } of type.listReferences(record)) this.#references.add(`${target} ${key}`)
  }
}

const getType = (record: AnyRecord): RecordType => recordTypes[record.type]
