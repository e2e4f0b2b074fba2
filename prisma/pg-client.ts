import { Socket } from 'node:net'
import pg from 'pg'

interface Watch {
  /** Milliseconds of silence after which a server that owes an answer is given up, with its connection. */
  silenceMilliseconds: number | undefined
  /** Told the text of every statement sent. */
  onStatement: ((text: string) => void) | undefined
}

/**
 * pg's client with an end to waiting. pg's own `query_timeout` wraps the callback of every query, and for a reason
 * inside V8 the results of such queries outlive collections by the dozen: a seventh of this process's time went to moving
 * them. The socket's own timer costs a statement nothing.
 */
export function watchedClient({ silenceMilliseconds, onStatement }: Watch): typeof pg.Client {
  return class extends pg.Client {
    #isAsking = false

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      if (silenceMilliseconds === undefined) return
      this.on('drain', () => (this.#isAsking = false))
      this.connection.once('readyForQuery', () => {
        const { stream } = this.connection
        if (!(stream instanceof Socket)) return
        // Not as the callback of `setTimeout`: that is called once, and an idle connection uses it up.
        stream.setTimeout(silenceMilliseconds)
        stream.on('timeout', () => this.#isAsking && stream.destroy(new Error('Query read timeout')))
      })
    }

    // One body stands in for pg's many overloads of `query`.
    override query = ((...parameters: unknown[]) => {
      this.#isAsking = true
      if (onStatement) onStatement(textOf(parameters[0]))
      return Reflect.apply(pg.Client.prototype.query, this, parameters) as unknown
    }) as typeof pg.Client.prototype.query
  }
}

const textOf = (statement: unknown) => (typeof statement === 'string' ? statement : ((statement as { text?: string } | null)?.text ?? ''))
