import type { Context } from '../context.ts'

const readContexts = new WeakMap<Context, Context>()

/**
 * Returns a context that executes statements on the replica if there is one that does not lag. Use it only for data that no request changes
 * and that does not affect permissions (docs/operations/postgresql.md#read-replica). All statements of a request use the same database, so
 * that a later statement never sees an older state.
 */
export function onReplica(context: Context): Context {
  const { prisma, replica, pool } = context.database
  if (!replica) return context
  const cachedContext = readContexts.get(context)
  if (cachedContext) return cachedContext
  const reader = replica.readerOr(pool)
  const readContext = reader === pool ? context : { ...context, database: { prisma, replica, pool: reader } }
  readContexts.set(context, readContext)
  return readContext
}
