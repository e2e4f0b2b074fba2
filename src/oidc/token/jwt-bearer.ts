import { errors } from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { RefusedAssertion } from '../../../schema/workload-identities/assertions/verify.ts'
import type { MachineProvider } from '../provider/token-internals.ts'
import { getRequestContext } from '../request-context.ts'
import { jwtBearerGrant } from '../storage/identity.ts'
import type { Identity } from '../storage/identity.ts'
import { chooseMachineScopes } from './machine-token.ts'
import { invalidGrant, issueForVouched } from './vouched-request.ts'
import type { VouchingPorts } from './vouched-request.ts'

/**
 * Adds the grant by which a workload identity gets an access token for an ID token of its issuer (RFC 7523 §2.1,
 * docs/decisions/workload-identities.md#tokens), and a client for an assertion of the identity provider of a team.
 */
export function addJwtBearerGrant(provider: MachineProvider, ports: VouchingPorts): void {
  const { verify, useOnce } = ports.assertions
  async function handle(ctx: KoaContextWithOIDC): Promise<void> {
    const { tokenRequest } = getRequestContext(ctx)
    const assertion = ctx.oidc.params?.['assertion']
    if (typeof assertion !== 'string' || assertion === '') throw new errors.InvalidRequest("missing required parameter 'assertion'")
    if (!tokenRequest) throw new Error('the grant is used outside of the token endpoint')
    const { identity } = tokenRequest
    if (!identity) return issueForVouched(ctx, tokenRequest, assertion, provider, ports).catch(refuse)
    chooseScope(ctx, identity)
    const verified = await verify(assertion, identity).catch(refuse)
    await provider.issueMachineToken(ctx)
    // The assertion is consumed last, so that a refused request does not use it up. The token is stored when the request has succeeded.
    if (!(await useOnce(identity, verified))) throw invalidGrant('the assertion was used before: its claim jti is not new')
  }
  provider.registerGrantType(jwtBearerGrant, handle, ['assertion', 'scope', 'resource'], ['resource'])
}

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
