import { z } from 'zod'
import type { Transaction } from '../prisma/client.ts'
import type { AccessToken } from '../prisma/generated/client/client.ts'
import type { TokenKind } from '../prisma/generated/client/enums.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { forbidden, invalid, notFound } from './errors.ts'
import { authenticated, reachById, reachTeam } from './reach.ts'
import { authorize } from './requires.ts'
import { tokenScopes } from './scopes.ts'
import { createTokenValue, sha256 } from './secret.ts'
import { PersonalTokenType, TeamTokenType } from './token.ts'
import { displayName, emailAddress, isIdentifier, parse } from './validation.ts'

// "Only account-site sessions create, rotate or revoke tokens" (decisions §5), and the operator.
const requires = { scopes: [], via: ['session'] } as const
const requiresOwner = { ...requires, roles: ['owner'] } as const

const year = 366 * 86_400_000
const tokenRules = z.object({
  name: displayName,
  scopes: z
    .array(z.enum(tokenScopes as [string, ...string[]]))
    .min(1)
    .transform((scopes) => [...new Set(scopes)]),
})

/** Personal tokens expire, within a year; team tokens may live on (decisions §7). */
function expiry(kind: TokenKind, expiresAt: Date | null | undefined, now: Date): Date | null {
  if (!expiresAt && kind === 'team') return null
  if (!expiresAt) throw invalid({ expiresAt: ['The expires at field is required.'] })
  if (expiresAt <= now) throw invalid({ expiresAt: ['The expires at field must be a date in the future.'] })
  if (kind === 'personal' && expiresAt.getTime() > now.getTime() + year)
    throw invalid({ expiresAt: ['The expires at field must be a date within a year.'] })
  return expiresAt
}

interface NewToken {
  kind: TokenKind
  name: string
  scopes: string[]
  expiresAt: Date | null
  userId?: string | null
  teamId?: string | null
}

async function create(transaction: Transaction, context: Context, token: NewToken) {
  const principal = authenticated(context)
  const value = createTokenValue(token.kind)
  const stored = await transaction.accessToken.create({
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

const described = ({ kind, name, scopes, expiresAt }: AccessToken) => ({ kind, name, scopes, expiresAt: expiresAt?.toISOString() ?? null })

const value = { description: 'The value, shown this once and never again.' }
type Created = Awaited<ReturnType<typeof create>>
const CreateTeamTokenPayload = builder.objectRef<Created>('CreateTeamTokenPayload').implement({
  fields: (t) => ({ token: t.expose('token', { type: TeamTokenType }), value: t.exposeString('value', value) }),
})
const CreatePersonalTokenPayload = builder.objectRef<Created>('CreatePersonalTokenPayload').implement({
  fields: (t) => ({ token: t.expose('token', { type: PersonalTokenType }), value: t.exposeString('value', value) }),
})
const AccessTokenType = builder.unionType('AccessToken', {
  types: [TeamTokenType, PersonalTokenType],
  resolveType: (token) => (token.kind === 'team' ? TeamTokenType : PersonalTokenType),
})
const RotateTokenPayload = builder.objectRef<Created>('RotateTokenPayload').implement({
  fields: (t) => ({ token: t.expose('token', { type: AccessTokenType }), value: t.exposeString('value', value) }),
})
const RevokeTokenPayload = builder.objectRef<Pick<Created, 'token'>>('RevokeTokenPayload').implement({
  fields: (t) => ({ token: t.expose('token', { type: AccessTokenType }) }),
})

const CreateTeamTokenInput = builder.inputType('CreateTeamTokenInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    name: t.string({ required: true, description: 'What to call it.' }),
    scopes: t.stringList({ required: true, description: 'The scopes it carries.' }),
    expiresAt: t.field({ type: 'DateTime', description: 'When it stops working; absent: never.' }),
  }),
})
const CreatePersonalTokenInput = builder.inputType('CreatePersonalTokenInput', {
  fields: (t) => ({
    name: t.string({ required: true, description: 'What to call it.' }),
    scopes: t.stringList({ required: true, description: 'The scopes it carries.' }),
    expiresAt: t.field({ type: 'DateTime', required: true, description: 'When it stops working, within a year.' }),
    user: t.string({ description: 'For operators alone: e-mail address of the person it belongs to.' }),
  }),
})

