import type { Application, Role } from '../../prisma/generated/client/enums.ts'
import type { Context } from './context.ts'
import type { Principal, TeamAccess } from './principals.ts'
import { DomainError, forbidden, notFound } from './errors.ts'
import { requirePrincipal } from './team-access/team-access.ts'
import { hasOwnProof, isLimitedSession } from './team-access/session-reach.ts'
import { isRecent } from './team-access/recent-sign-in.ts'
import type { Scope } from './scopes.ts'
import { authorizeStaff, isStaffUser } from './staff/staff-acts.ts'
import { includesStaffRole } from './staff/staff-role.ts'

/** The requirement of an operation (docs/decisions/permissions.md#operations), declared once as an option of its GraphQL field. */
export interface Requirement {
  /** The credential needs one of these scopes. Empty if the authentication method alone decides. */
  scopes: readonly Scope[]
  /** The user needs one of these roles in the team. Absent: any role. */
  roles?: readonly Role[]
  /** A team token needs no scope for this operation. */
  teamTokenNeedsNoScope?: boolean
  /** A personal or team token needs no scope if `input.id` is its own identifier. */
  openToItself?: boolean
  /** The authentication methods that may use the operation. Absent: any. An operator may use every operation. */
  authenticationMethod?: readonly Principal['authenticationMethod'][]
  /** A session needs a recent sign-in, so that the operation is not possible at a screen that was left unlocked. */
  recentSignIn?: boolean
  /**
   * Only a page of the account site may execute this, because it reads or writes the browser's session or counts attempts per client
   * address. All other interfaces are refused, even a session at `/graphql` and the operator.
   */
  browser?: boolean
  /**
   * Only staff may use it, with a credential of their own that has one of the scopes. Every other caller gets `not_found`, whatever is
   * missing, as if it did not exist (docs/decisions/staff.md#reading).
   */
  isStaffOnly?: boolean
  /**
   * Staff with this role may use the mutation, for a reason, besides the callers that the other members allow
   * (docs/decisions/staff.md#acts).
   */
  staffRole?: 'support' | 'admin'
  /** True for every mutation: the schema sets it (`schema/builder/requires-plugin.ts`). */
  mutates?: boolean
  /** The user needs access to this application in at least one team. */
  application?: Application
  /**
   * Staff who read a team through `staff` may use the field without the scopes and the role. The audit log of the team records each read
   * of `content`, but not of `properties`.
   */
  openToStaff?: 'properties' | 'content'
  /** The team in the input is deleted and gives no access, so the resolver checks the caller's rights. */
  isTeamDeleted?: boolean
  /** The caller cannot access the team in the input yet, so the resolver checks the caller's rights. */
  opensTeam?: boolean
  /** The resolver calls `requireOwnProof`, because only it can decide whether the object belongs to a team or to the user's account. */
  checksOwnProof?: boolean
  /** Further scopes that open the field in the payload of a mutation: a caller who may write an object sees the written object. */
  scopesInMutation?: readonly Scope[]
}

/** Returns the requirement of a field, from the extensions in which the plugin stores it. */
export function findRequirement(extensions: Readonly<Record<string, unknown>> | undefined | null): Requirement | undefined {
  const requires = extensions?.requires
  return isRequirement(requires) ? requires : undefined
}
const isRequirement = (value: unknown): value is Requirement => typeof value === 'object' && value !== null && 'scopes' in value

/** The requirement of operations for operators; no scope, role or session is sufficient. */
export const operatorOnly: Requirement = { scopes: [], authenticationMethod: [] }

/** The requirements of operations for operators and staff who support users, or only those who are admins. */
export const supportOnly: Requirement = { ...operatorOnly, staffRole: 'support' }
export const adminOnly: Requirement = { ...operatorOnly, staffRole: 'admin' }

/** The requirement of pages of the account site that only anonymous callers use. */
export const anonymousOnly: Requirement = { scopes: [], authenticationMethod: ['account_site'], browser: true }

/** The requirement of pages of the account site for anonymous and signed-in users: sign-in, and the links of mails. */
export const accountSiteOnly: Requirement = { scopes: [], authenticationMethod: ['account_site', 'session'], browser: true }

/** The requirement of operations on a user's own account at the account site. */
export const sessionOnly: Requirement = { scopes: [], authenticationMethod: ['session'] }

/** The same requirement with a recent sign-in. */
export const recentSession: Requirement = { ...sessionOnly, recentSignIn: true }

/** The requirement of settings and credentials of a team that decide who has access: an owner with a recent sign-in. */
export const recentOwner: Requirement = { ...recentSession, roles: ['owner'] }

/** The requirement of the page on which a signed-in user authenticates again. */
export const confirmationOnly: Requirement = { ...sessionOnly, browser: true }

// A user's own credentials. Grants of clients are excluded: they may be limited to one team, and a user's grants concern all of them.
const ofPerson = ['session', 'personal_token'] as const

/** The requirement to see one's own grants to clients. */
export const seeOwnGrants: Requirement = { scopes: ['acct:team:access:read'], authenticationMethod: ofPerson }

/** The requirement to revoke or reduce one's own grants to clients. */
export const endOwnGrants: Requirement = { scopes: ['acct:team:access:write'], authenticationMethod: ofPerson }

/** The requirement to read data of all teams and users. */
export const staffOnly: Requirement = { scopes: ['acct:staff:read'], authenticationMethod: ofPerson, isStaffOnly: true }

/** The requirement to rotate or revoke a team token, or one's own personal token in a session. */
export const writeTokens: Requirement = { scopes: ['acct:team:tokens:write'], openToItself: true }

