import type { Transaction } from '../../prisma/statement/transaction.ts'
import { change } from '../core/audit/audit.ts'
import { changeOnce, idempotencyRules, keyDescription } from '../core/database/change-once.ts'
import type { AccessToken } from '../../prisma/generated/client/client.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { sendNotice, sendNoticeToOwners } from '../core/notices/send-notice.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { recentOwner, recentSession, writeTokens } from '../core/requires.ts'
import { createToken, buildCreation, findTokenOwner } from './create-token.ts'
import type { NewToken } from './create-token.ts'
import { findOwnToken, findToken, findTokenToRotate } from './own-token.ts'
import { rotateValue } from './rotate-value.ts'
import { findChosenTeams } from './chosen-teams.ts'
import { tokenOverlapRules, tokenOverlaps, parseExpiry, personalTokenRules, tokenRules } from './rules.ts'
import { AccessTokenType, PersonalTokenType, TeamTokenType } from './token.ts'
import { parse } from '../core/validation.ts'
import { authorizeTokenOfStaff, reasonField } from '../core/staff/staff-acts.ts'

const auditValues = ({ kind, name, scopes, expiresAt }: AccessToken) => ({
  kind,
  name,
  scopes,
  expiresAt: expiresAt?.toISOString() ?? null,
})

const value = { description: 'The value. It is shown only here.' }
type Created = Awaited<ReturnType<typeof createToken>>
const CreateTeamTokenPayload = payloadType<Created>('CreateTeamTokenPayload', {
  description: 'The new team access token, and its value, which is shown only here.',
  fields: (t) => ({
    token: t.expose('token', { type: TeamTokenType, description: 'The new token.' }),
    value: t.exposeString('value', value),
  }),
})
const CreatePersonalTokenPayload = payloadType<Created>('CreatePersonalTokenPayload', {
  description: 'The new personal access token, and its value, which is shown only here.',
  fields: (t) => ({
    token: t.expose('token', { type: PersonalTokenType, description: 'The new token.' }),
    value: t.exposeString('value', value),
  }),
})
const RotateTokenPayload = payloadType<Created>('RotateTokenPayload', {
  description: 'The token with its new value, which is shown only here.',
  fields: (t) => ({
    token: t.expose('token', { type: AccessTokenType, description: 'The token.' }),
    value: t.exposeString('value', value),
  }),
})
const RevokeTokenPayload = payloadType<Pick<Created, 'token'>>('RevokeTokenPayload', {
  description: 'The revoked token.',
  fields: (t) => ({ token: t.expose('token', { type: AccessTokenType, description: 'The token.' }) }),
})

const idempotencyKey = { description: keyDescription('token', 'it is refused, as the value is not shown again') }
const CreateTeamTokenInput = builder.inputType('CreateTeamTokenInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    name: t.string({ required: true, description: 'The name in lists.' }),
    scopes: t.stringList({ required: true, description: 'The scopes of the token.' }),
    expiresAt: t.field({ type: 'DateTime', description: 'When the token expires. Default: never.' }),
    idempotencyKey: t.id(idempotencyKey),
  }),
})
const CreatePersonalTokenInput = builder.inputType('CreatePersonalTokenInput', {
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name in lists.' }),
    scopes: t.stringList({ required: true, description: 'The scopes of the token.' }),
    expiresAt: t.field({ type: 'DateTime', required: true, description: 'When the token expires. At most a year from now.' }),
    teams: t.stringList({
      description:
        'Slugs or global ids of the teams that the token can access. Default: all teams of the user, including teams joined later.',
    }),
    idempotencyKey: t.id(idempotencyKey),
    user: t.string({ description: 'Email address of the user that the token belongs to. Only for operators.' }),
  }),
})

