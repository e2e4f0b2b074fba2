import { randomBytes } from 'node:crypto'
import type { Ports } from '../../../schema/core/ports.ts'
import { observe } from '../../../schema/core/observation/observation.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { lifetimes } from '../provider/lifetimes.ts'
import { queryUnlessUnavailable } from '../request-context.ts'
import type { RequestContext } from '../request-context.ts'
import { issueMachineToken } from '../token/machine-token.ts'
import type { TokenRequest } from '../token/token-request.ts'
import type { DirectPorts } from './response.ts'

export interface MachinePorts extends DirectPorts, Pick<Ports, 'database' | 'now'> {
  /** Counts the request of a client or workload identity, by its internal key; throws `rate_limited`, which oidc-provider then reports. */
  countTokenRequest(machineId: string): Promise<void>
}

interface MachineGrant {
  grantType: string
  clientId: string
  scopes: readonly string[]
  /** The workload identity; null for a client. */
  identity: TokenRequest['identity']
}

/** Stores a new access token of a machine and returns the response with its value; null if the machine can no longer get one. */
export async function issueToken(
  context: RequestContext,
  { grantType, clientId, scopes, identity }: MachineGrant,
  { database, now }: MachinePorts,
): Promise<object | null> {
  const at = now()
  const access_token = randomBytes(33).toString('base64url')
  const scope = scopes.join(' ')
  const expires_in = lifetimes.machineToken
  const iat = Math.floor(at.getTime() / 1000)
  const token = {
    hash: sha256(access_token).toString('hex'),
    payload: { iat, exp: iat + expires_in, kind: 'ClientCredentials', clientId, scope },
    expires_at: new Date(at.getTime() + expires_in * 1000),
  }
  const body = { access_token, expires_in, scope, token_type: 'Bearer' }
  const issued = await queryUnlessUnavailable(context, () => issueMachineToken(token, identity, body, database))
  if (issued) observe('tokenIssued', { grantType })
  return issued
}

/** Returns true if the form has no scope, or one that oidc-provider would not change. */
export const isUsualScope = (scope: unknown): scope is string | undefined =>
  scope === undefined || (typeof scope === 'string' && /^[\w:]+(?: [\w:]+)*$/.test(scope))
