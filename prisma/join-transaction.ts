import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import type { Prisma, PrismaClient } from './generated/client/client.ts'
import { cancellableRequest } from './hot/cancellation.ts'
import type { IsCancelled } from './hot/cancellation.ts'
import type { PreparedStatement } from './hot/hot-query.ts'
import { HotStatements } from './hot/hot-statements.ts'

type Query = (statement: pg.QueryConfig) => Promise<pg.QueryResult>

/** What Prisma's adapter uses of a connection. */
interface Connection {
  query: Query
  on(): void
  removeListener(): void
  release(): void
}

/** Prisma's functions by their names, or by those of a model and a function of it. */
type Calls = Record<string, ((...values: unknown[]) => unknown) & Record<string, (...values: unknown[]) => unknown>>

const joinedConnection = new AsyncLocalStorage<Connection>()

/** Called with the time that a caller waited for a connection because none was free, also if it got none in time. */
export type OnPoolWait = (milliseconds: number) => void

function since(report: OnPoolWait): () => void {
  const startedAt = performance.now()
  return () => report(performance.now() - startedAt)
}

/** A pool that gives a transaction of Prisma the connection that it joins instead of one of its own, and executes hot statements. */
export class ServicePool extends pg.Pool {
  readonly #hotStatements: HotStatements
  readonly #onWait: OnPoolWait | undefined

  constructor(config: pg.PoolConfig, silenceMilliseconds: number | undefined, onWait?: OnPoolWait) {
    super(config)
    this.#onWait = onWait
    this.#hotStatements = new HotStatements(this, silenceMilliseconds)
  }

  execute<Row>(statement: PreparedStatement<Row>, values: readonly unknown[], isCancelled?: IsCancelled): Promise<Row[]> {
    return this.#hotStatements.execute(statement, values, isCancelled)
  }

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one implementation of pg's overloads, which TypeScript cannot infer
  override query = ((...parameters: unknown[]) => {
    const isCancelled = cancellableRequest.getStore()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as Prisma's adapter calls it
    if (isCancelled) return this.#hotStatements.query(parameters[0] as pg.QueryConfig, isCancelled)
    return Reflect.apply(pg.Pool.prototype.query, this, parameters) as unknown
  }) as typeof pg.Pool.prototype.query

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    this.#hotStatements.returnIdleConnections()
    const onWait = this.#onWait && !this.#hasFreeConnection() ? since(this.#onWait) : undefined
    // A waiting caller would be called in the asynchronous context of the one that returns the connection.
    if (callback) return super.connect(AsyncLocalStorage.bind(onWait ? (...values) => (onWait(), callback(...values)) : callback))
    const joined: unknown = joinedConnection.getStore()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Prisma's adapter uses no other property
    if (joined) return Promise.resolve(joined as pg.PoolClient)
    const connecting = super.connect()
    if (onWait) connecting.then(onWait, onWait)
    return connecting
  }

  /** Whether the pool has a connection, or may open one, that no other caller waits for. */
  #hasFreeConnection(): boolean {
    return this.idleCount > this.waitingCount || this.totalCount < this.options.max
  }
}

/**
 * Returns Prisma's query builder for the transaction in which `query` runs, and a function that waits for its statements and
 * ends its use. Prisma's own transaction starts with the first use, because that costs more than a statement does. Prisma
 * neither begins, commits nor rolls back: its caller does.
 */
export function joinTransaction(prisma: PrismaClient, query: Query, timeoutMilliseconds: number) {
  const running = new Set<Promise<unknown>>()
  const work = Promise.withResolvers<void>()
  let started: Promise<Calls> | undefined
  let ended: Promise<void> | undefined

  function start(): Promise<Calls> {
    const { promise, resolve, reject } = Promise.withResolvers<Calls>()
    const wait = async (transaction: unknown) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- called with the arguments of Prisma.TransactionClient
      resolve(transaction as Calls)
      await work.promise
    }
    ended = joinedConnection.run(connectionOf(query), () => prisma.$transaction(wait, { timeout: timeoutMilliseconds }))
    ended.catch(reject)
    return promise
  }
  async function run(call: (transaction: Calls) => unknown): Promise<unknown> {
    started ??= start()
    const result = started.then(call)
    running.add(result)
    try {
      return await result
    } finally {
      running.delete(result)
    }
  }
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the proxy has every property of the type
    queryBuilder: callsOf(run) as Prisma.TransactionClient,
    async end(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running)
      work.resolve()
      await ended
    },
  }
}

const ignored = new Set(['BEGIN', 'COMMIT', 'ROLLBACK'])
const noResult: pg.QueryResult = { rows: [], fields: [], rowCount: 0, command: '', oid: 0 }

const connectionOf = (query: Query): Connection => ({
  query: (statement) => (ignored.has(statement.text) ? Promise.resolve(noResult) : query(statement)),
  on() {},
  removeListener() {},
  release() {},
})

/** Prisma's query builder, each call of which runs through `run`: `user.update(…)` or `$queryRaw`. */
function callsOf(run: (call: (transaction: Calls) => unknown) => Promise<unknown>): unknown {
  const callsOfModel = (model: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method: string) =>
          (...values: unknown[]) =>
            run((transaction) => transaction[model]?.[method]?.(...values)),
      },
    )
  const callOrModel = (_: object, name: string) =>
    name.startsWith('$') ? (...values: unknown[]) => run((transaction) => transaction[name]?.(...values)) : callsOfModel(name)
  return new Proxy({}, { get: callOrModel })
}
