/** A part of the product that scopes open; those of `identity` belong to OpenID Connect and no token of ours carries them. */
export type Product = 'account' | 'flow' | 'identity'

/** One row a scope; everything that knows scopes derives from here. */
interface ScopeRow {
  product: Product
  /** What it allows, in people's words, completing "may …". */
  words: string
  /** Whether a person may decline it on the consent page where the client has it as optional. */
  declinable: boolean
}

const rows = {
  teams: { product: 'account', words: 'see your teams and their names', declinable: true },
  'acct:team:read': { product: 'account', words: 'see the team: name, timezone, avatar', declinable: true },
  'acct:team:write': { product: 'account', words: 'change the team’s name, timezone and avatar', declinable: true },
  'acct:team:apps:read': { product: 'account', words: 'see the connected applications', declinable: true },
  'acct:team:invoices:read': { product: 'account', words: 'see invoices and their lines', declinable: true },
  'acct:team:members:read': { product: 'account', words: 'see members, their addresses and roles', declinable: true },
  'acct:team:members:write': { product: 'account', words: 'change roles and application access, remove members', declinable: true },
  'acct:team:invitations:write': { product: 'account', words: 'send, resend, revoke and answer invitations', declinable: true },
  'acct:team:tokens:read': { product: 'account', words: 'see which team tokens exist, never their values', declinable: true },
  'flow:rules:read': { product: 'flow', words: 'see what rules can be made of', declinable: true },
  openid: { product: 'identity', words: 'know who you are', declinable: false },
  profile: { product: 'identity', words: 'see your name', declinable: true },
  email: { product: 'identity', words: 'see your email address', declinable: true },
  offline_access: { product: 'identity', words: 'stay connected while you are away', declinable: true },
} as const satisfies Record<string, ScopeRow>

export type Scope = keyof typeof rows

export const scopes: Readonly<Record<Scope, ScopeRow>> = rows

/** Scopes a personal or team token can carry, in the order of the catalogue. */
export const tokenScopes = (Object.keys(rows) as Scope[]).filter((scope) => rows[scope].product !== 'identity')

export const isScope = (name: string): name is Scope => Object.hasOwn(rows, name)
