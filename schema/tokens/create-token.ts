import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { insertRow } from '../../prisma/statement/write-row.ts'
import type { TokenKind } from '../../prisma/generated/client/enums.ts'
import { idempotencyRules } from '../core/database/change-once.ts'
import type { Context } from '../core/context.ts'
import { forbidden, invalid } from '../core/errors.ts'
import { lockTeam } from '../core/database/locks.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { findStaffRole } from '../core/staff/staff-role.ts'
import type { AnyStaffRole } from '../core/staff/staff-role.ts'
import { sha256 } from '../core/sha256.ts'
import { emailAddress, parse } from '../core/validation.ts'
import type { TokenWithParts } from './token.ts'
import { createTokenValue } from './token-value.ts'

export interface NewToken {
  kind: TokenKind
  name: string
  scopes: string[]
  expiresAt: Date | null
  userId?: string | null
  teamId?: string | null
  /** The teams that a personal token is limited to; empty for all teams of its user. */
  teamIds?: string[]
}

/** Prepares `changeOnce` for a token. The expiry is not compared: a form that is sent again counts its days from a later time. */
export const buildCreation = (input: object, owner: string, { name, scopes, teamIds = [] }: NewToken) => ({
  what: 'token',
  key: parse(idempotencyRules, input).idempotencyKey,
  owner,
  input: { name, scopes, teamIds },
  id: randomUUID(),
})

/** Creates a token with a new value. Stores the hash of the value; only the caller gets the value itself. */
export async function createToken(transaction: Transaction, context: Context, token: NewToken & { id: string }) {
  const principal = requirePrincipal(context)
  if (token.teamId) await lockTeam(transaction, token.teamId)
  const value = createTokenValue(token.kind)
  const creator = principal.kind === 'user' ? principal.user : null
  const row = {
    ...token,
    hash: sha256(value),
    lastFour: value.slice(-4),
    createdById: creator?.id ?? null,
    createdAt: context.now(),
  }
  transaction.defer(insertRow(transaction, 'access_tokens', row))
  const created: TokenWithParts = { ...unusedToken, ...row, createdBy: creator && { id: creator.id, name: creator.name } }
  return { token: created, value }
}

/** The properties of a token that was neither used, rotated nor revoked. */
const unusedToken = {
  userId: null,
  teamId: null,
  teamIds: [],
  revokedTeamIds: [],
  lastUsedAt: null,
  revokedAt: null,
  previousHash: null,
  previousLastFour: null,
  previousExpiresAt: null,
  rotationKey: null,
  expiryNotifiedAt: null,
  expiryEvents: 0,
}

const ownerRules = z.object({ user: emailAddress })

interface TokenOwner {
  id: string
  emailVerified: boolean
  staffRole: AnyStaffRole | null
}

/** Returns the user that a new personal token belongs to: the caller or, for the operator, the user with this email address. */
export async function findTokenOwner(context: Context, email: string | null | undefined): Promise<TokenOwner> {
  const principal = requirePrincipal(context)
  if (principal.kind === 'user' && email == null) return { ...principal.user, staffRole: principal.staffRole }
  if (principal.kind !== 'operator') throw forbidden('role_required')
  const { user: address } = parse(ownerRules, { user: email })
  const user = await context.database.prisma.user.findUnique({ where: { email: address } })
  if (!user) throw invalid({ user: ['The selected user is invalid.'] })
  return { ...user, staffRole: findStaffRole(user) }
}
