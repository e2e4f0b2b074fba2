import { decodeJwt, decodeProtectedHeader, errors } from 'jose'
import { clockToleranceSeconds, findRefusedParameter, verifySignature } from '../../oauth/issuers.ts'
import { assertionAlgorithms } from '../../oauth/public-keys.ts'
import { toComparable, unmetCondition } from '../conditions.ts'
import type { Condition } from '../conditions.ts'
import { findPreset } from '../presets.ts'
import type { Preset } from '../presets.ts'
import { IssuerError } from './issuer-keys.ts'
import type { IssuerKeys } from './issuer-keys.ts'

/** An assertion is not accepted. The message contains the claim, but not the value that it should have. */
export class RefusedAssertion extends Error {
  readonly claim: string | null
  /** The expected and the actual value of the claim, for the owners of the identity. */
  readonly expected: string | null
  readonly actual: string | null

  constructor(message: string, { claim = null, expected = null, actual = null }: Partial<Omit<RefusedAssertion, keyof Error>> = {}) {
    super(message)
    this.claim = claim
    this.expected = expected
    this.actual = actual
  }
}

/** The requirements of an identity for an ID token. */
export interface Demands {
  issuer: string
  conditions: readonly Condition[]
}

/** Maximum characters of an assertion. GitHub's have about 2,000. */
const maxLength = 16_384
/** Seconds for which an assertion may remain valid, by default at most. */
const hour = 3600

type Claims = Readonly<Record<string, unknown>>

/** An accepted assertion. Callers must accept each issuer and `jti` only once. */
export interface VerifiedAssertion {
  jti: string
  /** Expiry in seconds since 1970. */
  exp: number
}

/**
 * Verifies the ID token that a job sends as an assertion (RFC 7523 §3): signature, issuer, audience, times, and the conditions of the
 * identity. Throws a `RefusedAssertion`. Does not check for an earlier use of the assertion.
 */
export async function verifyAssertion(
  assertion: string,
  demands: Demands,
  { audience, keys, now, maxSeconds = hour }: { audience: string; keys: IssuerKeys; now: Date; maxSeconds?: number },
): Promise<VerifiedAssertion> {
  const { kid, iss } = readUnverified(assertion)
  // The issuer is checked first, so that keys are requested only from the issuer of the identity.
  if (iss !== demands.issuer) throw differs('iss', demands.issuer, iss)
  const claims = await readClaims(assertion, demands.issuer, kid, keys)
  if (![claims['aud']].flat().includes(audience)) throw differs('aud', audience, claims['aud'])
  const times = checkTimes(claims, now.getTime() / 1000, maxSeconds)
  const { jti } = claims
  if (typeof jti !== 'string' || jti === '') throw new RefusedAssertion('the assertion has no claim jti', { claim: 'jti' })
  const preset = findPreset(demands.issuer, demands.conditions)
  if (preset) refuseForks(claims, preset)
  const unmet = unmetCondition(demands.conditions, claims)
  if (unmet) throw differs(unmet.claim, unmet.value, Object.hasOwn(claims, unmet.claim) ? claims[unmet.claim] : undefined)
  return { jti, exp: times.exp }
}

/** Throws for the token of a job that can run the code of a fork, and for one without the event that started the job. */
function refuseForks(claims: Claims, { eventClaim, forkClaims }: Preset): void {
  const event = claims[eventClaim]
  if (typeof event !== 'string' || event === '')
    throw new RefusedAssertion(`the claim ${eventClaim} is missing`, { claim: eventClaim, expected: 'the event that started the job' })
  for (const [claim, pattern] of Object.entries(forkClaims)) {
    const value = toComparable(claims[claim])
    if (value !== null && pattern.test(value))
      throw new RefusedAssertion(`the claim ${claim} has a value that is never accepted`, {
        claim,
        expected: 'another value',
        actual: value,
      })
  }
}

function differs(claim: string, expected: string, actual: unknown): RefusedAssertion {
  const text = actual === undefined ? 'none' : typeof actual === 'string' ? actual : JSON.stringify(actual)
  return new RefusedAssertion(`the claim ${claim} does not have the expected value`, { claim, expected, actual: text })
}

function readUnverified(assertion: string): { kid: string | undefined; iss: unknown } {
  if (assertion.length > maxLength) throw new RefusedAssertion(`the assertion is longer than ${maxLength} characters`)
  try {
    const header: Record<string, unknown> = { ...decodeProtectedHeader(assertion) }
    const { alg, kid } = header
    if (!assertionAlgorithms.some((each) => each === alg))
      throw new RefusedAssertion(`the assertion must be signed with ${assertionAlgorithms.join(', ')}`)
    if (kid !== undefined && typeof kid !== 'string')
      throw new RefusedAssertion('the header parameter kid of the assertion is not a string')
    const parameter = findRefusedParameter(header)
    if (parameter !== null) throw new RefusedAssertion(`the assertion must not have the header parameter ${parameter}`)
    return { kid, iss: decodeJwt(assertion).iss }
  } catch (error) {
    if (error instanceof RefusedAssertion) throw error
    throw new RefusedAssertion('the assertion is not a signed JWT')
  }
}

async function readClaims(assertion: string, issuer: string, kid: string | undefined, keys: IssuerKeys): Promise<Claims> {
  const keySet = await keys.find(issuer, kid).catch((error: unknown) => {
    throw error instanceof IssuerError ? new RefusedAssertion(`the keys of the issuer are unknown. ${error.message}`) : error
  })
  try {
    await verifySignature(assertion, keySet)
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) throw new RefusedAssertion('the issuer has no such key as the assertion is signed with')
    if (error instanceof errors.JWKSMultipleMatchingKeys)
      throw new RefusedAssertion('the assertion does not say with which key it is signed')
    // A malformed key of the issuer throws errors of many kinds. They can only be caused by the assertion and the keys.
    throw new RefusedAssertion('the signature of the assertion is not valid')
  }
  return decodeJwt(assertion)
}

/** Checks the times of an assertion, all of which are in seconds (RFC 7519 §2, NumericDate). */
function checkTimes(claims: Claims, now: number, maxSeconds: number): { exp: number } {
  const read = (claim: string): number => {
    const value = claims[claim]
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw new RefusedAssertion(`the claim ${claim} ${value === undefined ? 'is missing' : 'is not a time in seconds'}`, { claim })
  }
  const refuse = (claim: string, what: string, value: number) => {
    throw new RefusedAssertion(`the claim ${claim} ${what}`, { claim, actual: String(value), expected: `now is ${Math.floor(now)}` })
  }
  const exp = read('exp')
  const iat = read('iat')
  if (exp <= now - clockToleranceSeconds) refuse('exp', 'is in the past', exp)
  if (exp > now + maxSeconds + clockToleranceSeconds)
    refuse('exp', `is more than ${maxSeconds === hour ? 'an hour' : `${maxSeconds / 60} minutes`} ahead`, exp)
  if (iat > now + clockToleranceSeconds) refuse('iat', 'is in the future', iat)
  if (claims['nbf'] !== undefined && read('nbf') > now + clockToleranceSeconds) refuse('nbf', 'is in the future', read('nbf'))
  return { exp }
}
