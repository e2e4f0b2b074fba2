import { z } from 'zod'
import type { TokenKind } from '../../prisma/generated/client/enums.ts'
import type { Requirement } from '../core/requires.ts'
import type { Scope } from '../core/scopes.ts'
import { personalTokenScopes, scopesOfAnyKind, teamTokenScopes } from '../core/scopes.ts'
import type { AnyStaffRole } from '../core/staff/staff-role.ts'
import { displayName, refused } from '../core/validation.ts'

/** The requirement to see metadata of a team's tokens. */
export const seeTeamTokens: Requirement = { scopes: ['acct:team:tokens:read'], roles: ['owner'] }

const scopeList = (allowed: readonly Scope[]) =>
  z
    .array(z.enum(allowed))
    .min(1)
    .transform((scopes) => [...new Set(scopes)])

/** The rules of a new team token. */
export const tokenRules = z.object({ name: displayName, scopes: scopeList(teamTokenScopes) })

/** The rule of the scopes of a stored token of either kind, whose own list is `scopesOfKind`. */
export const storedTokenScopes = scopeList(scopesOfAnyKind)

/** Returns the rules of a personal token: the token of a staff user can have the staff scopes of the role. */
export const personalTokenRules = (role: AnyStaffRole | null) => tokenRules.extend({ scopes: scopeList(personalTokenScopes(role)) })

/** Returns the same day a year later: the latest expiry of a personal token that is created at `instant`. */
export function yearAfter(instant: Date): Date {
  const later = new Date(instant)
  later.setUTCFullYear(later.getUTCFullYear() + 1)
  return later
}

/**
 * Returns the rule that an expiry breaks, or null. Personal tokens expire within a year; team tokens do not have to expire
 * (docs/decisions/tokens.md#lifetime).
 */
export function brokenExpiryRule(kind: TokenKind, expiresAt: Date | null, now: Date): string | null {
  if (kind === 'team') return null
  if (!expiresAt) return 'is required'
  return expiresAt > yearAfter(now) ? 'must be a date within a year' : null
}

/** Validates the expiry of a new token, which must also be in the future. Null means never. */
export function parseExpiry(kind: TokenKind, expiresAt: Date | null | undefined, now: Date): Date | null {
  const parsed = expiresAt ?? null
  const rule = parsed && parsed <= now ? 'must be a date in the future' : brokenExpiryRule(kind, parsed, now)
  if (rule) throw refused({ expiresAt: [`The :attribute field ${rule}.`] })
  return parsed
}

/** Numbers of seconds for which the previous value can stay valid after a rotation (docs/decisions/tokens.md#rotation). */
export const tokenOverlaps = [0, 3600, 86_400, 604_800] as const
export const tokenOverlapRules = z.object({ overlapSeconds: z.literal(tokenOverlaps) })
