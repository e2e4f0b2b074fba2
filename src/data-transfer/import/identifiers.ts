import type { ClientBase } from 'pg'
import type { RecordReference } from '../records/record-type.ts'
import type { Identifiers, Target } from '../records/storage.ts'

const statements = {
  team: 'SELECT slug AS key, id FROM teams WHERE slug = ANY ($1)',
  user: 'SELECT email AS key, id FROM users WHERE email = ANY ($1)',
}

/** Identifiers of the teams and users to which the records of a chunk refer. */
export class IdentifierCache implements Identifiers {
  readonly team = new Map<string, string>()
  readonly user = new Map<string, string>()
  readonly #session: ClientBase

  constructor(session: ClientBase) {
    this.#session = session
  }

  /** Looks up new keys. A key without a row has no identifier. */
  async load(references: readonly RecordReference[]): Promise<void> {
    await this.#loadTarget('team', references)
    await this.#loadTarget('user', references)
  }

  async #loadTarget(target: Target, references: readonly RecordReference[]): Promise<void> {
    const known = this[target]
    const keys = new Set(references.flatMap((each) => (each.target === target && !known.has(each.key) ? [each.key] : [])))
    if (keys.size === 0) return
    const { rows } = await this.#session.query<{ key: string; id: string }>(statements[target], [[...keys]])
    for (const { key, id } of rows) known.set(key, id)
  }
}
