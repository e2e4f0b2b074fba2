import { Socket } from 'node:net'
import pg from 'pg'

interface Watch {
  /** Time without data from the server, during a query, after which the connection is closed. */
  silenceMilliseconds: number | undefined
  /** Called with the text of every statement. */
  onStatement: ((text: string) => void) | undefined
  /** Whether the server is a pooler in transaction mode: each transaction may have another session. */
  isPooled: boolean
}

/** Connections on which nothing can be prepared. */
export const unpreparedConnections = new WeakSet<pg.Connection>()

/**
 * pg's client with a timeout for queries, implemented by the socket's timer. pg's own `query_timeout` wraps the callback of
 * every query; V8 then keeps the results alive over many garbage collections, which cost a seventh of the process's time.
 */
export function watchedClient({ silenceMilliseconds, onStatement, isPooled }: Watch): typeof pg.Client {
  return class extends pg.Client {
    #isQuerying = false

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      if (isPooled) unpreparedConnections.add(this.connection)
      if (silenceMilliseconds === undefined) return
      this.on('drain', () => (this.#isQuerying = false))
      this.connection.once('readyForQuery', () => {
        const { stream } = this.connection
        if (!(stream instanceof Socket)) return
        // Not the callback of `setTimeout`, which is called only once, even if the connection is idle.
        stream.setTimeout(silenceMilliseconds)
        stream.on('timeout', () => this.#isQuerying && stream.destroy(new Error('Query read timeout')))
      })
    }

    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one implementation of pg's overloads, which TypeScript cannot infer
    override query = ((...parameters: unknown[]) => {
      this.#isQuerying = true
      if (onStatement) onStatement(textOf(parameters[0]))
      if (isPooled) parameters[0] = unnamed(parameters[0])
      return Reflect.apply(pg.Client.prototype.query, this, parameters) as unknown
    }) as typeof pg.Client.prototype.query

    /** Called by pg when it connects. Of the parameters of a session, poolers keep these for each client. */
    getStartupConf(): object {
      const inherited: unknown = Reflect.get(pg.Client.prototype, 'getStartupConf')
      if (typeof inherited !== 'function') throw new TypeError('pg has no function getStartupConf')
      const parameters: object = Reflect.apply(inherited, this, [])
      return isPooled ? { ...parameters, TimeZone: 'UTC', DateStyle: 'ISO' } : parameters
    }
  }
}

/** The configuration of a query without a name, so that it is not prepared. Objects of a class are executed as they are. */
function unnamed(statement: unknown): unknown {
  const isConfiguration = typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement)
  return isConfiguration ? { ...statement, name: undefined } : statement
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  return typeof statement === 'object' && statement !== null && 'text' in statement ? String(statement.text) : ''
}
