import { secretDeriver, readSecretKey } from '../../config/secret-key.ts'
import { decryptPrivateJwk } from '../../../schema/oauth/signing-keys/signing-key-pair.ts'
import { getErrorMessage } from '../../config/error-message.ts'
import type { Check, CheckProblem } from './check.ts'

const maxAgeDays = 366

interface StoredKey {
  kid: string
  algorithm: string
  encryptedPrivateJwk: Uint8Array<ArrayBuffer>
  ageDays: number
}

/** A database without keys passes, because the first start of the service creates them. */
export const signingKeysCheck: Check = {
  name: 'keys',
  description: `SECRET_KEY decrypts the signing keys, and they are at most ${maxAgeDays} days old`,
  needsMigrations: true,
  async run({ config, session }) {
    const { rows } = await session.query<StoredKey>(
      `SELECT kid, algorithm, encrypted_private_jwk AS "encryptedPrivateJwk", extract(day FROM now() - signs_from)::int AS "ageDays"
       FROM signing_keys WHERE retired_at IS NULL ORDER BY algorithm, signs_from`,
    )
    if (rows.length === 0) return []
    const secretKey = config.secretKey ?? readSecretKey(config.dataDir)
    if (secretKey === undefined)
      return [{ problem: 'there is no SECRET_KEY', action: 'set SECRET_KEY, or restore the file secret-key of the data folder' }]
    const deriveSecret = secretDeriver(secretKey, config.secretKeyPrevious)
    return rows.flatMap((key): CheckProblem[] => {
      try {
        decryptPrivateJwk(key, { deriveSecret })
      } catch (error) {
        return [{ problem: getErrorMessage(error), action: 'set the SECRET_KEY of the service, or its SECRET_KEY_PREVIOUS' }]
      }
      if (key.ageDays <= maxAgeDays) return []
      return [{ problem: `the ${key.algorithm} key ${key.kid} is ${key.ageDays} days old`, action: 'run keys rotate' }]
    })
  },
}
