import { readRow, tokenColumns } from '../../prisma/statement/read-row.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Context } from '../core/context.ts'
import type { OperatorPrincipal, Principal } from '../core/principals.ts'
import { forbidden, notFound } from '../core/errors.ts'
import { authorize, ownTokenId, sessionOnly, writeTokens } from '../core/requires.ts'
import { findTeamAccess, requirePrincipal } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import { authorizeTokenOfStaff } from '../core/staff/staff-acts.ts'
import type { TokenWithParts } from './token.ts'
import { parseTokenId } from '../core/global-id.ts'
import { isScope } from '../core/scopes.ts'

// One statement replaces two of Prisma, which reads the creator separately.
const tokenById = `SELECT ${tokenColumns}, CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS "createdBy"
  FROM access_tokens t LEFT JOIN users u ON u.id = t.created_by_id WHERE t.id = $1`

/** Returns a token by its identifier, or null. */
export const findToken = (database: Context['database']['pool'] | Transaction, id: string) =>
  readRow<TokenWithParts>(database, 'token_by_id', tokenById, id)

/**
 * Returns a token that the principal may change: the caller itself, their own in a session, or one of a team that they own. Throws
 * `not_found` for others.
 */
export async function findOwnToken(context: Context, globalId: string): Promise<TokenWithParts> {
  const principal = requirePrincipal(context)
  const id = parseTokenId(globalId)
  const token = isIdentifier(id) ? await findToken(context.database.pool, id) : null
  if (!token) throw notFound()
  if (principal.kind === 'operator' || principal.kind === 'staff' || ownTokenId(principal) === id) return token
  if (token.userId !== null) {
    if (principal.kind !== 'user' || principal.user.id !== token.userId) throw notFound()
    authorize(context, sessionOnly, null)
  }
  if (token.teamId !== null) {
    const teamAccess = await findTeamAccess(context, 'id', token.teamId)
    if (!teamAccess) throw notFound()
    authorize(context, { ...writeTokens, roles: ['owner'] }, teamAccess)
  }
  return token
}

/**
 * Returns a token that the principal may rotate. The new value may not give them more rights than they have, nor for longer: a credential
 * must not outlive its expiry by the value of another token (docs/decisions/tokens.md#by-a-token). Throws `insufficient_scope` or
 * `session_required` otherwise. Sessions and operators decide about rights, but a session needs the proofs of staff for a token that can
 * act as staff.
 */
export async function findTokenToRotate(context: Context, globalId: string): Promise<TokenWithParts> {
  const principal = requirePrincipal(context)
  const token = await findOwnToken(context, globalId)
  authorizeTokenOfStaff(context, token.scopes)
  if (principal.kind === 'operator' || principal.authenticationMethod === 'session') return token
  const missing = ownTokenId(principal) === token.id ? [] : token.scopes.filter((scope) => isScope(scope) && !principal.scopes.has(scope))
  if (missing.length > 0) throw forbidden('insufficient_scope', { scopes: missing })
  const end = endOfRights(principal)
  if (end !== null && (token.expiresAt === null || token.expiresAt > end)) throw forbidden('session_required')
  return token
}

/**
 * Returns when the caller's rights end unless they are revoked before; null for never. A client gets new access tokens at any time, and an
 * app as long as the grant lasts. A job that is a workload identity has one token: the next job may run other code.
 */
function endOfRights(principal: Exclude<Principal, OperatorPrincipal>): Date | null {
  if (principal.authenticationMethod === 'client') return null
  if (principal.kind === 'user' && principal.client && principal.scopes.has('offline_access')) return principal.client.grantExpiresAt
  return principal.expiresAt
}
