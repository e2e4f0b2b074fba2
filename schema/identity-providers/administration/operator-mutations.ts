import { updateRows } from '../../../prisma/statement/write-row.ts'
import { builder } from '../../builder/builder.ts'
import { change } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { lockTeam } from '../../core/database/locks.ts'
import { adminOnly } from '../../core/requires.ts'
import { endSignInsAtProvider } from '../../core/team-access/session-reach.ts'
import { sendProviderNotice } from './notice.ts'
import { IdentityProviderPayload } from './payload.ts'
import { auditedProvider, findOwnProvider, lockProvider } from '../own-provider.ts'
import { reasonField } from '../../core/staff/staff-acts.ts'

const idInput = (name: string) =>
  builder.inputType(name, {
    fields: (t) => ({
      id: t.id({ required: true, description: 'The identifier of the identity provider.' }),
      reason: t.string(reasonField),
    }),
  })

/** Disables or enables a provider. A repetition changes nothing. */
async function setDisabled(context: Context, info: { fieldName: string }, globalId: string, isDisabled: boolean) {
  const { id, teamId } = await findOwnProvider(context, globalId, adminOnly)
  return change(context, info, async (transaction) => {
    const [team, current] = await Promise.all([lockTeam(transaction, teamId), lockProvider(transaction, id)])
    const isUnchanged = (current.disabledAt !== null) === isDisabled
    const data = { disabledAt: isDisabled ? context.now() : null, updatedAt: context.now() }
    if (!isUnchanged) {
      transaction.defer(updateRows(transaction, 'identity_providers', { id }, data))
      if (isDisabled) endSignInsAtProvider(transaction, { of: { providerId: id } })
      await sendProviderNotice(transaction, context, team, current, isDisabled ? 'disabled' : 'enabled')
    }
    const result = { identityProvider: isUnchanged ? current : { ...current, ...data } }
    return { result, ...auditedProvider(current), before: { isDisabled: !isDisabled }, after: { isDisabled }, isUnchanged }
  })
}

builder.mutationFields((t) => ({
  disableIdentityProvider: t.field({
    description: 'Disables sign-in through an identity provider. The owners of the team receive an email.',
    type: IdentityProviderPayload,
    requires: adminOnly,
    args: { input: t.arg({ type: idInput('DisableIdentityProviderInput'), required: true }) },
    resolve: (_, { input }, context, info) => setDisabled(context, info, input.id, true),
  }),
  enableIdentityProvider: t.field({
    description: 'Enables an identity provider that was disabled. The owners of the team receive an email.',
    type: IdentityProviderPayload,
    requires: adminOnly,
    args: { input: t.arg({ type: idInput('EnableIdentityProviderInput'), required: true }) },
    resolve: (_, { input }, context, info) => setDisabled(context, info, input.id, false),
  }),
}))
