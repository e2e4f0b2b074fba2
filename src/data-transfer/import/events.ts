import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { writeOperatorEntries } from '../../database/operator-entry.ts'
import type { CommandEntry } from '../../database/operator-entry.ts'
import type { RecordTypeName } from '../records/record-types.ts'
import type { Row } from '../records/storage.ts'
import { buildEntries } from './event-entries.ts'
import type { Written } from './upsert.ts'

/** An entry that is written at the end, unless its change is undone. */
interface Held {
  milliseconds: number
  entry: CommandEntry
}

const getMember = ({ teamId, userId }: CommandEntry) => `${teamId} ${userId}`
const isDemotion = ({ before, after }: CommandEntry) => getRole(before) === 'owner' && getRole(after) !== 'owner'
const getRole = (values: object | undefined) => (values && 'role' in values ? values.role : null)

/** Writes the events of an import, with one statement for each type of record of a chunk. */
export class EventWriter {
  readonly #session: ClientBase
  readonly #run: { operator: string; requestId: string }
  /** Events of one transaction are ordered by their times, so each later statement adds a millisecond. */
  #milliseconds = 0
  /** Entries of members who were demoted, by member. */
  readonly #held = new Map<string, Held[]>()

  constructor(session: ClientBase, operator: string) {
    this.#session = session
    this.#run = { operator, requestId: randomUUID() }
  }

  /** Records the changes to some of these rows. */
  async tell(name: RecordTypeName, rows: readonly Row[], written: readonly Written[]): Promise<void> {
    const entries = written.flatMap(({ n, id, created, before }) => {
      const row = rows[n]
      // A row without old values was not changed itself, such as an invoice of which only lines changed.
      return row ? (buildEntries[name]?.({ id, row, before: created ? null : (before ?? row) }) ?? []) : []
    })
    if (entries.length === 0) return
    this.#milliseconds += 1
    await this.#write(this.#milliseconds, name === 'member' ? entries.filter((entry) => !this.#holds(entry)) : entries)
  }

  /** Holds back the demotion of an owner, which may be undone at the end, and the later entries of the member. */
  #holds(entry: CommandEntry): boolean {
    const held = this.#held.get(getMember(entry))
    if (!held && !isDemotion(entry)) return false
    this.#held.set(getMember(entry), [...(held ?? []), { milliseconds: this.#milliseconds, entry }])
    return true
  }

  /** Records the demotions except those in teams in which they were undone. */
  async end(undone: ReadonlySet<string>): Promise<void> {
    const held = [...this.#held.values()].flat().filter(({ entry: { teamId = '' } }) => !undone.has(teamId))
    for (const [milliseconds, list] of Map.groupBy(held, (each) => each.milliseconds))
      await this.#write(
        milliseconds,
        list.map(({ entry }) => entry),
      )
  }

  #write(milliseconds: number, entries: readonly CommandEntry[]): Promise<void> {
    return writeOperatorEntries(this.#session, { ...this.#run, milliseconds }, entries)
  }
}
