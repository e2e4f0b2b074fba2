import type { Application, Role } from '../../prisma/generated/client/enums.ts'
import type { Context } from './context.ts'
import type { Principal, TeamAccess } from './principals.ts'
import { DomainError, forbidden, notFound } from './errors.ts'
import { accessibleTeams, requirePrincipal } from './team-access/team-access.ts'
import { hasOwnProof, isLimitedSession } from './team-access/session-reach.ts'
import type { Scope } from './scopes.ts'

/** What an operation requires (docs/decisions/permissions.md#operations), declared once as an option of its GraphQL field. */
export interface Requirement {
  /** Any one of these scopes. Empty if the authentication method alone decides. */
  scopes: readonly Scope[]
  /** Any one of these roles in the team. Absent: any role. */
  roles?: readonly Role[]
  /** A team token needs no scope for this operation. */
  teamTokenNeedsNoScope?: boolean
  /** A personal or team token needs no scope if `input.id` is its own identifier. */
  openToItself?: boolean
  /** The authentication methods that may use it at all. Absent: any. An operator always may. */
  authenticationMethod?: readonly Principal['authenticationMethod'][]
  /** A session needs a recent sign-in: the operation must not be possible at a screen that was left unlocked. */
  recentSignIn?: boolean
  /**
   * Only a page of the account site may execute this, because it reads or writes the browser's session or counts attempts
   * per client address. No other interface qualifies, not even a session at `/graphql` or the operator.
   */
  browser?: boolean
  /**
   * Only staff may use it, with a credential of their own that has one of the scopes. To every other caller it does not exist:
   * the refusal is `not_found`, whatever is missing (docs/decisions/permissions.md#staff).
   */
  isStaffOnly?: boolean
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
  /** Only the resolver knows whether the object belongs to a team or to the account of the user: it calls `requireOwnProof`. */
  checksOwnProof?: boolean
  /** Further scopes that open the field in the payload of a mutation: who may write an object sees what was written. */
  scopesInMutation?: readonly Scope[]
}

/** The requirement of a field, from the extensions in which the plugin keeps it. */
export function requirementOf(extensions: Readonly<Record<string, unknown>> | undefined | null): Requirement | undefined {
  const requires = extensions?.requires
  return isRequirement(requires) ? requires : undefined
}
const isRequirement = (value: unknown): value is Requirement => typeof value === 'object' && value !== null && 'scopes' in value

/** For operators only; no scope, role or session is sufficient. */
export const operatorOnly: Requirement = { scopes: [], authenticationMethod: [] }

/** For pages of the account site that only anonymous callers use. */
export const anonymousOnly: Requirement = { scopes: [], authenticationMethod: ['account_site'], browser: true }

/** For pages of the account site, whether or not a user is signed in: sign-in, and the links of mails. */
export const accountSiteOnly: Requirement = { scopes: [], authenticationMethod: ['account_site', 'session'], browser: true }

/** For users signed in at the account site: their own account. */
export const sessionOnly: Requirement = { scopes: [], authenticationMethod: ['session'] }

/** The same with a recent sign-in. */
export const recentSession: Requirement = { ...sessionOnly, recentSignIn: true }

/** For the page on which a signed-in user authenticates again. */
export const confirmationOnly: Requirement = { ...sessionOnly, browser: true }

// A user's own credentials, but not a client's grant: it may be limited to one team, and a user's grants concern all of them.
const ofPerson = ['session', 'personal_token'] as const

/** To see one's own grants to clients. */
export const seeOwnGrants: Requirement = { scopes: ['acct:team:access:read'], authenticationMethod: ofPerson }

/** To revoke or reduce one's own grants to clients. */
export const endOwnGrants: Requirement = { scopes: ['acct:team:access:write'], authenticationMethod: ofPerson }

/** To read what belongs to all teams and users. */
export const staffOnly: Requirement = { scopes: ['acct:staff:read'], authenticationMethod: ofPerson, isStaffOnly: true }

/** To rotate or revoke a team token, or one's own personal token in a session. */
export const writeTokens: Requirement = { scopes: ['acct:team:tokens:write'], openToItself: true }

/** To see who can access a team: members' personal tokens and grants to clients. */
export const seeTeamAccess: Requirement = { scopes: ['acct:team:access:read'], roles: ['owner'] }

/** To see the webhooks of a team and their deliveries. */
export const readWebhooks: Requirement = { scopes: ['acct:team:webhooks:read'], roles: ['owner'] }

/** To see how the members of a team sign in: its identity providers, domains, group roles and the requirement. */
export const seeSignInSettings: Requirement = { scopes: ['acct:team:read'], roles: ['owner'] }

