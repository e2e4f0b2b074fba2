import type pg from 'pg'
import type { Database } from './client.ts'
import type { PrismaClient } from './generated/client/client.ts'
import { cancellableRequest } from './hot/cancellation.ts'
import type { IsCancelled } from './hot/cancellation.ts'
import type { PreparedStatement } from './hot/hot-query.ts'
import type { ReplicaReader } from './replica.ts'
import type { StatementPool } from './statement-pool.ts'

// Classes, because an object with the pool as its prototype made V8 look up the pool's properties slowly: a request for one team used a
// third more CPU time.

/**
 * The database for a request that only reads: once it is cancelled, its statements reject with a `CancelledError`, and those in
 * progress are cancelled (docs/decisions/database.md#cancelled-requests). Transactions are not cancelled.
 */
export class CancellableDatabase implements Database {
  readonly pool: StatementPool
  readonly #database: Database
  readonly #isCancelled: IsCancelled
  #reader: PrismaClient | undefined

  constructor(database: Database, isCancelled: IsCancelled) {
    this.#database = database
    this.#isCancelled = isCancelled
    this.pool = new CancellablePool(database.pool, isCancelled)
  }

  get prisma(): PrismaClient {
    return (this.#reader ??= readerOf(this.#database.prisma, this.#isCancelled))
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

  execute<Row>(statement: PreparedStatement<Row>, values: readonly unknown[]): Promise<Row[]> {
    return this.#pool.execute(statement, values, this.#isCancelled)
  }

  query(statement: pg.QueryConfig) {
    return this.#pool.query(statement)
  }

  connect() {
    return this.#pool.connect()
  }
}

/**
 * The functions of Prisma's models whose statements can be cancelled. `findUnique` is not among them: Prisma merges all calls of one
 * tick into one statement, which can belong to several requests.
 */
const reads = new Set<string | symbol>(['findMany', 'findFirst', 'findFirstOrThrow', 'count', 'aggregate', 'groupBy'])

function readerOf(prisma: PrismaClient, isCancelled: IsCancelled): PrismaClient {
  // Prisma sends a statement when the result is awaited.
  const read = (call: () => PromiseLike<unknown>) => cancellableRequest.run(isCancelled, async () => await call())
  const readerOfModel = (model: Model): Model =>
    new Proxy(model, {
      get: (_, name) => {
        const call = model[name]
        return call && reads.has(name) ? (...values: unknown[]) => read(() => call(...values)) : call
      },
    })
  return new Proxy(prisma, {
    get: (_, name) => {
      const member: unknown = Reflect.get(prisma, name)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of Prisma's members, only models are objects
      return typeof member === 'object' && member !== null ? readerOfModel(member as Model) : member
    },
  })
}

type Model = Record<string | symbol, ((...values: unknown[]) => PromiseLike<unknown>) | undefined>
