import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import path from 'node:path'
import type pg from 'pg'

/** A wire to a database that can be cut, left dangling, and mended. */
export interface Wire {
  /** The database's connection, through the wire. */
  poolConfig: pg.PoolConfig
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>
  /** Keeps connections open and takes new ones, but nothing passes any more. */
  dangle(): void
  mend(): Promise<void>
  close(): Promise<void>
}

/** Lays a wire to where `poolConfig` leads: a Unix socket's folder or a host, by its parts or as a URL. */
export async function layWire(poolConfig: pg.PoolConfig): Promise<Wire> {
  const { connectionString, ...rest } = poolConfig
  const url = connectionString === undefined ? null : new URL(connectionString)
  const host = url?.searchParams.get('host') ?? (url?.hostname || rest.host || 'localhost')
  const port = Number(url?.port || rest.port || 5432)
  const target = host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port }

  const sockets = new Set<Socket>()
  let isDangling = false
  const take = (client: Socket) => {
    const server = connect(target)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => isDangling || to.write(bytes))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  }
  let listener: Server | undefined
  const listen = (at: number) =>
    new Promise<number>((resolve) => {
      listener = createServer(take).listen(at, '127.0.0.1', function (this: Server) {
        resolve((this.address() as AddressInfo).port)
      })
    })
  const cut = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => (listener ? listener.close(resolve) : resolve(undefined)))
    listener = undefined
  }

  const own = await listen(0)
  const user = url?.username || rest.user || 'postgres'
  const database = url ? decodeURIComponent(url.pathname.slice(1)) : rest.database
  return {
    poolConfig: { ...rest, host: '127.0.0.1', port: own, user, database, password: url?.password || rest.password },
    cut,
    dangle: () => void (isDangling = true),
    async mend() {
      if (isDangling) await cut()
      isDangling = false
      if (!listener) await listen(own)
    },
    close: cut,
  }
}
