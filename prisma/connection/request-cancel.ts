import pg from 'pg'

/** Connection properties of pg's clients that its types do not declare. */
interface Session {
  host: string
  port: number
  ssl: pg.ClientConfig['ssl']
  processID: number
  secretKey: number
}

/** Functions of pg's connections that its types do not declare. */
interface Canceller {
  connect(port: number | string, host?: string): void
  cancel(processId: number, secretKey: number): void
}

/**
 * Requests, over a separate connection, that PostgreSQL cancel the statement in progress on a connection. PostgreSQL does not respond; the
 * result of the statement shows if it was cancelled. A failure has the same effect as no request.
 */
export function requestCancel(client: pg.PoolClient): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see Session
  const { host, port, ssl, processID, secretKey } = client as unknown as Session
  const connection = new pg.Connection({ ssl })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see Canceller
  const canceller = connection as unknown as Canceller
  connection.on('error', () => connection.stream.destroy())
  connection.on(ssl ? 'sslconnect' : 'connect', () => canceller.cancel(processID, secretKey))
  // With ssl, the first message requests it.
  if (ssl) connection.on('connect', () => connection.stream.write(sslRequest))
  if (host.startsWith('/')) canceller.connect(`${host}/.s.PGSQL.${port}`)
  else canceller.connect(port, host)
}

const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