/** The requirement to see who can access a team: members' personal tokens and grants to clients. */
export const seeTeamAccess: Requirement = { scopes: ['acct:team:access:read'], roles: ['owner'] }

/** The requirement to see the webhooks of a team and their deliveries. */
export const readWebhooks: Requirement = { scopes: ['acct:team:webhooks:read'], roles: ['owner'] }

/** The requirement to see how the members of a team sign in: its identity providers, domains, group roles and the required sign-in. */
export const seeSignInSettings: Requirement = { scopes: ['acct:team:read'], roles: ['owner'] }

/** The requirement to revoke the access of another user's credential to a team. */
export const revokeTeamAccess: Requirement = { scopes: ['acct:team:access:write'], roles: ['owner'] }

/**
 * Throws unless the caller meets the requirement: authentication method, scope, own proof, role, then recent sign-in. Team access was
 * checked before (docs/decisions/errors.md#order-of-refusal).
 */
export function authorize(context: Context, requirement: Requirement, teamAccess: TeamAccess | null): void {
  const principal = requirePrincipal(context)
  if (requirement.browser && !context.browser) throw forbidden('session_required')
  if (principal.kind === 'operator') return
  const { staffRole } = requirement
  // A mutation of staff gives no other right.
  if (principal.kind === 'staff' && !(staffRole && includesStaffRole(principal.staffRole, staffRole))) throw forbidden('role_required')
  if (principal.kind === 'staff') return
  if (principal.kind === 'user' && principal.isInSupportSession && !isReadableInSupport(requirement)) throw forbidden('role_required')
  if (requirement.isStaffOnly && !isStaffCredential(principal, requirement)) throw notFound()
  if (staffRole && isOperatorOnly(requirement) && isStaffUser(principal)) return authorizeStaff(principal, staffRole, context.now())
  if (!mayAuthenticateWith(principal, requirement)) throw forbidden(isOperatorOnly(requirement) ? 'operator_only' : 'session_required')
  if (!hasScope(principal, requirement)) throw forbidden('insufficient_scope', { scopes: requirement.scopes })
  if (!teamAccess && concernsAccount(requirement) && isLimitedSession(principal)) throw forbidden('own_proof_required')
  if (teamAccess && requirement.roles && !requirement.roles.includes(teamAccess.role)) throw forbidden('role_required')
  if (requirement.recentSignIn && !isRecent(principal, context.now())) throw forbidden('recent_sign_in_required')
}

/**
 * Returns true if staff may read it in a support session: no mutation, nothing with which a user would change something, such as the secret of
 * a new authenticator app, and nothing about the browser, which is not that of the user.
 */
export const isReadableInSupport = ({ mutates, recentSignIn, browser }: Requirement): boolean => !mutates && !recentSignIn && !browser

/** Returns true if no scope, role or session is sufficient. Staff may still be able to use the operation. */
export const isOperatorOnly = ({ authenticationMethod }: Requirement): boolean => authenticationMethod?.length === 0

/**
 * Returns true if the operation concerns the account of the user: only the user's own credentials can use it, and no team is involved. It
 * is refused to a session that only providers of teams vouch for, except on pages that lead to a sign-in.
 */
export const concernsAccount = ({ authenticationMethod, roles, browser, checksOwnProof }: Requirement): boolean =>
  authenticationMethod?.includes('session') === true && !roles && !browser && !checksOwnProof

/** Returns the identifier of the caller, if it is a personal or team token; otherwise null. */
export const ownTokenId = (principal: Principal): string | null =>
  principal.authenticationMethod === 'personal_token' || principal.authenticationMethod === 'team_token' ? principal.credentialId : null

/** Returns true if a credential of this kind may use the operation. */
export function mayAuthenticateWith(principal: Principal, { authenticationMethod }: Requirement): boolean {
  if (!authenticationMethod || principal.kind === 'operator') return true
  // A token that is limited to teams cannot use operations on the whole account.
  const isLimited = principal.kind === 'user' && principal.isLimitedToTeams === true
  return authenticationMethod.includes(principal.authenticationMethod) && !isLimited
}

/** Returns true for a credential of a staff user that has one of the scopes and is not limited to some teams. */
export const isStaffCredential = (principal: Principal, requirement: Requirement): boolean =>
  principal.kind === 'user' &&
  principal.staffRole !== null &&
  hasOwnProof(principal) &&
  principal.isLimitedToTeams !== true &&
  (requirement.authenticationMethod?.includes(principal.authenticationMethod) ?? true) &&
  hasScope(principal, requirement)

/**
 * Returns true if the caller meets the requirement, to show or hide parts of pages. A recent sign-in is not checked here: it is requested
 * when the operation runs.
 */
export const isAuthorized = (context: Context, requirement: Requirement, teamAccess: TeamAccess | null): boolean =>
  findRefusal(context, { ...requirement, recentSignIn: false }, teamAccess) === null

/** Returns the error by which the caller would be refused; null if the caller meets the requirement. */
export function findRefusal(context: Context, requirement: Requirement, teamAccess: TeamAccess | null): DomainError | null {
  try {
    authorize(context, requirement, teamAccess)
    return null
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

export function hasScope(principal: Principal, { scopes, teamTokenNeedsNoScope }: Requirement): boolean {
  if (principal.kind === 'operator') return true
  if (teamTokenNeedsNoScope && principal.kind === 'team') return true
  return scopes.length === 0 || scopes.some((scope) => principal.scopes.has(scope))
}
