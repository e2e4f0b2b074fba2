import { z } from 'zod'
import type { Context } from '../context.ts'
import { forbidden, staffTwoFactorRequired } from '../errors.ts'
import type { Principal, StaffPrincipal, UserPrincipal } from '../principals.ts'
import { LazyTeams } from '../team-access/lazy-teams.ts'
import { isRecent } from '../team-access/recent-sign-in.ts'
import { hasOwnProof } from '../team-access/session-reach.ts'
import { isVisible, parse, text } from '../validation.ts'
import { includesStaffRole } from './staff-role.ts'
import type { AnyStaffRole } from './staff-role.ts'

// What staff change (docs/decisions/staff.md#acts). A mutation with `requires.staffRole` runs with a principal of the kind `staff`, which
// has no rights but that mutation.

/** The member `reason` of the input of a mutation that is open to staff. */
export const reasonField = {
  description:
    'Why it is done, which the people concerned read: 1 to 500 characters. Required for staff; with it, a user who is staff acts as staff. Optional for operators, ignored for others.',
} as const

const buildReasonRules = (maximum: number) =>
  z.object({
    reason: text.trim().min(1).max(maximum).refine(isVisible, 'The :attribute field must contain a visible character.'),
  })
const staffRules = buildReasonRules(500)
// The reason of a rejected app can be longer (`rejectClient`).
const operatorRules = buildReasonRules(1000)

/** Returns true if the caller is a user with a role of staff. Clients that act for such a user are not. */
export const isStaffUser = (principal: Principal): principal is UserPrincipal => principal.kind === 'user' && principal.staffRole !== null

/** Throws unless a user who is staff may act with the credential: role, kind of credential, scope, then the proofs of a session. */
export function authorizeStaff(principal: UserPrincipal, least: AnyStaffRole, now: Date): void {
  if (!includesStaffRole(principal.staffRole, least)) throw forbidden('role_required')
  if (principal.authenticationMethod === 'oauth' || principal.isLimitedToTeams === true) throw forbidden('session_required')
  if (!principal.scopes.has('acct:staff:write')) throw forbidden('insufficient_scope', { scopes: ['acct:staff:write'] })
  requireStaffProofs(principal, now)
}

/** Throws unless a session has what staff need to act or to read a page: an own proof, and a recent sign-in with two factors. */
export function requireStaffProofs(principal: UserPrincipal, now: Date): void {
  if (!hasOwnProof(principal)) throw forbidden('own_proof_required')
  if (!isRecent(principal, now)) throw forbidden('recent_sign_in_required')
  requireTwoFactorOfStaff(principal, now)
}

/**
 * Throws unless a session has proved two factors. An old session may only lack the proof, so a new one is requested. After a recent sign-in,
 * the account has no second factor.
 */
export function requireTwoFactorOfStaff(principal: Principal, now: Date): void {
  if (principal.kind !== 'user' || principal.provedTwoFactor !== false) return
  throw isRecent(principal, now) ? staffTwoFactorRequired() : forbidden('recent_sign_in_required')
}

/**
 * Throws if a session without the proofs for acts of staff would receive the value of a token with these scopes that can act as staff: the
 * token needs no further proof (docs/decisions/staff.md#scopes).
 */
export function authorizeTokenOfStaff({ principal, now }: Context, scopes: readonly string[]): void {
  if (principal?.kind === 'user' && scopes.includes('acct:staff:write')) requireStaffProofs(principal, now())
}

/**
 * Returns the context in which a mutation runs for staff, or for an operator who states a reason; the same context for other callers, whom
 * the usual checks follow. A mutation that users can use, too, is an act of staff only with a reason.
 */
export function startAct(
  context: Context,
  least: AnyStaffRole,
  isOperatorOnly: boolean,
  { input }: { input?: { reason?: unknown } },
): Context {
  const { principal } = context
  const { reason } = input ?? {}
  const isGiven = reason !== undefined && reason !== null
  if (principal?.kind === 'operator' && isGiven) return { ...context, principal: { ...principal, ...parse(operatorRules, { reason }) } }
  if (!principal || !isStaffUser(principal) || !(isOperatorOnly || isGiven)) return context
  authorizeStaff(principal, least, context.now())
  return { ...context, principal: toStaffPrincipal(principal, parse(staffRules, { reason }).reason) }
}

function toStaffPrincipal(principal: UserPrincipal, reason: string): StaffPrincipal {
  const { credentialId, user, staffRole, expiresAt } = principal
  if (principal.authenticationMethod === 'oauth' || staffRole === null) throw new Error('the user cannot act as staff')
  const { authenticationMethod } = principal
  const nothing = { scopes: new Set<never>(), teams: new LazyTeams(null, []) }
  return { kind: 'staff', authenticationMethod, credentialId, user, staffRole, expiresAt, reason, notified: new Set(), ...nothing }
}
