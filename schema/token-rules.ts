import { z } from 'zod'
import type { Transaction } from '../prisma/client.ts'
import type { AccessToken, Prisma } from '../prisma/generated/client/client.ts'
import type { TokenKind } from '../prisma/generated/client/enums.ts'
import type { Context } from './context.ts'
import { forbidden, invalid, isTaken, notFound } from './errors.ts'
import { authenticated, reachById } from './reach.ts'
import { authorize, recentSession, sessionOnly } from './requires.ts'
import type { Requirement } from './requires.ts'
import { tokenScopes } from './scopes.ts'
import { createTokenValue, sha256 } from './secret.ts'
import { displayName, emailAddress, isIdentifier, parse, text } from './validation.ts'

// "Only account-site sessions create, rotate or revoke tokens" (decisions §5), and the operator.
const requiresOwner: Requirement = { ...sessionOnly, roles: ['owner'] }

/** To make a new value: who finds an unlocked screen must not leave with a key. Taking one back is asked of nobody twice. */
export const requiresRecentOwner: Requirement = { ...recentSession, roles: ['owner'] }

export const tokenRules = z.object({
  name: displayName,
  scopes: z
    .array(z.enum(tokenScopes))
    .min(1)
    .transform((scopes) => [...new Set(scopes)]),
})

/** The last instant a personal token made at `instant` may live to: the same day a year later (decisions §7). */
export function yearAfter(instant: Date): Date {
  const later = new Date(instant)
  later.setUTCFullYear(later.getUTCFullYear() + 1)
  return later
}

/** What is wrong with when a token ends: a personal one does within a year, a team token may live on (decisions §7). */
export function expiryFault(kind: TokenKind, expiresAt: Date | null, now: Date): string | null {
  if (kind === 'team') return null
  if (!expiresAt) return 'is required'
  return expiresAt > yearAfter(now) ? 'must be a date within a year' : null
}

/** When a new token ends: not before it was made, besides. Null for never. */
export function expiry(kind: TokenKind, expiresAt: Date | null | undefined, now: Date): Date | null {
  const end = expiresAt ?? null
  const fault = end && end <= now ? 'must be a date in the future' : expiryFault(kind, end, now)
  if (fault) throw invalid({ expiresAt: [`The expires at field ${fault}.`] })
  return end
}

/** Sent with what makes a token, a form among others, so that it makes one however often it is sent. */
export const keyRules = z.object({
  idempotencyKey: text
    .refine(isIdentifier, { message: 'The :attribute field must be a valid UUID.' })
    .nullish()
    .transform((key) => key ?? undefined),
})

export interface NewToken {
  /** The idempotency key: a second token of this identifier is refused by the database, also where two ask at once. */
  id?: string | undefined
  kind: TokenKind
  name: string
  scopes: string[]
  expiresAt: Date | null
  userId?: string | null
  teamId?: string | null
  cutTeamIds?: string[]
}

/** Stores a token under the hash of a fresh value; the value is only in the answer. */
export async function createToken(transaction: Transaction, context: Context, token: NewToken) {
  const principal = authenticated(context)
  const value = createTokenValue(token.kind)
  const stored = await makeOnce(transaction, {
    data: {
      ...token,
      hash: sha256(value),
      lastFour: value.slice(-4),
      createdById: principal.kind === 'user' ? principal.user.id : null,
      createdAt: context.now(),
    },
    include: { createdBy: true },
  })
  return { token: stored, value }
}

async function makeOnce<Made extends Prisma.AccessTokenCreateArgs>(
  transaction: Transaction,
  made: Prisma.SelectSubset<Made, Prisma.AccessTokenCreateArgs>,
) {
  try {
    return await transaction.accessToken.create(made)
  } catch (error) {
    if (isTaken(error))
      throw invalid({ idempotencyKey: ['This was sent before: the token exists already, and its value is not shown again.'] })
    throw error
  }
}

/** For how many seconds the old value may keep working (decisions §7). */
export const overlaps = [0, 3600, 86_400, 604_800] as const
export const overlapRules = z.object({ overlapSeconds: z.literal(overlaps) })

/** A session creates for its own person, the operator for whom they name. */
export async function tokenOwner(context: Context, email: string | null | undefined): Promise<string> {
  const principal = authenticated(context)
  if (principal.kind === 'user' && email == null) return principal.user.id
  if (principal.kind !== 'operator') throw forbidden('role_required')
  const { user: address } = parse(z.object({ user: emailAddress }), { user: email })
  const user = await context.database.prisma.user.findUnique({ where: { email: address } })
  if (!user) throw invalid({ user: ['The selected user is invalid.'] })
  return user.id
}

/** A token the principal rules over: their own, or one of a team they own. Any other is `not_found`. */
export async function ownToken(context: Context, id: string): Promise<AccessToken> {
  const principal = authenticated(context)
  const token = isIdentifier(id) ? await context.database.prisma.accessToken.findUnique({ where: { id } }) : null
  if (!token) throw notFound()
  if (principal.kind === 'operator') return token
  if (token.userId !== null && !(principal.kind === 'user' && principal.user.id === token.userId)) throw notFound()
  if (token.teamId !== null) {
    if (!principal.teams.some(({ team }) => team.id === token.teamId)) throw notFound()
    authorize(context, requiresOwner, await reachById(context, token.teamId))
  }
  return token
}
