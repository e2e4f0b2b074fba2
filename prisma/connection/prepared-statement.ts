import type pg from 'pg'
import { rowTypes } from './row-types.ts'

/** A statement that each connection prepares when it first executes it. */
export interface PreparedStatement {
  /** Name of the statement in the sessions. Undefined for a statement that PostgreSQL parses and plans each time. */
  name: string | undefined
  readonly text: string
  /** True if the statement is executed on connections that other statements use at the same time. */
  readonly isShared: boolean
  /**
   * True if the statement is sent in one write with the others of this turn of the event loop, which saves up to a quarter of the processor
   * time of a request for one team.
   */
  readonly startsRequests: boolean
}

/** Executes a statement on a connection. If the connection executes others, this one runs after them. */
export async function executeOn<Row>(
  client: pg.PoolClient,
  { name, text, startsRequests }: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const query = { text, values: [...values], types: rowTypes, ...(name !== undefined && { name }) }
  const { stream } = client.connection
  if (startsRequests) {
    stream.cork()
    setImmediate(() => stream.uncork())
  }
  const { rows } = await client.query(query)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of the text, which `statement` declares
  return rows as Row[]
}
