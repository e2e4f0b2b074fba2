import type { Database } from './client.ts'
import type { PrismaClient } from './generated/client/client.ts'
import { cancellableRequest } from './hot/cancellation.ts'
import type { IsCancelled } from './hot/cancellation.ts'
import { ServicePool } from './join-transaction.ts'

/**
 * The database for a request that only reads: once it is cancelled, its statements reject with a `CancelledError`, and those in
 * progress are cancelled (docs/decisions/database.md#cancelled-requests). Transactions run on.
 */
export function cancellable(database: Database, isCancelled: IsCancelled): Database {
  const { pool, prisma } = database
  if (!(pool instanceof ServicePool)) return database
  const execute: ServicePool['execute'] = (statement, values) => pool.execute(statement, values, isCancelled)
  const own = { execute, connect: pool.connect.bind(pool), query: pool.query.bind(pool) }
  let reader: PrismaClient | undefined
  return {
    ...database,
    pool: Object.assign(Object.create(pool), own),
    get prisma() {
      return (reader ??= readerOf(prisma, isCancelled))
    },
  }
}

/**
 * The functions of Prisma's models whose statements can be cancelled. Not `findUnique`: Prisma merges those calls of one tick into
 * one statement, whichever requests they belong to.
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
