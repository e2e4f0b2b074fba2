import type { TokenKind } from '../../prisma/generated/client/enums.ts'
import { includesStaffRole } from './staff/staff-role.ts'
import type { AnyStaffRole } from './staff/staff-role.ts'

/**
 * The part of the product that a scope belongs to. `identity` scopes are OpenID Connect's; personal and team tokens never have them.
 * `directory` scopes are for team tokens: the directory of a team adds and removes members (docs/decisions/scim.md#credential). `staff`
 * scopes are for personal tokens of staff; clients and team tokens never get them (docs/decisions/staff.md#scopes).
 */
export type Product = 'account' | 'flow' | 'identity' | 'directory' | 'staff'

/** The area of a scope. An area has at most one scope that reads and one that changes. */
type AreaRow = { product: 'identity'; area?: undefined } | { product: Exclude<Product, 'identity'>; area: string }

/** The definition of a scope. All lists of scopes are derived from these rows (docs/decisions/permissions.md#scopes). */
type ScopeRow = AreaRow & {
  /** Description for lists of permissions. */
  label: string
  /** True if a user may decline it on the consent page if the client registered it as optional. */
  declinable: boolean
  /** The role of staff that a scope of the product `staff` needs. */
  staffRole?: AnyStaffRole
}

const rows = {
  teams: { product: 'account', area: 'Your teams', label: 'See your teams and their names', declinable: true },
  'acct:team:read': { product: 'account', area: 'Team settings', label: 'See the team’s name, time zone and avatar', declinable: true },
  'acct:team:write': { product: 'account', area: 'Team settings', label: 'Change the team’s name, time zone and avatar', declinable: true },
  'acct:team:apps:read': { product: 'account', area: 'Products', label: 'See the connected products', declinable: true },
  'acct:team:invoices:read': { product: 'account', area: 'Invoices', label: 'See invoices and their lines', declinable: true },
  'acct:team:members:read': {
    product: 'account',
    area: 'Members',
    label: 'See members, their email addresses and roles',
    declinable: true,
  },
  'acct:team:members:write': {
    product: 'account',
    area: 'Members',
    label: 'Change roles and product access, remove members',
    declinable: true,
  },
  'acct:team:invitations:write': {
    product: 'account',
    area: 'Invitations',
    label: 'Send, resend, revoke and answer invitations',
    declinable: true,
  },
  'acct:team:tokens:read': { product: 'account', area: 'Team tokens', label: 'See team tokens, but not their values', declinable: true },
  'acct:team:tokens:write': { product: 'account', area: 'Team tokens', label: 'Rotate and revoke team tokens', declinable: true },
  'acct:team:access:read': {
    product: 'account',
    area: 'Access',
    label: 'See which tokens and connected apps have access',
    declinable: true,
  },
  'acct:team:access:write': {
    product: 'account',
    area: 'Access',
    label: 'Revoke the access of tokens and connected apps',
    declinable: true,
  },
  'acct:team:audit:read': { product: 'account', area: 'Audit log', label: 'See the audit log: who changed what', declinable: true },
  'acct:team:events:read': { product: 'account', area: 'Events', label: 'See what happens in the team, as events', declinable: true },
  'acct:team:webhooks:read': {
    product: 'account',
    area: 'Webhooks',
    label: 'See webhooks and what was delivered to them',
    declinable: true,
  },
  'acct:team:webhooks:write': {
    product: 'account',
    area: 'Webhooks',
    label: 'Change, test and delete webhooks',
    declinable: true,
  },
  'acct:team:scim': {
    product: 'directory',
    area: 'Directory (SCIM)',
    label: 'Add, change and remove members and groups as the directory of the team',
    declinable: false,
  },
  'acct:staff:read': {
    product: 'staff',
    area: 'All teams',
    label: 'See users, teams, clients, tokens and the audit log of all teams',
    declinable: false,
    staffRole: 'reader',
  },
  'acct:staff:write': {
    product: 'staff',
    area: 'All teams',
    label: 'Help users and teams as staff: send emails again, end sessions, review apps, disable and enable',
    declinable: false,
    staffRole: 'support',
  },
  'flow:rules:read': { product: 'flow', area: 'Rules', label: 'See the conditions and actions that rules can use', declinable: true },
  openid: { product: 'identity', label: 'Sign you in', declinable: false },
  profile: { product: 'identity', label: 'See your name', declinable: true },
  email: { product: 'identity', label: 'See your email address', declinable: true },
  offline_access: { product: 'identity', label: 'Keep access when you’re not using it', declinable: true },
} as const satisfies Record<string, ScopeRow>

export type Scope = keyof typeof rows

export const scopes: Readonly<Record<Scope, ScopeRow>> = rows

export const isScope = (name: string): name is Scope => Object.hasOwn(rows, name)

/** Returns true if a scope allows changes. Such scopes are never preselected on the consent page. */
export const allowsChanges = (scope: Scope): boolean => scope.endsWith(':write') || rows[scope].product === 'directory'

const listScopes = (...products: readonly Product[]) =>
  Object.keys(rows)
    .filter(isScope)
    .filter((scope) => products.includes(rows[scope].product))

/** Scopes that a client can be registered for, in the order of the catalogue: all scopes of the authorization server. */
export const oauthScopes = listScopes('account', 'flow', 'identity')

/** Scopes that personal and team tokens, clients and workload identities can have, in the order of the catalogue. */
export const tokenScopes = listScopes('account', 'flow')

/** Scopes that a team token can have. */
export const teamTokenScopes = listScopes('account', 'flow', 'directory')

const staffTokenScopes = listScopes('account', 'flow', 'staff')

/** Returns true if the scope can be in effect for a user with this role of staff, which is null for other users. */
function isOpenTo(scope: Scope, role: AnyStaffRole | null): boolean {
  const { staffRole: least } = scopes[scope]
  return least === undefined || includesStaffRole(role, least)
}

/** Returns the scopes that a personal token of a user can have, whose role of staff is null for most users. */
export const personalTokenScopes = (role: AnyStaffRole | null): readonly Scope[] =>
  staffTokenScopes.filter((scope) => isOpenTo(scope, role))

/** Scopes that a token of any kind can have. */
export const scopesOfAnyKind = listScopes('account', 'flow', 'directory', 'staff')

/** Scopes that a stored token of each kind can have, for any user. */
export const scopesOfKind = { team: teamTokenScopes, personal: staffTokenScopes } as const satisfies Record<TokenKind, readonly Scope[]>

/** Returns the scopes of a credential that are in effect. Staff scopes are not without the role that they need; the token keeps them. */
export const effectiveScopes = (names: readonly string[], role: AnyStaffRole | null): ReadonlySet<Scope> =>
  new Set(names.filter(isScope).filter((scope) => isOpenTo(scope, role)))
