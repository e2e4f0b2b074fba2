import pg from 'pg'
import { unpreparedConnections } from './unprepared-connections.ts'
import { compileRow } from './row.ts'
import type { BuildRow } from './row.ts'
import type { RowMessage } from './row-message.ts'

/** A statement that each connection prepares when it first executes it. */
export interface PreparedStatement<Row> {
  /**
   * Followed by a number in the session, so that no name is prepared twice. Empty for the unnamed statement, which PostgreSQL
   * parses and plans each time.
   */
  name: string
  text: string
  /** Whether it is executed on connections that other statements use at the same time. */
  isShared: boolean
  /** Whether it is sent in one write with the others of this turn of the event loop. */
  startsRequests: boolean
  /** The number of preparations up to now. */
  count: number
  preparations: WeakMap<pg.Connection, Preparation<Row>>
}

interface Preparation<Row> {
  name: string
  /** Builds a row; known after the connection has described the columns. */
  build?: BuildRow<Row>
  /** Whether an execution has succeeded. Until then, PostgreSQL may have refused to prepare the statement. */
  isExecuted: boolean
}

/** Executes a statement on a connection. If the connection executes others, this one runs after them. */
export function executeOn<Row>(client: pg.PoolClient, statement: PreparedStatement<Row>, values: readonly unknown[]): Promise<Row[]> {
  return new Promise((resolve, reject) => client.query(new HotQuery(statement, values, resolve, reject)))
}

// In pipeline mode, pg accepts only its own class of queries, because most others keep a portal open. This one does not. The constructor
// receives a text, because it copies a configuration object slowly.
const Query: new (text: string) => object = pg.Query

/**
 * One execution of a statement, by the interface of pg's clients for queries (`Submittable`). Unlike pg's own class, it asks for the
 * description of the columns once per connection instead of each time, and builds rows by a compiled function.
 */
export class HotQuery<Row> extends Query implements pg.Submittable {
  readonly #statement: PreparedStatement<Row>
  readonly values: (string | Buffer | null)[]
  readonly #resolve: (rows: Row[]) => void
  readonly #reject: (error: unknown) => void
  readonly #rows: Row[] = []
  /** Called with the error, if any, when the server has answered. */
  onAnswer: ((error?: unknown) => void) | undefined
  #preparation: Preparation<Row> | undefined
  #rowError: unknown

  constructor(
    statement: PreparedStatement<Row>,
    values: readonly unknown[],
    resolve: (rows: Row[]) => void,
    reject: (error: unknown) => void,
  ) {
    super(statement.text)
    this.#statement = statement
    this.values = values.map(encode)
    this.#resolve = resolve
    this.#reject = reject
  }

  get statementName(): string {
    return this.#statement.name
  }

  submit(connection: pg.Connection): void {
    const statement = this.#statement
    const known = statement.preparations.get(connection)
    const preparation = known ?? { name: nameOf(statement, connection), isExecuted: false }
    this.#preparation = preparation
    // One write to the socket.
    connection.stream.cork()
    if (!known) statement.preparations.set(connection, preparation)
    if (!known || !preparation.name) connection.parse({ name: preparation.name, text: statement.text, types: [] }, true)
    connection.bind({ statement: preparation.name, values: this.values }, true)
    // Requested until an execution has succeeded: a failed one returns no description.
    if (!preparation.isExecuted) connection.describe({ type: 'P' }, true)
    connection.execute(null, true)
    connection.sync()
    if (statement.startsRequests) setImmediate(() => connection.stream.uncork())
    else connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    if (this.#preparation) this.#preparation.build = compileRow(fields)
  }

  handleDataRow(message: RowMessage): void {
    try {
      const build = this.#preparation?.build
      if (!build) throw new Error('a row came without a description of its columns')
      this.#rows.push(build(message))
    } catch (error) {
      // An error that this function throws would end the process.
      this.#rowError = error
    }
  }

  handleCommandComplete(): void {
    if (this.#preparation) this.#preparation.isExecuted = true
  }

  handleReadyForQuery(): void {
    this.onAnswer?.(this.#rowError)
    if (this.#rowError === undefined) this.#resolve(this.#rows)
    else this.#reject(this.#rowError)
  }

  handleError(error: unknown, connection: pg.Connection): void {
    const { preparations } = this.#statement
    const isDoubtful = this.#preparation?.isExecuted === false
    if (isDoubtful && preparations.get(connection) === this.#preparation) preparations.delete(connection)
    this.onAnswer?.(error)
    this.#reject(error)
  }
}

const nameOf = (statement: { name: string; count: number }, connection: pg.Connection) =>
  statement.name === '' || unpreparedConnections.has(connection) ? '' : `${statement.name}_${++statement.count}`

function encode(value: unknown): string | Buffer | null {
  return Buffer.isBuffer(value) ? value : encodeText(value)
}

/** The text form of a value. Numbers, booleans and objects are JSON. */
function encodeText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return Array.isArray(value) ? `{${value.map(encodeElement).join(',')}}` : JSON.stringify(value)
}

/** An element of an array, quoted because it may contain commas or braces. */
function encodeElement(value: unknown): string {
  const text = encodeText(value)
  return text === null ? 'NULL' : Array.isArray(value) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
