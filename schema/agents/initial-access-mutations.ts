import { randomUUID } from 'node:crypto'
import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { insertRow } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change } from '../core/audit/audit.ts'
import { changeOnce, idempotencyRules, keyDescription } from '../core/database/change-once.ts'
import { notFound } from '../core/errors.ts'
import { lockTeam } from '../core/database/locks.ts'
import { sendNoticeToOwners } from '../core/notices/send-notice.ts'
import { sha256 } from '../core/sha256.ts'
import { requirePrincipal, requireTeamAccess } from '../core/team-access/team-access.ts'
import { parse, refused } from '../core/validation.ts'
import { endClientAccess, requireOpenRegistration, writeTeamClients } from '../oauth/team-clients/own-client.ts'
import { createInitialAccessValue } from '../tokens/token-value.ts'
import {
  countInitialAccessTokens,
  defaultInitialAccessDays,
  findInitialAccessToken,
  initialAccessHint,
  InitialAccessTokenType,
  maxInitialAccessDays,
  maxInitialAccessTokens,
  parseInitialAccessExpiry,
} from './initial-access-token.ts'
import type { InitialAccessTokenWithCreator } from './initial-access-token.ts'

const CreateInitialAccessTokenPayload = payloadType<{ token: InitialAccessTokenWithCreator; value: string }>(
  'CreateInitialAccessTokenPayload',
  {
    description: 'The new initial access token, and its value, which is shown only here.',
    fields: (t) => ({
      token: t.expose('token', { type: InitialAccessTokenType, description: 'The new token.' }),
      value: t.exposeString('value', { description: 'The value. It is shown only here.' }),
    }),
  },
)
const DeleteInitialAccessTokenPayload = payloadType<{ token: InitialAccessTokenWithCreator }>('DeleteInitialAccessTokenPayload', {
  description: 'The initial access token before its deletion.',
  fields: (t) => ({ token: t.expose('token', { type: InitialAccessTokenType, description: 'The token.' }) }),
})

const audited = (token: InitialAccessTokenWithCreator) => ({
  teamId: token.teamId,
  subject: token.id,
  subjectName: initialAccessHint(token),
})
const auditValues = ({ expiresAt }: InitialAccessTokenWithCreator) => ({ expiresAt: expiresAt.toISOString() })

const deleteToken = statement<{ id: string }, [id: string]>(
  'delete_initial_access_token',
  'DELETE FROM initial_access_tokens WHERE id = $1 RETURNING id',
)

builder.mutationFields((t) => ({
  createInitialAccessToken: t.field({
    description: `Creates a token with which software can register OAuth clients of a team (RFC 7591). The clients are drafts, which only members of the team can connect. A team can have ${maxInitialAccessTokens} such tokens.`,
    type: CreateInitialAccessTokenPayload,
    requires: writeTeamClients,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('CreateInitialAccessTokenInput', {
          fields: (t) => ({
            team: t.string({ required: true, description: 'Slug of the team.' }),
            expiresAt: t.field({
              type: 'DateTime',
              description: `When the token expires, at most ${maxInitialAccessDays} days from now. Default: in ${defaultInitialAccessDays} days.`,
            }),
            idempotencyKey: t.id({ description: keyDescription('token', 'it is refused, as the value is not shown again') }),
          }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const { team } = await requireTeamAccess(context, input.team)
      const principal = requirePrincipal(context)
      requireOpenRegistration(context, principal)
      const [id, value, now] = [randomUUID(), createInitialAccessValue(), context.now()]
      const expiresAt = parseInitialAccessExpiry(input.expiresAt, now)
      const createdBy = principal.kind === 'user' ? { id: principal.user.id, name: principal.user.name } : null
      const row = { id, teamId: team.id, hash: sha256(value), lastFour: value.slice(-4), createdById: createdBy?.id ?? null }
      const token = { ...row, createdAt: now, expiresAt, lastUsedAt: null, createdBy }
      const { idempotencyKey: key } = parse(idempotencyRules, input)
      const insert = async (transaction: Transaction) => {
        // The statements are sent together; the second one runs when the team is locked.
        const [, [usage]] = await Promise.all([lockTeam(transaction, team.id), countInitialAccessTokens(transaction, team.id, now)])
        if ((usage?.count ?? 0) >= maxInitialAccessTokens)
          throw refused({ team: [`A team can have ${maxInitialAccessTokens} initial access tokens. Delete one to create another.`] })
        const notice = { team: team.name, slug: team.slug, name: initialAccessHint(token), expiresAt: expiresAt.toISOString() }
        await sendNoticeToOwners(transaction, context, team.id, 'initial-access-token-created', notice)
        transaction.defer(insertRow(transaction, 'initial_access_tokens', { ...row, createdAt: now, expiresAt }))
        return { result: { token, value }, ...audited(token), after: auditValues(token) }
      }
      // The expiry is not compared: a form that is sent again counts its days from a later time.
      const creation = { what: 'token', key, owner: team.id, input: {}, id }
      return changeOnce(context, info, creation, insert, 'and its value is not shown again')
    },
  }),
  deleteInitialAccessToken: t.field({
    description: 'Deletes an initial access token. It is refused from the next request on. The clients that it has registered remain.',
    type: DeleteInitialAccessTokenPayload,
    requires: endClientAccess,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DeleteInitialAccessTokenInput', {
          fields: (t) => ({ id: t.id({ required: true, description: 'The identifier of the token.' }) }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const token = await findInitialAccessToken(context, input.id, endClientAccess)
      return change(context, info, async (transaction) => {
        const [deleted] = await deleteToken(transaction, token.id)
        if (!deleted) throw notFound('the token was deleted')
        return { result: { token }, ...audited(token), before: auditValues(token) }
      })
    },
  }),
}))
