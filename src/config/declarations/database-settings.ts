import { metadata, integer, postgresUrl } from './setting-types.ts'

/** The settings of the connections to an external PostgreSQL server. */
export const databaseSettings = {
  databaseUrl: postgresUrl.optional().register(metadata, {
    variable: 'DATABASE_URL',
    description: 'URL of a PostgreSQL server, version 15 or newer. Default: an embedded PostgreSQL in the data folder.',
    isSecret: true,
  }),
  databaseDirectUrl: postgresUrl.optional().register(metadata, {
    variable: 'DATABASE_DIRECT_URL',
    description: 'URL of the same database without a connection pooler. Required if DATABASE_URL is that of a pooler, such as PgBouncer.',
    isSecret: true,
  }),
  databaseReplicaUrl: postgresUrl.optional().register(metadata, {
    variable: 'DATABASE_REPLICA_URL',
    description: 'URL of a streaming standby of the database, from which invoices are read.',
    isSecret: true,
  }),
  databasePool: integer(2, 500)
    .prefault('10')
    .register(metadata, { variable: 'DATABASE_POOL', description: 'Size of the connection pool of each process.' }),
}