builder.mutationFields((t) => ({
  createTeamToken: t.field({
    description: 'Creates a team access token.',
    type: CreateTeamTokenPayload,
    requires: recentOwner,
    args: { input: t.arg({ type: CreateTeamTokenInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await requireTeamAccess(context, input.team)
      const token: NewToken = {
        kind: 'team',
        teamId: team.id,
        ...parse(tokenRules, input),
        expiresAt: parseExpiry('team', input.expiresAt, context.now()),
      }
      const creation = buildCreation(input, team.id, token)
      const insert = async (transaction: Transaction) => {
        const data = { name: token.name, team: team.name, slug: team.slug }
        const [result] = await Promise.all([
          createToken(transaction, context, { ...token, id: creation.id }),
          sendNoticeToOwners(transaction, context, team.id, 'team-token-created', data),
        ])
        return { result, teamId: team.id, subject: result.token.id, subjectName: result.token.name, after: auditValues(result.token) }
      }
      return changeOnce(context, info, creation, insert, 'and its value is not shown again')
    },
  }),
  createPersonalToken: t.field({
    description: 'Creates a personal access token.',
    type: CreatePersonalTokenPayload,
    requires: recentSession,
    args: { input: t.arg({ type: CreatePersonalTokenInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const user = await findTokenOwner(context, input.user)
      const { name, scopes } = parse(personalTokenRules(user.staffRole), input)
      authorizeTokenOfStaff(context, scopes)
      const token: NewToken = {
        kind: 'personal',
        userId: user.id,
        name,
        scopes,
        expiresAt: parseExpiry('personal', input.expiresAt, context.now()),
        teamIds: await findChosenTeams(context, user.id, input.teams, scopes),
      }
      const creation = buildCreation(input, user.id, token)
      const insert = async (transaction: Transaction) => {
        const result = await createToken(transaction, context, { ...token, id: creation.id })
        await sendNotice(transaction, context, user, 'personal-token-created', { name: token.name })
        return {
          result,
          subject: result.token.id,
          subjectName: result.token.name,
          after: { ...auditValues(result.token), userId: user.id, ...(input.teams && { teams: [...new Set(input.teams)] }) },
        }
      }
      return changeOnce(context, info, creation, insert, 'and its value is not shown again')
    },
  }),
  rotateToken: t.field({
    description:
      'Gives a token a new value. The previous value stays valid for the overlap; an older one stops working immediately. Tokens can rotate themselves; for another token, the caller needs all of its scopes.',
    type: RotateTokenPayload,
    requires: { ...writeTokens, recentSignIn: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RotateTokenInput', {
          fields: (t) => ({
            id: t.id({ required: true, description: 'The identifier of the token.' }),
            overlapSeconds: t.int({
              description: `For how many seconds the previous value stays valid: ${tokenOverlaps.join(', ')}. Default: 0.`,
            }),
            idempotencyKey: t.id({ description: 'A new UUID. A second rotation of the token with it is refused.' }),
          }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const current = await findTokenToRotate(context, input.id)
      const { overlapSeconds } = parse(tokenOverlapRules, { overlapSeconds: input.overlapSeconds ?? 0 })
      const { idempotencyKey: rotationKey } = parse(idempotencyRules, input)
      return change(context, info, async (transaction) => {
        const { worksUntil, ...result } = await rotateValue(transaction, context, current, { overlapSeconds, rotationKey })
        const { id: subject, name: subjectName, teamId } = result.token
        return { result, ...(teamId && { teamId }), subject, subjectName, after: { worksUntil: worksUntil.toISOString() } }
      })
    },
  }),
  revokeToken: t.field({
    description: 'Revokes a token. Its value and the previous one are refused from the next request on. Tokens can revoke themselves.',
    type: RevokeTokenPayload,
    requires: { ...writeTokens, staffRole: 'admin' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RevokeTokenInput', {
          fields: (t) => ({ id: t.id({ required: true, description: 'The identifier of the token.' }), reason: t.string(reasonField) }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const current = await findOwnToken(context, input.id)
      const { id, teamId } = current
      return change(context, info, async (transaction) => {
        const revokedAt = context.now()
        const count = await updateRows(transaction, 'access_tokens', { id, revokedAt: null }, { revokedAt })
        const token = count > 0 ? { ...current, revokedAt } : ((await findToken(transaction, id)) ?? current)
        return {
          result: { token },
          ...(teamId && { teamId }),
          accountId: token.userId,
          subject: id,
          subjectName: token.name,
          after: { revokedAt: token.revokedAt?.toISOString() ?? null },
          isUnchanged: count === 0,
        }
      })
    },
  }),
}))
