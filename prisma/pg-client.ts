import { Socket } from 'node:net'
import pg from 'pg'

interface Watch {
  /** Time without data from the server, during a query, after which the connection is closed. */
  silenceMilliseconds: number | undefined
  /** Called with the text of every statement. */
  onStatement: ((text: string) => void) | undefined
}

/**
 * pg's client with a timeout for queries, implemented by the socket's timer. pg's own `query_timeout` wraps the callback of
 * every query; V8 then keeps the results alive over many garbage collections, which cost a seventh of the process's time.
 */
export function watchedClient({ silenceMilliseconds, onStatement }: Watch): typeof pg.Client {
  return class extends pg.Client {
    #isQuerying = false

    constructor(config?: string | pg.ClientConfig) {
      super(config)
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
      return Reflect.apply(pg.Client.prototype.query, this, parameters) as unknown
    }) as typeof pg.Client.prototype.query
  }
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  return typeof statement === 'object' && statement !== null && 'text' in statement ? String(statement.text) : ''
}
