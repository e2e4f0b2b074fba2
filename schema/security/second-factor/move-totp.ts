import { updateRows } from '../../../prisma/statement/write-row.ts'
import { endOtherSessions } from '../../accounts/end-sessions.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { change } from '../../core/audit/audit.ts'
import type { UserPrincipal } from '../../core/principals.ts'
import { invalid } from '../../core/errors.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { recentSession } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { recordProof } from '../sessions/proved-two-factor.ts'
import { lockOwnSecondFactor } from './methods.ts'
import { confirmedSecret, ConfirmTotpInput } from './totp-setup.ts'

const MoveTotpPayload = payloadType<{ viewer: UserPrincipal }>('MoveTotpPayload', {
  description: 'The user, who has the new authenticator app.',
  fields: (t) => ({ viewer: t.expose('viewer', { type: ViewerType, description: 'The user.' }) }),
})

builder.mutationField('moveTotp', (t) =>
  t.field({
    description:
      'Replaces the authenticator app, for example by one on a new phone: a code proves that it has the proposed secret. Two-factor authentication stays on and the recovery codes stay valid; the codes of the previous app are refused from then on.',
    type: MoveTotpPayload,
    requires: recentSession,
    args: { input: t.arg({ type: ConfirmTotpInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const viewer = requirePerson(context)
      const { user } = viewer
      const { id } = user
      const confirmed = confirmedSecret(context, id, input)
      return change(context, info, async (transaction) => {
        const [{ methods }, { endedSessions, audited }] = await Promise.all([
          lockOwnSecondFactor(transaction, id),
          endOtherSessions(transaction, context, input.endOtherSessions),
        ])
        if (!methods.includes('totp')) throw invalid({ encrypted: ['You have no authenticator app. Set one up.'] })
        transaction.defer(updateRows(transaction, 'users', { id }, { ...confirmed, updatedAt: context.now() }))
        recordProof(transaction, viewer)
        await sendNotice(transaction, context, user, 'authenticator-moved', {})
        const after = { methods, ...audited }
        return { result: { viewer }, subject: id, before: { methods }, after, endedSessions, isUnchanged: false }
      })
    },
  }),
)
