import type pg from 'pg'

/** The part of a socket's file name that PostgreSQL adds to the folder. No TCP port is opened. */
export const socketPort = 5432

/** Returns a connection through a Unix socket. Every value is set, so that no `PG*` environment variable applies. */
export const socketConnection = (host: string, database: string): pg.ClientConfig => ({
  host,
  port: socketPort,
  user: 'postgres',
  password: '',
  ssl: false,
  database,
  connectionTimeoutMillis: 10_000,
})
