import type { Context } from '../context.ts'

const chosen = new WeakMap<Context, Context>()

/**
 * Returns a context that executes statements on the replica if there is one that does not lag. Use it only for data that no request changes
 * and that does not affect permissions (docs/operations/postgresql.md#read-replica). All statements of a request use the same database, so
 * that a later statement never sees an older state.
 */
export function onReplica(context: Context): Context {
  const { prisma, replica, pool } = context.database
  if (!replica) return context
  const known = chosen.get(context)
  if (known) return known
  const reader = replica.readerOr(pool)
  const choice = reader === pool ? context : { ...context, database: { prisma, replica, pool: reader } }
  chosen.set(context, choice)
  return choice
}
