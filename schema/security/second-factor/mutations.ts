import type { User } from '../../../prisma/generated/client/client.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { endOtherSessions, endOtherSessionsField } from '../../accounts/end-sessions.ts'
import { unknownAccount, UserInput, UserPayload, userRules } from '../../accounts/user.ts'
import { change } from '../../core/audit/audit.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import type { Context } from '../../core/context.ts'
import type { UserPrincipal } from '../../core/principals.ts'
import { invalid } from '../../core/errors.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { adminOnly, recentSession } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { parse } from '../../core/validation.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { lockOwnSecondFactor, lockSecondFactor } from './methods.ts'
import type { SecondFactorMethod } from './methods.ts'
import { forgetProofs, recordProof } from '../sessions/proved-two-factor.ts'
import { deleteRecoveryCodes, renewRecoveryCodes } from './recovery-code.ts'
import { RecoveryCodesPayload } from './second-factor.ts'

const DisableSecondFactorPayload = payloadType<{ viewer: UserPrincipal }>('DisableSecondFactorPayload', {
  description: 'The user, whose sign-ins no longer require two-factor authentication.',
  fields: (t) => ({ viewer: t.expose('viewer', { type: ViewerType, description: 'The user.' }) }),
})

const RequirePasskeyInput = builder.inputType('RequirePasskeyInput', {
  fields: (t) => ({ endOtherSessions: t.boolean(endOtherSessionsField) }),
})
const DisableSecondFactorInput = builder.inputType('DisableSecondFactorInput', {
  fields: (t) => ({ endOtherSessions: t.boolean(endOtherSessionsField) }),
})

const alreadyOff = () => invalid({ secondFactor: ['Two-factor authentication is off.'] })

builder.mutationFields((t) => ({
  requirePasskey: t.field({
    description:
      'Turns two-factor authentication on with the passkeys of the user: a sign-in with the password also requires a passkey or a recovery code.',
    type: RecoveryCodesPayload,
    requires: recentSession,
    args: { input: t.arg({ type: RequirePasskeyInput }) },
    resolve: (_, { input }, context, info) => {
      const viewer = requirePerson(context)
      const { user } = viewer
      const { id } = user
      return change(context, info, async (transaction) => {
        const [{ methods: before, passkeys }, { endedSessions, audited }] = await Promise.all([
          lockOwnSecondFactor(transaction, id),
          endOtherSessions(transaction, context, input?.endOtherSessions),
        ])
        if (before.length > 0) throw invalid({ secondFactor: ['Two-factor authentication is already on.'] })
        if (passkeys === 0) throw invalid({ secondFactor: ['You have no passkey. Add one first.'] })
        const recoveryCodes = renewRecoveryCodes(transaction, context, id)
        recordProof(transaction, viewer)
        await sendNotice(transaction, context, user, 'second-factor-on', {})
        const after = { methods: ['passkey'], ...audited }
        return { result: { recoveryCodes }, subject: id, before: { methods: before }, after, endedSessions }
      })
    },
  }),
  regenerateRecoveryCodes: t.field({
    description: 'Replaces the recovery codes; the previous ones stop working.',
    type: RecoveryCodesPayload,
    requires: recentSession,
    resolve: (_, __, context, info) => {
      const { user } = requirePerson(context)
      const { id } = user
      return change(context, info, async (transaction) => {
        // Because of the lock, the codes of the last of two parallel requests are valid, and no codes remain if the second factor is turned
        // off at the same time.
        const { methods, recoveryCodesLeft } = await lockOwnSecondFactor(transaction, id)
        if (methods.length === 0) throw alreadyOff()
        const before = { recoveryCodesLeft }
        const recoveryCodes = renewRecoveryCodes(transaction, context, id)
        await sendNotice(transaction, context, user, 'recovery-codes-created', {})
        return { result: { recoveryCodes }, subject: id, before, after: { recoveryCodesLeft: recoveryCodes.length }, isUnchanged: false }
      })
    },
  }),
  disableSecondFactor: t.field({
    description:
      'Turns two-factor authentication off: the password alone signs in. Deletes the authenticator app and the recovery codes; passkeys remain for signing in without the password.',
    type: DisableSecondFactorPayload,
    requires: recentSession,
    args: { input: t.arg({ type: DisableSecondFactorInput }) },
    resolve: (_, { input }, context, info) => {
      const viewer = requirePerson(context)
      const { id } = viewer.user
      return change(context, info, async (transaction) => {
        const [{ user, methods }, { endedSessions, audited }] = await Promise.all([
          lockOwnSecondFactor(transaction, id),
          endOtherSessions(transaction, context, input?.endOtherSessions),
        ])
        await turnOff(transaction, context, user, methods)
        return { result: { viewer }, subject: id, before: { methods }, after: { methods: [], ...audited }, endedSessions }
      })
    },
  }),
  resetSecondFactor: t.field({
    description:
      'Turns two-factor authentication off for a user who lost every method and recovery code. The user signs in with the password and receives an email. For operators and staff.',
    type: UserPayload,
    requires: adminOnly,
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { email } = parse(userRules, input)
      return change(context, info, async (transaction) => {
        const locked = await lockSecondFactor(transaction, { email })
        if (!locked) throw unknownAccount()
        const { user, methods } = locked
        await turnOff(transaction, context, user, methods)
        return { result: { user }, subject: user.id, accountId: user.id, before: { methods }, after: { methods: [] } }
      })
    },
  }),
}))

/** Turns the second factor off and notifies the user. Throws if none of the methods was on. */
async function turnOff(transaction: Transaction, context: Context, user: User, methods: SecondFactorMethod[]): Promise<void> {
  if (methods.length === 0) throw alreadyOff()
  const data = { totpSecret: null, totpLastStep: null, updatedAt: context.now() }
  transaction.defer(updateRows(transaction, 'users', { id: user.id }, data))
  deleteRecoveryCodes(transaction, user.id)
  forgetProofs(transaction, user.id)
  await sendNotice(transaction, context, user, 'second-factor-off', {})
}
