import { randomBytes } from 'node:crypto'
import { sha256 } from '../../../schema/core/sha256.ts'
import { lifetimes } from '../provider/lifetimes.ts'

/** A new access token of a machine, as it is stored, and the response with its value. */
export function newMachineToken(clientId: string, scopes: readonly string[], now: Date) {
  const access_token = randomBytes(33).toString('base64url')
  const scope = scopes.join(' ')
  const seconds = lifetimes.machineToken
  const iat = Math.floor(now.getTime() / 1000)
  const token = {
    hash: sha256(access_token).toString('hex'),
    payload: { iat, exp: iat + seconds, kind: 'ClientCredentials', clientId, scope },
    expires_at: new Date(now.getTime() + seconds * 1000),
  }
  return { token, body: { access_token, expires_in: seconds, scope, token_type: 'Bearer' } }
}
