import type { Context } from '../core/context.ts'
import type { TeamAccess } from '../core/principals.ts'
import type { ErrorCode } from '../core/errors.ts'
import { concernsAccount, findRefusal, hasScope, isOperatorOnly, isStaffCredential, mayAuthenticateWith } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { isScope } from '../core/scopes.ts'
import { hasApplication } from '../core/team-access/application-access.ts'
import { isLimitedSession } from '../core/team-access/session-reach.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { isRecent } from '../core/team-access/recent-sign-in.ts'
import { isStaffUser } from '../core/staff/staff-acts.ts'

/** Reasons why a caller may not use a field, by the code of the error that it returns. */
export const reasons = {
  team_forbidden: 'The credential cannot access the team, or there is no such team.',
  two_factor_required: 'The team, or an act of staff, requires two-factor authentication, which the user has not turned on.',
  sign_in_required: 'The team requires sign-in through its identity provider, which the user or the session lacks.',
  not_found: 'The field does not exist for the caller: it is for staff.',
  session_required: 'Only a session of the account site, or in some cases a personal access token, can do this.',
  operator_only: 'Only an operator of the service can do this.',
  insufficient_scope: 'The credential has none of the scopes.',
  role_required: 'The user has none of the roles in the team, or no access to the product.',
  recent_sign_in_required: 'The user must sign in again, with two-factor authentication if that is on.',
  own_proof_required:
    'The user signed in through the identity provider of a team, which is not enough for the account and other teams: the password or a passkey is needed.',
} satisfies { [Code in ErrorCode]?: string }
export type Reason = keyof typeof reasons
export const isReason = (code: string): code is Reason => Object.hasOwn(reasons, code)

export const checkKinds = {
  team: 'The credential can access the team.',
  staff: 'The user is staff and uses their own credential, which has one of the scopes and is not limited to selected teams.',
  credential: 'The kind of the credential can be used. A token that is limited to selected teams cannot be used for the account.',
  scope: 'The credential has one of the scopes.',
  role: 'The user has one of the roles in the team.',
  own_proof: 'The user has proved the account in the session, and not only signed in through the identity provider of a team.',
  recent_sign_in:
    'The user signed in within the last 15 minutes, with two-factor authentication if that is on. Always met for other credentials than sessions.',
  application: 'The user can use the product in at least one team.',
} as const

export interface Check {
  kind: keyof typeof checkKinds
  /** The values of which the requirement needs one, and those that the caller has, under their names in GraphQL. */
  needed: readonly string[]
  present: readonly string[]
  /** The reason why the check fails, or null. */
  reason: Reason | null
}

/** The team of a field, as the caller sees it. */
export type TeamOfField = { slug: string } & ({ access: TeamAccess } | { reason: Reason })

const capitals = (values: readonly string[]) => values.map((value) => value.toUpperCase())

/** Returns every check of a requirement, in the order of `authorize`. Role and application of an inaccessible team are unknown. */
export async function runChecks(context: Context, requirement: Requirement, team: TeamOfField | null): Promise<Check[]> {
  const principal = requirePrincipal(context)
  const { scopes, roles, authenticationMethod: methods, application } = requirement
  const checks: Check[] = []
  const add = (kind: Check['kind'], isMet: boolean, reason: Reason, needed: readonly string[] = [], present: readonly string[] = []) =>
    checks.push({ kind, needed, present, reason: isMet ? null : reason })
  const access = team && 'access' in team ? team.access : null
  if (team) add('team', access !== null, 'reason' in team ? team.reason : 'team_forbidden', [team.slug], access ? [team.slug] : [])
  const held = principal.kind === 'operator' ? [] : [...principal.scopes].filter(isScope)
  if (requirement.isStaffOnly) {
    add('staff', isStaffCredential(principal, requirement), 'not_found')
    return checks
  }
  if (requirement.staffRole && isOperatorOnly(requirement) && isStaffUser(principal)) {
    const refusal = findRefusal(context, requirement, null)
    add('staff', refusal === null, refusal && isReason(refusal.code) ? refusal.code : 'role_required', ['acct:staff:write'], held)
    return checks
  }
  if (methods || requirement.browser) {
    const isMet = mayAuthenticateWith(principal, requirement) && !(requirement.browser && !context.browser)
    add('credential', isMet, methods?.length === 0 ? 'operator_only' : 'session_required', capitals(methods ?? []), [
      principal.authenticationMethod.toUpperCase(),
    ])
  }
  if (scopes.length > 0) add('scope', hasScope(principal, requirement), 'insufficient_scope', scopes, held)
  if (!access && concernsAccount(requirement)) add('own_proof', !isLimitedSession(principal), 'own_proof_required')
  if (roles && access) add('role', roles.includes(access.role), 'role_required', capitals(roles), capitals([access.role]))
  if (requirement.recentSignIn) add('recent_sign_in', isRecent(principal, context.now()), 'recent_sign_in_required')
  if (application) {
    const isMet = await hasApplication(context, application)
    add('application', isMet, 'role_required', capitals([application]), isMet ? capitals([application]) : [])
  }
  return checks
}
