import { z } from 'zod'
import { isOneLine, text } from '../core/validation.ts'

/** A claim that an ID token must have with this value. */
export interface Condition {
  claim: string
  value: string
}

/** The conditions of an identity, in the form of the database. */
export const storedConditions = z.array(z.object({ claim: z.string(), value: z.string() }))

/** Minimum number of conditions of an identity: with only one, too many jobs of a provider would meet it. */
const minConditions = 2
const maxConditions = 10

/** The claims that are checked in every ID token. A condition cannot replace these checks. */
const registeredClaims = new Set(['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'])

/** Matches names whose last word is `id` or `uuid`, such as `repository_id` or `workspaceUuid`. Providers never reuse such an id. */
const immutableId = /^oid$|(?:^|[_/.:-])u?u?id$|[a-z](?:Id|ID|Uuid|UUID)$/
const identifies = ({ claim }: Condition) => claim === 'sub' || immutableId.test(claim)

/** Returns true for white space or an invisible character at the start or end, which copied text may have. */
const hasBlankEnd = (value: string) => /^[\s\p{Cf}]|[\s\p{Cf}]$/u.test(value)

const line = text
  .min(1)
  .max(255)
  .refine(isOneLine, 'The :attribute field must not contain line breaks or control characters.')
  .refine((value) => !hasBlankEnd(value), 'The :attribute field must not begin or end with a blank, since claims are compared exactly.')
  .refine((value) => !value.includes('*'), 'The :attribute field must not have a wildcard, since claims are compared exactly.')
const claim = line.refine(
  (name) => !registeredClaims.has(name),
  'The :attribute field must not be iss, aud, exp, nbf, iat or jti, which are checked in every token.',
)

const isUnique = (conditions: readonly Condition[]) => new Set(conditions.map((each) => each.claim)).size === conditions.length

/** The rule for the conditions of an identity. Claims are compared exactly, so values that no ID token has are refused, not corrected. */
export const conditionRules = z
  .array(z.object({ claim, value: line }))
  .min(minConditions)
  .max(maxConditions)
  .refine(isUnique, 'The :attribute field must not have a claim twice.')
  .refine(
    (conditions) => conditions.some(identifies),
    'The :attribute field must have the claim sub or an identifier that never changes, such as repository_id.',
  )

/** Returns a claim for comparison with conditions; null for a value that none can equal, such as a list or an inexact number. */
export function toComparable(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : null
}

/** Returns the first condition that the claims of an ID token do not meet, or null. */
export const unmetCondition = (conditions: readonly Condition[], claims: Readonly<Record<string, unknown>>): Condition | null =>
  conditions.find(({ claim: name, value }) => !Object.hasOwn(claims, name) || toComparable(claims[name]) !== value) ?? null
