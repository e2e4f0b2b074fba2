import { errors } from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { RefusedAssertion } from '../../../schema/workload-identities/assertions/verify.ts'
import type { MachineProvider } from '../provider/token-internals.ts'
import { getRequestContext } from '../request-context.ts'
import { jwtBearerGrant } from '../storage/identity.ts'
import type { Identity } from '../storage/identity.ts'
import type { AssertionCheck } from './assertion-check.ts'
import { chooseMachineScopes } from './machine-token.ts'

/**
 * Adds the grant by which a workload identity gets an access token for an ID token of its issuer (RFC 7523 §2.1,
 * docs/decisions/workload-identities.md#tokens).
 */
export function addJwtBearerGrant(provider: MachineProvider, { verify, useOnce }: AssertionCheck): void {
  async function handle(ctx: KoaContextWithOIDC): Promise<void> {
    const identity = getRequestContext(ctx).tokenRequest?.identity
    const assertion = ctx.oidc.params?.['assertion']
    if (typeof assertion !== 'string' || assertion === '') throw new errors.InvalidRequest("missing required parameter 'assertion'")
    // For this grant, the client adapter finds an identity and no client.
    if (!identity) throw new errors.InvalidClient('client not found')
    chooseScope(ctx, identity)
    const verified = await verify(assertion, identity).catch(refuse)
    await provider.issueMachineToken(ctx)
    // The assertion is consumed last, so that a refused request does not use it up. The token is stored when the request has succeeded.
    if (!(await useOnce(identity, verified))) throw invalidGrant('the assertion was used before: its claim jti is not new')
  }
  provider.registerGrantType(jwtBearerGrant, handle, ['assertion', 'scope', 'resource'], ['resource'])
}

/** The error has a description, which oidc-provider's `InvalidGrant` does not send. A job has only the response to find its mistake. */
const invalidGrant = (description: string) => new errors.CustomOIDCProviderError('invalid_grant', description)

function refuse(error: unknown): never {
  throw error instanceof RefusedAssertion ? invalidGrant(error.message) : error
}

function chooseScope({ oidc: { params } }: KoaContextWithOIDC, identity: Identity): void {
  const scope = params?.['scope']
  const { scopes, refused } = chooseMachineScopes(identity.scopes, typeof scope === 'string' ? scope : undefined)
  if (refused) throw new errors.InvalidScope('the workload identity does not have this scope', refused)
  if (scopes.length === 0)
    throw new errors.CustomOIDCProviderError('invalid_scope', 'no scope is requested that the workload identity can have')
  if (params) params['scope'] = scopes.join(' ')
}
