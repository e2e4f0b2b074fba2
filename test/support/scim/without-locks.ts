import type { Database } from '../../../prisma/connection/database.ts'

/** The same database, but no statement of a transaction locks the rows that it reads: the control of a test about a lock. */
export function withoutLocks<Given extends Database>(database: Given): Given {
  const pool = new Proxy(database.pool, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (name !== 'connect') return typeof member === 'function' ? member.bind(target) : member
      return async () => withoutLockingClause(await target.connect())
    },
  })
  return { ...database, pool }
}

/** Removes the clause from the text, and the name, under which the connection may have prepared the statement with it. */
function withoutLockingClause<Client extends { query: unknown }>(client: Client): Client {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      if (name !== 'query') return member.bind(target)
      return (statement: { text: string; name?: string }, ...rest: unknown[]) => {
        const text = statement.text.replace(/ FOR (?:NO KEY )?UPDATE\b/, '')
        const sent = text === statement.text ? statement : { ...statement, text, name: undefined }
        return member.call(target, sent, ...rest)
      }
    },
  })
}
