import { Socket } from 'node:net'
import pg from 'pg'
import { rowTypes } from './row-types.ts'

/**
 * Called with the text of every statement that is sent, and the name and the values of a `PreparedStatement`. May return a function that is
 * called when the statement ends, with the error if there is one.
 */
export type OnStatement = (text: string, name?: string, values?: readonly unknown[]) => ((error?: unknown) => void) | undefined

// By default, pg writes instants in the local time of the machine, with an offset in whole minutes, which is wrong before 1900.
pg.defaults.parseInputDatesAsUTC = true

interface Watch {
  /** Time without data from the server, during a query, after which the connection is closed. */
  silenceMilliseconds: number | undefined
  onStatement: OnStatement | undefined
  /** True if the server is a pooler in transaction mode, in which each transaction may have another session. */
  isPooled: boolean
}

/**
 * pg's client with a timeout for queries, implemented by the socket's timer. pg's own `query_timeout` wraps the callback of every query; V8
 * then keeps the results alive over many garbage collections, which cost a seventh of the process's time.
 */
export function watchedClient({ silenceMilliseconds, onStatement, isPooled }: Watch): typeof pg.Client {
  return class extends pg.Client {
    #isQuerying = false

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      if (silenceMilliseconds === undefined) return
      this.on('drain', () => (this.#isQuerying = false))
      this.connection.once('readyForQuery', () => {
        const { stream } = this.connection
        if (!(stream instanceof Socket)) return
        // The callback of `setTimeout` is not used, because it is called only once, even if the connection is idle.
        stream.setTimeout(silenceMilliseconds)
        stream.on('timeout', () => this.#isQuerying && stream.destroy(new Error('Query read timeout')))
      })
    }

    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one implementation of pg's overloads, which TypeScript cannot infer
    override query = ((...parameters: unknown[]) => {
      this.#isQuerying = true
      if (isPooled) parameters[0] = unnamed(parameters[0])
      const send = () => Reflect.apply(pg.Client.prototype.query, this, parameters) as unknown
      return onStatement ? observed(onStatement, parameters, send) : send()
    }) as typeof pg.Client.prototype.query

    /** Called by pg when it connects. Poolers maintain these two parameters of a session for each client. */
    getStartupConf(): object {
      const inherited: unknown = Reflect.get(pg.Client.prototype, 'getStartupConf')
      if (typeof inherited !== 'function') throw new TypeError('pg has no function getStartupConf')
      const parameters: object = Reflect.apply(inherited, this, [])
      return isPooled ? { ...parameters, TimeZone: 'UTC', DateStyle: 'ISO' } : parameters
    }
  }
}

/** Removes the name from the configuration of a query, so that it is not prepared. Objects of a class are executed unchanged. */
function unnamed(statement: unknown): unknown {
  const isConfiguration = typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement)
  return isConfiguration ? { ...statement, name: undefined } : statement
}

/** Sends a statement and reports it. The end of a statement that streams its rows is not reported. */
function observed(onStatement: OnStatement, parameters: unknown[], send: () => unknown): unknown {
  const [statement] = parameters
  const onResult = isPrepared(statement)
    ? onStatement(statement.text, statement.name, statement.values)
    : onStatement(getStatementText(statement))
  if (!onResult) return send()
  const callback = parameters.at(-1)
  if (typeof callback === 'function')
    parameters.splice(-1, 1, (error: unknown, ...results: unknown[]) => {
      onResult(error)
      Reflect.apply(callback, undefined, [error, ...results])
    })
  const sent = send()
  if (sent instanceof Promise) void sent.then(() => onResult(), onResult)
  return sent
}

/** Returns true if `executeOn` sends the statement. */
const isPrepared = (statement: unknown): statement is pg.QueryConfig =>
  typeof statement === 'object' && statement !== null && 'types' in statement && statement.types === rowTypes

function getStatementText(statement: unknown): string {
  if (typeof statement === 'string') return statement
  return typeof statement === 'object' && statement !== null && 'text' in statement ? String(statement.text) : ''
}
