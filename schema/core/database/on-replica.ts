import type { Context } from '../context.ts'

const chosen = new WeakMap<Context, Context>()

/**
 * The context in which statements are executed on the replica, if there is one that is fresh. Only for data that no request changes and
 * that decides about no permission (docs/operations/postgresql.md#read-replica). The choice is made once for each request:
 * of two statements, the second never sees an older state than the first.
 */
export function onReplica(context: Context): Context {
  const { replica, pool } = context.database
  if (!replica) return context
  const known = chosen.get(context)
  if (known) return known
  const reader = replica.readerOr(pool)
  const choice = reader === pool ? context : { ...context, database: { ...context.database, pool: reader } }
  chosen.set(context, choice)
  return choice
}
