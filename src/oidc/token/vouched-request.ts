import { errors } from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { resourceIdentifiers } from '../../../rest-facade/http/protected-resources.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { readUnverifiedIssuer } from '../../../schema/identity-providers/agents/id-jag.ts'
import type { IdJag } from '../../../schema/identity-providers/agents/id-jag.ts'
import { findVouchingProvider, isVouchingIssuer } from '../../../schema/identity-providers/agents/vouching-provider.ts'
import type { AgentProvider } from '../../../schema/identity-providers/agents/vouching-provider.ts'
import type { MachineProvider } from '../provider/token-internals.ts'
import { expressResponse, getRequestContext } from '../request-context.ts'
import type { AssertionCheck } from './assertion-check.ts'
import type { TokenRequest } from './token-request.ts'
import { issueVouchedToken } from './vouched-token.ts'
import type { VouchedTokenPorts } from './vouched-token.ts'

export interface VouchingPorts extends VouchedTokenPorts {
  authUrl: string
  /** Checks the assertions of workload identities and identity providers. */
  assertions: AssertionCheck
}

/** The error has a description, which oidc-provider's `InvalidGrant` does not send. A client has only the response to find its mistake. */
export const invalidGrant = (description: string) => new errors.CustomOIDCProviderError('invalid_grant', description)
const invalidScope = (description: string) => new errors.CustomOIDCProviderError('invalid_scope', description)

/** Returns true if the token of a request acts for a user, because the identity provider of a team gives the access. */
export const isForVouched = (ctx: KoaContextWithOIDC): boolean => getRequestContext(ctx).tokenRequest?.vouched != null

/**
 * Responds to a client with an assertion (ID-JAG) of the identity provider of a team (docs/decisions/agent-assertions.md). The handler of
 * client credentials issues the token, and so has the same resources (RFC 8707) and proofs (RFC 9449). Throws a `RefusedAssertion`.
 */
export async function issueForVouched(
  ctx: KoaContextWithOIDC,
  tokenRequest: TokenRequest,
  assertion: string,
  provider: MachineProvider,
  ports: VouchingPorts,
): Promise<void> {
  const { client, params } = ctx.oidc
  if (!client || !params || tokenRequest.machineId === null) throw new errors.InvalidClient('client not found')
  const { clientId } = client
  const idJag = await verify(assertion, clientId, ports)
  chooseResource(params, idJag, resourceIdentifiers(ports.authUrl))
  const { requestId } = expressResponse(ctx).locals
  const vouching = await findProvider(idJag, clientId, ports)
  const { id, teamId, teamName, agentScopes, name } = vouching.team
  const scopes = chooseScopes(params['scope'], [idJag.scopes, agentScopes, client.scope?.split(' ') ?? []])
  params['scope'] = scopes.join(' ')
  const linkedId = await ports.assertions.findVouchedMember(vouching, idJag.person)
  tokenRequest.vouched = { issued: null }
  await provider.issueMachineToken(ctx)
  const [token] = tokenRequest.newModels
  if (!token) throw new Error('the handler of client credentials issued no token')
  const { jkt } = { jkt: undefined, ...token.payload }
  if (idJag.thumbprint !== null && idJag.thumbprint !== jkt)
    throw invalidGrant('the claim cnf is the thumbprint of a key of which the request has no DPoP proof')
  const access = {
    client: { id: tokenRequest.machineId, clientId, name: client.clientName ?? clientId },
    provider: { id, name, teamId, teamName },
    scopes,
    requestId,
    accept,
  }
  tokenRequest.vouched.issued = await issueVouchedToken(token, access, ports)

  async function accept(transaction: Transaction): Promise<string> {
    // This precedes the link, so that an assertion that is sent again links nothing.
    if (!(await ports.assertions.useOnce(idJag, idJag, transaction)))
      throw invalidGrant('the assertion was used before: its claim jti is not new')
    return linkedId ?? ports.assertions.linkVouchedMember(transaction, vouching, idJag.person, requestId)
  }
}

/** Verifies the assertion. Its issuer is checked first, so that it cannot choose what is fetched. */
async function verify(assertion: string, clientId: string, { database: { pool }, assertions }: VouchingPorts): Promise<IdJag> {
  const issuer = readUnverifiedIssuer(assertion)
  const isNamed = await isVouchingIssuer(pool, issuer, clientId)
  if (isNamed === null) throw invalidGrant('the claim iss is not that of an identity provider that gives access to agents here')
  const idJag = await assertions.verifyIdJag(assertion, { issuer, clientId })
  if (!isNamed)
    throw new errors.CustomOIDCProviderError(
      'unauthorized_client',
      'no owner of a team allowed its identity provider to give this client access',
    )
  return idJag
}

/** Finds the provider with its team. */
async function findProvider(
  { issuer, team, person }: IdJag,
  clientId: string,
  { database: { pool } }: VouchingPorts,
): Promise<AgentProvider> {
  const vouching = await findVouchingProvider(pool, { issuer, clientId, team }, person)
  if (vouching === null)
    throw invalidGrant('no account is linked to the claim sub: the person must sign in through the identity provider first')
  if (vouching === 'many') throw invalidGrant('the claim aud_tenant must be the slug of one of the teams of the person')
  return vouching
}

type Parameters = NonNullable<KoaContextWithOIDC['oidc']['params']>

/** Selects the resource of the token among those of the assertion. Without any, the token is valid for every API. */
function chooseResource(params: Parameters, { resources }: IdJag, own: readonly string[]): void {
  if (resources === null) return
  const allowed = resources.filter((each) => own.includes(each))
  if (allowed.length === 0) throw new errors.InvalidTarget('the claim resource is no resource of this service')
  const requested = [params['resource'] ?? []].flat()
  if (requested.some((each) => !allowed.some((resource) => resource === each)))
    throw new errors.InvalidTarget('the requested resource is not in the claim resource')
  if (requested.length > 0) return
  const [only, ...others] = allowed
  if (others.length > 0) throw new errors.InvalidTarget('the claim resource has several values: request one of them')
  params['resource'] = only
}

/**
 * Selects the scopes of the token: those that all parties allow. A requested scope that one of them does not allow is refused. Scopes that
 * describe a user and unknown ones are ignored, as in requests of machines.
 */
function chooseScopes(requested: unknown, limits: readonly (readonly string[] | null)[]): string[] {
  const allowed = tokenScopes.filter((scope) => limits.every((limit) => limit === null || limit.includes(scope)))
  const selected = typeof requested === 'string' ? tokenScopes.filter((scope) => requested.split(' ').includes(scope)) : allowed
  const refused = selected.find((scope) => !allowed.includes(scope))
  if (refused)
    throw new errors.InvalidScope(
      'the assertion, the owners of the team or the registration of the client do not allow this scope',
      refused,
    )
  if (selected.length === 0)
    throw invalidScope('no scope is requested that the assertion, the owners of the team and the registration of the client allow')
  return selected
}
