import { updateRows } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change } from '../core/audit/audit.ts'
import { notFound } from '../core/errors.ts'
import { lockTeam } from '../core/database/locks.ts'
import { sessionOnly } from '../core/requires.ts'
import { parse } from '../core/validation.ts'
import { AccessTokenType } from './token.ts'
import { findOwnToken } from './own-token.ts'
import { tokenRules } from './rules.ts'
import type { TokenWithParts } from './token.ts'

const UpdateTokenInput = builder.inputType('UpdateTokenInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'The identifier of the token.' }),
    name: t.string({ required: true, description: 'The new name.' }),
  }),
})
const UpdateTokenPayload = payloadType<{ token: TokenWithParts }>('UpdateTokenPayload', {
  description: 'The token with its new name.',
  fields: (t) => ({ token: t.expose('token', { type: AccessTokenType, description: 'The token.' }) }),
})

// Only the name can be changed: the owner agreed to the scopes and the lifetime of a token when it was created.
const updateRules = tokenRules.pick({ name: true })

builder.mutationField('updateToken', (t) =>
  t.field({
    description: 'Changes the name of a token.',
    type: UpdateTokenPayload,
    requires: { ...sessionOnly, checksOwnProof: true },
    args: { input: t.arg({ type: UpdateTokenInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const current = await findOwnToken(context, input.id)
      const { name } = parse(updateRules, input)
      return change(context, info, async (transaction) => {
        const { id, teamId } = current
        const [, count] = await Promise.all([
          teamId && lockTeam(transaction, teamId),
          name === current.name ? 1 : updateRows(transaction, 'access_tokens', { id, revokedAt: null }, { name }),
        ])
        if (count === 0) throw notFound('the token was revoked')
        return {
          result: { token: { ...current, name } },
          ...(teamId && { teamId }),
          subject: id,
          subjectName: name,
          before: { name: current.name },
          after: { name },
        }
      })
    },
  }),
)
