import { change } from './audit.ts'
import type { AccessToken } from '../prisma/generated/client/client.ts'
import { builder } from './builder.ts'
import { notFound } from './errors.ts'
import { reachTeam } from './reach.ts'
import { recentSession, sessionOnly } from './requires.ts'
import {
  createToken,
  expiry,
  keyRules,
  overlapRules,
  overlaps,
  ownToken,
  requiresRecentOwner,
  tokenOwner,
  tokenRules,
} from './token-rules.ts'
import type { NewToken } from './token-rules.ts'
import { PersonalTokenType, TeamTokenType } from './token.ts'
import { parse } from './validation.ts'

const described = ({ kind, name, scopes, expiresAt }: AccessToken) => ({ kind, name, scopes, expiresAt: expiresAt?.toISOString() ?? null })

const value = { description: 'The value, shown this once and never again.' }
type Created = Awaited<ReturnType<typeof createToken>>
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

const idempotencyKey = {
  description: 'A fresh UUID, which becomes the token’s identifier: sent again, with the same or anything else, it is refused.',
}
const CreateTeamTokenInput = builder.inputType('CreateTeamTokenInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    name: t.string({ required: true, description: 'What to call it.' }),
    scopes: t.stringList({ required: true, description: 'The scopes it carries.' }),
    expiresAt: t.field({ type: 'DateTime', description: 'When it stops working; absent: never.' }),
    idempotencyKey: t.id(idempotencyKey),
  }),
})
const CreatePersonalTokenInput = builder.inputType('CreatePersonalTokenInput', {
  fields: (t) => ({
    name: t.string({ required: true, description: 'What to call it.' }),
    scopes: t.stringList({ required: true, description: 'The scopes it carries.' }),
    expiresAt: t.field({ type: 'DateTime', required: true, description: 'When it stops working, within a year.' }),
    idempotencyKey: t.id(idempotencyKey),
    user: t.string({ description: 'For operators alone: e-mail address of the person it belongs to.' }),
  }),
})

builder.mutationFields((t) => ({
  createTeamToken: t.field({
    description: 'Creates a team access token.',
    type: CreateTeamTokenPayload,
    requires: requiresRecentOwner,
    args: { input: t.arg({ type: CreateTeamTokenInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await reachTeam(context, input.team)
      const token: NewToken = {
        id: parse(keyRules, input).idempotencyKey,
        kind: 'team',
        teamId: team.id,
        ...parse(tokenRules, input),
        expiresAt: expiry('team', input.expiresAt, context.now()),
      }
      return change(context, info, async (transaction) => {
        const result = await createToken(transaction, context, token)
        return { result, teamId: team.id, subject: result.token.id, subjectName: result.token.name, after: described(result.token) }
      })
    },
  }),
  createPersonalToken: t.field({
    description: 'Creates a personal access token.',
    type: CreatePersonalTokenPayload,
    requires: recentSession,
    args: { input: t.arg({ type: CreatePersonalTokenInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const userId = await tokenOwner(context, input.user)
      const token: NewToken = {
        id: parse(keyRules, input).idempotencyKey,
        kind: 'personal',
        userId,
        ...parse(tokenRules, input),
        expiresAt: expiry('personal', input.expiresAt, context.now()),
      }
      return change(context, info, async (transaction) => {
        const result = await createToken(transaction, context, token)
        return { result, subject: result.token.id, subjectName: result.token.name, after: { ...described(result.token), userId } }
      })
    },
  }),
  rotateToken: t.field({
    description: 'Gives a token a new value. The old one keeps working for the overlap.',
    type: RotateTokenPayload,
    requires: recentSession,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RotateTokenInput', {
          fields: (t) => ({
            id: t.id({ required: true }),
            overlapSeconds: t.int({ description: `One of ${overlaps.join(', ')}; 0 unless told.` }),
            idempotencyKey: t.id(idempotencyKey),
          }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const old = await ownToken(context, input.id)
      const { overlapSeconds } = parse(overlapRules, { overlapSeconds: input.overlapSeconds ?? 0 })
      const id = parse(keyRules, input).idempotencyKey
      return change(context, info, async (transaction) => {
        const now = context.now()
        const ends = new Date(Math.min(now.getTime() + overlapSeconds * 1000, old.expiresAt?.getTime() ?? Infinity))
        const { count } = await transaction.accessToken.updateMany({
          where: { id: old.id, revokedAt: null, replacedAt: old.replacedAt, expiresAt: old.expiresAt },
          data: { expiresAt: ends, replacedAt: now },
        })
        if (count === 0 || (old.expiresAt && old.expiresAt <= now)) throw notFound('revoked, rotated or expired meanwhile')
        const { kind, name, scopes, expiresAt, userId, teamId } = old
        // Read under the lock that the update took: a team that is cut off meanwhile stays cut off from the successor.
        const { cutTeamIds } = await transaction.accessToken.findUniqueOrThrow({ where: { id: old.id } })
        const result = await createToken(transaction, context, { id, kind, name, scopes, expiresAt, userId, teamId, cutTeamIds })
        // After the successor, whose identifier says whether this is only the same form once more.
        if (old.replacedAt) throw notFound('rotated already')
        return {
          result,
          ...(teamId && { teamId }),
          subject: result.token.id,
          subjectName: name,
          before: { id: old.id, worksUntil: ends.toISOString() },
          after: described(result.token),
        }
      })
    },
  }),
  revokeToken: t.field({
    description: 'Revokes a token; it opens nothing from the next request on.',
    type: RevokeTokenPayload,
    requires: sessionOnly,
    args: {
      input: t.arg({ required: true, type: builder.inputType('RevokeTokenInput', { fields: (t) => ({ id: t.id({ required: true }) }) }) }),
    },
    resolve: async (_, { input }, context, info) => {
      const { id, teamId } = await ownToken(context, input.id)
      return change(context, info, async (transaction) => {
        await transaction.accessToken.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: context.now() } })
        const token = await transaction.accessToken.findUniqueOrThrow({ where: { id }, include: { createdBy: true } })
        return {
          result: { token },
          ...(teamId && { teamId }),
          subject: id,
          subjectName: token.name,
          after: { revokedAt: token.revokedAt?.toISOString() ?? null },
        }
      })
    },
  }),
}))
