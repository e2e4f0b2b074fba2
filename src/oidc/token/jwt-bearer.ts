import { errors } from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Ports } from '../../../schema/core/context.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import type { IssuerKeys } from '../../../schema/workload-identities/assertions/issuer-keys.ts'
import { RefusedAssertion, skewSeconds, verifyAssertion } from '../../../schema/workload-identities/assertions/verify.ts'
import type { VerifiedAssertion } from '../../../schema/workload-identities/assertions/verify.ts'
import type { MachineProvider } from '../provider/grant-internals.ts'
import { requestOf } from '../request-context.ts'
import { jwtBearerGrant } from '../storage/identity.ts'
import type { Identity } from '../storage/identity.ts'
import { insertOnce, valuesOf } from '../storage/model-queries.ts'

interface JwtBearerPorts extends Pick<Ports, 'database' | 'now'> {
  /** The issuer: AUTH_URL, the audience of assertions. */
  authUrl: string
  issuerKeys: IssuerKeys
}

/**
 * Adds the grant by which a workload identity gets an access token for an ID token of its issuer (RFC 7523 §2.1,
 * docs/decisions/workload-identities.md#tokens).
 */
export function addJwtBearerGrant(provider: MachineProvider, { authUrl, database, now, issuerKeys }: JwtBearerPorts): void {
  async function handle(ctx: KoaContextWithOIDC): Promise<void> {
    const identity = requestOf(ctx).tokenRequest?.identity
    const assertion = ctx.oidc.params?.['assertion']
    if (typeof assertion !== 'string' || assertion === '') throw new errors.InvalidRequest("missing required parameter 'assertion'")
    // The client adapter finds an identity for this grant, and no client.
    if (!identity) throw new errors.InvalidClient('client not found')
    chooseScope(ctx, identity)
    const verified = await verify(assertion, identity)
    await provider.issueMachineToken(ctx)
    // Last, so that a refused request does not use the assertion up. The token is stored when the request has succeeded.
    await useOnce(identity.issuer, verified)
  }

  async function verify(assertion: string, identity: Identity): Promise<VerifiedAssertion> {
    try {
      return await verifyAssertion(assertion, identity, { audience: authUrl, keys: issuerKeys, now: now() })
    } catch (error) {
      if (error instanceof RefusedAssertion) throw invalidGrant(error.message)
      throw error
    }
  }

  /** Refuses an assertion that was used before, by whatever process and identity. */
  async function useOnce(issuer: string, { jti, exp }: VerifiedAssertion): Promise<void> {
    const row = {
      idHash: sha256(JSON.stringify([issuer, jti])),
      kind: 'ReplayDetection',
      payload: '{}',
      chainId: null,
      uidHash: null,
      userCodeHash: null,
      expiresAt: new Date((exp + skewSeconds) * 1000),
    }
    const inserted = await insertOnce(database.pool, ...valuesOf(row))
    if (inserted.length === 0) throw invalidGrant('the assertion was used before: its claim jti is not new')
  }

  provider.registerGrantType(jwtBearerGrant, handle, ['assertion', 'scope', 'resource'], ['resource'])
}

/** With a description, which `InvalidGrant` of oidc-provider does not send: a job has only the response to find its mistake. */
const invalidGrant = (description: string) => new errors.CustomOIDCProviderError('invalid_grant', description)

/** Without `scope`, a token has all scopes of the identity (RFC 6749 §3.3). */
function chooseScope({ oidc: { params } }: KoaContextWithOIDC, { scopes }: Identity): void {
  const scope = params?.['scope']
  const other = typeof scope === 'string' && scope.split(' ').find((each) => !scopes.includes(each))
  if (other) throw new errors.InvalidScope('the workload identity does not have this scope', other)
  if (params && scope === undefined) params['scope'] = scopes.join(' ')
}
