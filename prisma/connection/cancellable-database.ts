import type pg from 'pg'
import type { Database } from './database.ts'
import type { PrismaClient } from '../generated/client/client.ts'
import type { IsCancelled } from './cancellation.ts'
import type { PreparedStatement } from './prepared-statement.ts'
import type { ReplicaReader } from './replica.ts'
import type { StatementPool } from './statement-pool.ts'

// These are classes, because an object with the pool as its prototype made V8 look up the pool's properties slowly: a request for one team
// used a third more CPU time.

/**
 * The database for a request that only reads. After it is cancelled, its statements reject with a `CancelledError`, and those in progress
 * are cancelled (docs/decisions/database.md#cancelled-requests). Transactions and Prisma's reads of single objects continue.
 */
export class CancellableDatabase implements Database {
  readonly pool: StatementPool
  readonly #database: Database
  readonly #isCancelled: IsCancelled

  constructor(database: Database, isCancelled: IsCancelled) {
    this.#database = database
    this.#isCancelled = isCancelled
    this.pool = new CancellablePool(database.pool, isCancelled)
  }

  get prisma(): PrismaClient {
    return this.#database.prisma
  }

  get replica(): ReplicaReader | null {
    const { replica, pool } = this.#database
    return replica && { readerOr: (primary) => this.#readerOf(replica.readerOr(pool), primary) }
  }

  #readerOf(reader: StatementPool, primary: StatementPool): StatementPool {
    return reader === this.#database.pool ? primary : new CancellablePool(reader, this.#isCancelled)
  }
}

class CancellablePool implements StatementPool {
  readonly #pool: StatementPool
  readonly #isCancelled: IsCancelled

  constructor(pool: StatementPool, isCancelled: IsCancelled) {
    this.#pool = pool
    this.#isCancelled = isCancelled
  }

  execute<Row>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.#pool.execute(statement, values, this.#isCancelled)
  }

  query(statement: pg.QueryConfig) {
    return this.#pool.query(statement)
  }

  connect() {
    return this.#pool.connect()
  }
}
