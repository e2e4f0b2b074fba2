import { decodeJwt, decodeProtectedHeader } from 'jose'
import { z } from 'zod'
import type { IssuerKeys } from '../../workload-identities/assertions/issuer-keys.ts'
import { ProviderError } from '../protocol.ts'
import type { ProviderAssertion } from '../protocol.ts'
import { readPerson } from '../sign-in/assertion.ts'
import { RefusedAssertion, verifyAssertion } from '../../workload-identities/assertions/verify.ts'

/** The `typ` of an Identity Assertion JWT Authorization Grant (draft-ietf-oauth-identity-assertion-authz-grant). */
const idJagType = 'oauth-id-jag+jwt'

/** Maximum number of seconds for which an assertion may remain valid. */
const maxSeconds = 300

/** A verified assertion. Callers must accept each issuer and `jti` only once. */
export interface IdJag {
  issuer: string
  jti: string
  /** Expiry in seconds since 1970. */
  exp: number
  /** The resources for which the provider gives access; null if it does not limit them. */
  resources: readonly string[] | null
  /** The scopes that the provider gives; null if it does not limit them. */
  scopes: readonly string[] | null
  /** The slug of the team; null if the assertion does not contain it. */
  team: string | null
  /** The thumbprint of the key to which the assertion is bound; null for a bearer assertion. */
  thumbprint: string | null
  /** The statements about the person. */
  person: ProviderAssertion
}

const scopeList = z.string().transform((scope) => scope.split(' ').filter(Boolean))

/** The claims that other assertions do not have. A claim that is null counts as absent. */
const specificClaims = z.object({
  resource: z.union([z.string().transform((resource) => [resource]), z.array(z.string()).max(20)]).nullish(),
  scope: scopeList.nullish(),
  aud_tenant: z.string().nullish(),
  cnf: z.object({ jkt: z.string() }).nullish(),
  // A subject would be unique within its tenant only, and identities are stored without a tenant.
  tenant: z.null().optional(),
})

/** Returns the issuer of an assertion before it is verified, to find its keys. Throws a `RefusedAssertion` if it is no ID-JAG. */
export function readUnverifiedIssuer(assertion: string): string {
  const { typ, iss } = read(assertion)
  // Without this check, an ID token for another purpose would be accepted (RFC 8725 §3.11).
  if (typ !== idJagType) throw new RefusedAssertion(`the header parameter typ of the assertion must be ${idJagType}`)
  if (typeof iss !== 'string') throw new RefusedAssertion('the assertion has no claim iss', { claim: 'iss' })
  return iss
}

function read(assertion: string): { typ: unknown; iss: unknown } {
  try {
    return { typ: decodeProtectedHeader(assertion).typ, iss: decodeJwt(assertion).iss }
  } catch {
    throw new RefusedAssertion('the assertion is not a signed JWT')
  }
}

/**
 * Verifies an assertion for a client: signature, issuer, audience, client and times. Throws a `RefusedAssertion`. Does not check
 * for an earlier use.
 */
export async function verifyIdJag(
  assertion: string,
  { issuer, clientId }: { issuer: string; clientId: string },
  ports: { audience: string; keys: IssuerKeys; now: Date },
): Promise<IdJag> {
  const { jti, exp } = await verifyAssertion(assertion, { issuer, conditions: [] }, { ...ports, maxSeconds })
  const claims: Record<string, unknown> = decodeJwt(assertion)
  const refuse = (claim: string, what = 'does not have the expected value') => new RefusedAssertion(`the claim ${claim} ${what}`, { claim })
  // An assertion for several servers could be sent to another one by each of them.
  if ([claims['aud']].flat().length !== 1) throw refuse('aud')
  if (claims['client_id'] !== clientId) throw refuse('client_id')
  const { data, error } = specificClaims.safeParse(claims)
  if (!data) throw refuse(String(error.issues[0]?.path[0] ?? 'resource'), 'is not valid or not supported')
  const { resource, scope, aud_tenant: team, cnf } = data
  const limits = { resources: resource ?? null, scopes: scope ?? null }
  return { issuer, jti, exp, ...limits, team: team ?? null, thumbprint: cnf?.jkt ?? null, person: readSubject(claims) }
}

function readSubject(claims: Readonly<Record<string, unknown>>): ProviderAssertion {
  try {
    return readPerson(claims, null)
  } catch (error) {
    throw error instanceof ProviderError ? new RefusedAssertion('the claim sub is missing or not valid', { claim: 'sub' }) : error
  }
}