builder.mutationFields((t) => ({
  createTeamToken: t.field({
    description: 'Creates a team access token.',
    type: CreateTeamTokenPayload,
    requires: requiresOwner,
    args: { input: t.arg({ type: CreateTeamTokenInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await reachTeam(context, input.team)
      const token: NewToken = {
        kind: 'team',
        teamId: team.id,
        ...parse(tokenRules, input),
        expiresAt: expiry('team', input.expiresAt, context.now()),
      }
      return change(context, info, async (transaction) => {
        const result = await create(transaction, context, token)
        return { result, teamId: team.id, subject: result.token.id, after: described(result.token) }
      })
    },
  }),
  createPersonalToken: t.field({
    description: 'Creates a personal access token.',
    type: CreatePersonalTokenPayload,
    requires,
    args: { input: t.arg({ type: CreatePersonalTokenInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const userId = await tokenOwner(context, input.user)
      const token: NewToken = {
        kind: 'personal',
        userId,
        ...parse(tokenRules, input),
        expiresAt: expiry('personal', input.expiresAt, context.now()),
      }
      return change(context, info, async (transaction) => {
        const result = await create(transaction, context, token)
        return { result, subject: result.token.id, after: { ...described(result.token), userId } }
      })
    },
  }),
  rotateToken: t.field({
    description: 'Gives a token a new value. The old one keeps working for the overlap.',
    type: RotateTokenPayload,
    requires,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RotateTokenInput', {
          fields: (t) => ({
            id: t.id({ required: true }),
            overlapSeconds: t.int({ description: '0, 3600, 86400 or 604800; 0 unless told.' }),
          }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const old = await ownToken(context, input.id)
      const { overlapSeconds } = parse(overlapRules, { overlapSeconds: input.overlapSeconds ?? 0 })
      return change(context, info, async (transaction) => {
        const now = context.now()
        const ends = new Date(Math.min(now.getTime() + overlapSeconds * 1000, old.expiresAt?.getTime() ?? Infinity))
        const { count } = await transaction.accessToken.updateMany({ where: { id: old.id, revokedAt: null }, data: { expiresAt: ends } })
        if (count === 0 || (old.expiresAt && old.expiresAt <= now)) throw notFound('revoked or expired meanwhile')
        const { kind, name, scopes, expiresAt, userId, teamId } = old
        const result = await create(transaction, context, { kind, name, scopes, expiresAt, userId, teamId })
        return {
          result,
          ...(teamId && { teamId }),
          subject: result.token.id,
          before: { id: old.id, worksUntil: ends.toISOString() },
          after: described(result.token),
        }
      })
    },
  }),
  revokeToken: t.field({
    description: 'Revokes a token; it opens nothing from the next request on.',
    type: RevokeTokenPayload,
    requires,
    args: {
      input: t.arg({ required: true, type: builder.inputType('RevokeTokenInput', { fields: (t) => ({ id: t.id({ required: true }) }) }) }),
    },
    resolve: async (_, { input }, context, info) => {
      const { id, teamId } = await ownToken(context, input.id)
      return change(context, info, async (transaction) => {
        await transaction.accessToken.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: context.now() } })
        const token = await transaction.accessToken.findUniqueOrThrow({ where: { id }, include: { createdBy: true } })
        return { result: { token }, ...(teamId && { teamId }), subject: id, after: { revokedAt: token.revokedAt?.toISOString() ?? null } }
      })
    },
  }),
}))

const overlapRules = z.object({ overlapSeconds: z.union([z.literal(0), z.literal(3600), z.literal(86_400), z.literal(604_800)]) })

/** A session creates for its own person, the operator for whom they name. */
async function tokenOwner(context: Context, email: string | null | undefined): Promise<string> {
  const principal = authenticated(context)
  if (principal.kind === 'user' && email == null) return principal.user.id
  if (principal.kind !== 'operator') throw forbidden('role_required')
  const { user: address } = parse(z.object({ user: emailAddress }), { user: email })
  const user = await context.database.prisma.user.findUnique({ where: { email: address } })
  if (!user) throw invalid({ user: ['The selected user is invalid.'] })
  return user.id
}

/** A token the principal rules over: their own, or one of a team they own. Any other is `not_found`. */
async function ownToken(context: Context, id: string): Promise<AccessToken> {
  const principal = authenticated(context)
  const token = isIdentifier(id) ? await context.database.prisma.accessToken.findUnique({ where: { id } }) : null
  if (!token) throw notFound()
  if (principal.kind === 'operator') return token
  if (token.userId !== null && !(principal.kind === 'user' && principal.user.id === token.userId)) throw notFound()
  if (token.teamId !== null) {
    if (!principal.teams.some(({ team }) => team.id === token.teamId)) throw notFound()
    authorize(principal, requiresOwner, await reachById(context, token.teamId))
  }
  return token
}
