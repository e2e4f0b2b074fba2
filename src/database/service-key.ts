import type pg from 'pg'
import { loadSecretKey, readSecretKey } from '../config/secret-key.ts'
import type { Config } from '../config/settings.ts'
import { withSession } from './connection.ts'
import { untilAvailable } from './until-available.ts'

/**
 * Returns SECRET_KEY or the key in the data folder, for a migrated database. Creates a key only if nothing in the database needs another
 * one: no signing keys exist, or SECRET_KEY_PREVIOUS decrypts them. Otherwise throws a one-line error for the operator.
 */
export async function serviceKey(settings: Config, connection: pg.ClientConfig): Promise<string> {
  if (settings.secretKey !== undefined) return settings.secretKey
  // This is read before the file, because another process creates the file first and signing keys afterwards.
  const needsOther = settings.secretKeyPrevious === undefined && (await untilAvailable(() => withSession(connection, hasSigningKeys)))
  if (!needsOther || readSecretKey(settings.dataDir) !== undefined) return loadSecretKey(settings.dataDir)
  throw new Error('there is no SECRET_KEY for this database: set SECRET_KEY, or restore the file secret-key of the data folder')
}

async function hasSigningKeys(session: pg.Client): Promise<boolean> {
  const { rows } = await session.query<{ exists: boolean }>('SELECT EXISTS (SELECT FROM signing_keys) AS exists')
  return rows[0]?.exists === true
}
