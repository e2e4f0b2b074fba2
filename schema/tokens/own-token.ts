import { readRow, tokenColumns } from '../../prisma/statement/read-row.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { authorize, recentSession, sessionOnly } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { findTeamAccess, requirePrincipal } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import type { TokenWithParts } from './token.ts'
import { identifierOf } from '../core/global-id.ts'

// Only sessions of the account site and the operator create, rotate or revoke tokens (docs/decisions/permissions.md#operations).
const requiresOwner: Requirement = { ...sessionOnly, roles: ['owner'] }

/**
 * For a new value of a team token. Requires a recent sign-in: a token must not be obtainable at a screen that was left
 * unlocked. Revoking a token does not.
 */
export const requiresRecentOwner: Requirement = { ...recentSession, roles: ['owner'] }

// One statement instead of two of Prisma, which reads the creator separately.
const tokenById = `SELECT ${tokenColumns}, CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS "createdBy"
  FROM access_tokens t LEFT JOIN users u ON u.id = t.created_by_id WHERE t.id = $1`

/** Returns a token by its identifier, or null. */
export const findToken = (database: Context['database']['pool'] | Transaction, id: string) =>
  readRow<TokenWithParts>(database, 'token_by_id', tokenById, id)

/** Returns a token that the principal may change: their own, or one of a team that they own. Throws `not_found` for others. */
export async function findOwnToken(context: Context, given: string): Promise<TokenWithParts> {
  const principal = requirePrincipal(context)
  const id = identifierOf(given, ['TeamToken', 'PersonalToken'])
  const token = isIdentifier(id) ? await findToken(context.database.pool, id) : null
  if (!token) throw notFound()
  if (principal.kind === 'operator') return token
  if (token.userId !== null && !(principal.kind === 'user' && principal.user.id === token.userId)) throw notFound()
  if (token.teamId !== null) {
    const teamAccess = await findTeamAccess(context, 'id', token.teamId)
    if (!teamAccess) throw notFound()
    authorize(context, requiresOwner, teamAccess)
  }
  return token
}
