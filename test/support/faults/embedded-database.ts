import path from 'node:path'
import type pg from 'pg'
import { embeddedConnection } from '../../../src/database/connection.ts'
import { readPostmasterFile } from '../../../src/database/embedded/postmaster-file.ts'

/** The connection to the database of a service that runs on a data folder. */
export function embeddedDatabase(folder: string): pg.ClientConfig {
  const cluster = readPostmasterFile(path.join(folder, 'database', 'cluster'))
  if (!cluster) throw new Error(`PostgreSQL does not run in ${folder}`)
  return embeddedConnection(cluster.socketFolder, 'team_account_service')
}