/** To revoke the access of another user's credential to a team. */
export const revokeTeamAccess: Requirement = { scopes: ['acct:team:access:write'], roles: ['owner'] }

/** Time after authentication during which a session counts as recently signed in (docs/decisions/permissions.md#recent-sign-in). */
const recentSignInSeconds = 15 * 60

/**
 * Throws unless the caller meets the requirement: authentication method, scope, own proof, role, then recent sign-in. Team access was
 * checked before (docs/decisions/errors.md#order-of-refusal).
 */
export function authorize(context: Context, requirement: Requirement, teamAccess: TeamAccess | null): void {
  const principal = requirePrincipal(context)
  if (requirement.browser && !context.browser) throw forbidden('session_required')
  if (principal.kind === 'operator') return
  if (requirement.isStaffOnly && !isStaffCredential(principal, requirement)) throw notFound()
  if (!mayAuthenticateWith(principal, requirement))
    throw forbidden(requirement.authenticationMethod?.length === 0 ? 'operator_only' : 'session_required')
  if (!hasScope(principal, requirement)) throw forbidden('insufficient_scope', { scopes: requirement.scopes })
  if (!teamAccess && concernsAccount(requirement) && isLimitedSession(principal)) throw forbidden('own_proof_required')
  if (teamAccess && requirement.roles && !requirement.roles.includes(teamAccess.role)) throw forbidden('role_required')
  if (requirement.recentSignIn && !isRecent(principal, context.now())) throw forbidden('recent_sign_in_required')
}

/**
 * Whether the operation concerns the account of the user: only their own credentials can use it, and no team is involved. A session that only
 * the providers of teams vouch for is not enough then. Pages that lead to a sign-in are open to it.
 */
export const concernsAccount = ({ authenticationMethod, roles, browser, checksOwnProof }: Requirement): boolean =>
  authenticationMethod?.includes('session') === true && !roles && !browser && !checksOwnProof

/** The identifier of the caller, if it is a personal or team token; otherwise null. */
export const ownTokenId = (principal: Principal): string | null =>
  principal.authenticationMethod === 'personal_token' || principal.authenticationMethod === 'team_token' ? principal.credentialId : null

/** Whether the kind of the credential is one that may use the operation. */
export function mayAuthenticateWith(principal: Principal, { authenticationMethod }: Requirement): boolean {
  if (!authenticationMethod || principal.kind === 'operator') return true
  // A token that is limited to teams cannot do what concerns the whole account.
  const isLimited = principal.kind === 'user' && principal.isLimitedToTeams === true
  return authenticationMethod.includes(principal.authenticationMethod) && !isLimited
}

/** Whether the user can use the application in at least one team. */
export async function hasApplication(context: Context, application: Application): Promise<boolean> {
  const principal = requirePrincipal(context)
  if (principal.kind === 'operator') return true
  const teams = await accessibleTeams(context, principal)
  return teams.some(({ allApplications, applications }) => allApplications || applications.includes(application))
}

/** Whether a user who is staff uses a credential of their own, without a limit to some teams, that has one of the scopes. */
export const isStaffCredential = (principal: Principal, requirement: Requirement): boolean =>
  principal.kind === 'user' &&
  principal.isStaff &&
  hasOwnProof(principal) &&
  principal.isLimitedToTeams !== true &&
  (requirement.authenticationMethod?.includes(principal.authenticationMethod) ?? true) &&
  hasScope(principal, requirement)

/**
 * Whether the caller meets the requirement, for what is shown or hidden. A recent sign-in is not checked here: it is requested when
 * the operation runs.
 */
export const isAuthorized = (context: Context, requirement: Requirement, teamAccess: TeamAccess | null): boolean =>
  findRefusal(context, { ...requirement, recentSignIn: false }, teamAccess) === null

/** The error by which the caller would be refused; null if the caller meets the requirement. */
export function findRefusal(context: Context, requirement: Requirement, teamAccess: TeamAccess | null): DomainError | null {
  try {
    authorize(context, requirement, teamAccess)
    return null
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

/** Whether the caller authenticated recently. Only a session can be left unattended; other credentials count as recent. */
export function isRecent(principal: Principal, now: Date): boolean {
  if (principal.kind !== 'user' || principal.authenticationMethod !== 'session') return true
  const { authenticatedAt } = principal
  return authenticatedAt !== null && now.getTime() - authenticatedAt.getTime() <= recentSignInSeconds * 1000
}

export function hasScope(principal: Principal, { scopes, teamTokenNeedsNoScope }: Requirement): boolean {
  if (principal.kind === 'operator') return true
  if (teamTokenNeedsNoScope && principal.kind === 'team') return true
  return scopes.length === 0 || scopes.some((scope) => principal.scopes.has(scope))
}
