import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import path from 'node:path'
import type pg from 'pg'
import { createStatementNames } from '../../../prisma/connection/database.ts'
import { reservePort } from './port.ts'

/** A TCP proxy in front of a database, with which a test interrupts the connections. */
export interface TcpProxy {
  /** The connection to the database through the proxy. */
  poolConfig: pg.PoolConfig
  /** Closes every connection and refuses new ones. */
  disconnect(): Promise<void>
  /** Keeps connections open and accepts new ones, but forwards no data. */
  stall(): void
  /**
   * Ends the connection of the next COMMIT: before it reaches the database, so that nothing is written, or after it, so that
   * only the response is lost. The connection is closed in order or reset.
   */
  loseCommit(when: 'before' | 'after', how: 'closed' | 'reset'): void
  restore(): Promise<void>
  /** How many times the client has sent data after a response, or at the start of a connection, and so waited for the network. */
  roundTrips(): number
  close(): Promise<void>
}

// The first COMMIT of a connection prepares it as a statement; later ones have only the name of that statement.
const commitTexts = ['COMMIT', createStatementNames()({ sql: 'COMMIT' })]

/** Starts a proxy to the database of `poolConfig`, which names a Unix socket folder or a host, in parts or as a URL. */
export function startTcpProxy(poolConfig: pg.PoolConfig): TcpProxy {
  const { connectionString, ...rest } = poolConfig
  const url = connectionString === undefined ? null : new URL(connectionString)
  const host = url?.searchParams.get('host') ?? (url?.hostname || rest.host || 'localhost')
  const port = Number(url?.port || rest.port || 5432)
  const target = host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port }

  const sockets = new Set<Socket>()
  let isStalled = false
  let lostCommit: Parameters<TcpProxy['loseCommit']> | undefined
  let roundTrips = 0
  const forward = (client: Socket) => {
    const server = connect(target)
    let lose: (() => void) | undefined
    let sender: Socket = server
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (isStalled) return
        if (from === client && sender === server) roundTrips += 1
        sender = from
        if (from === client && lostCommit && commitTexts.some((text) => bytes.includes(text))) {
          const [when, how] = lostCommit
          lostCommit = undefined
          lose = () => void (how === 'reset' ? client.resetAndDestroy() : client.destroy())
          if (when === 'before') return lose()
        }
        if (from !== server || !lose) to.write(bytes)
        // Earlier statements of the same write are answered first. If the connection ended then, COMMIT might not run.
        else if (bytes.includes('COMMIT')) lose()
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  }
  let listener: Server | undefined
  const listen = async () => {
    listener = createServer(forward)
    await reservation.listen(listener)
  }
  const disconnect = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => (listener ? listener.close(resolve) : resolve(undefined)))
    listener = undefined
  }

  const reservation = reservePort()
  void listen()
  const user = url?.username || rest.user || 'postgres'
  const database = url ? decodeURIComponent(url.pathname.slice(1)) : rest.database
  return {
    poolConfig: { ...rest, host: '127.0.0.1', port: reservation.port, user, database, password: url?.password || rest.password },
    disconnect,
    stall: () => void (isStalled = true),
    loseCommit: (...commit) => void (lostCommit = commit),
    async restore() {
      if (isStalled) await disconnect()
      isStalled = false
      lostCommit = undefined
      if (!listener) await listen()
    },
    roundTrips: () => roundTrips,
    close: disconnect,
  }
}
