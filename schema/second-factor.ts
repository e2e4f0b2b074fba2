import type { Transaction } from '../prisma/client.ts'
import { enumType } from './application.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { Context, UserPrincipal } from './context.ts'
import { invalid } from './errors.ts'
import { sessionPerson } from './reach.ts'
import { recoveryCodesLeft, renewRecoveryCodes } from './recovery-code.ts'
import { operatorOnly, recentSession, sessionOnly } from './requires.ts'
import { lockSecondFactor, secondFactorMethods, SecondFactorMethod } from './second-factor-methods.ts'
import { sendNotice } from './notice.ts'
import { findUser, UserInput, UserPayload } from './user.ts'
import { ViewerType } from './viewer.ts'

const MethodType = enumType(
  'SecondFactorMethod',
  'What is shown after the password: a code of an authenticator application (`TOTP`), or a passkey.',
  SecondFactorMethod,
)

interface SecondFactor {
  methods: SecondFactorMethod[]
  recoveryCodesLeft: number
}

const SecondFactorType = builder.objectRef<SecondFactor>('SecondFactor').implement({
  description:
    'What signing in by password asks for besides: a code of an authenticator application, or a passkey, and else a recovery code.',
  fields: (t) => ({
    isOn: t.boolean({ description: 'Whether it is asked for.', resolve: ({ methods }) => methods.length > 0 }),
    methods: t.expose('methods', { type: [MethodType], description: 'By what it is on: any of these is enough. None where it is off.' }),
    recoveryCodesLeft: t.exposeInt('recoveryCodesLeft', { description: 'How many recovery codes were not used yet.' }),
  }),
})

builder.objectField(ViewerType, 'secondFactor', (t) =>
  t.field({
    description: 'Whether the person uses a second factor, and which; for account-site sessions.',
    type: SecondFactorType,
    requires: sessionOnly,
    resolve: async (_, __, context) => {
      const { id } = sessionPerson(context).user
      const { prisma } = context.database
      const [methods, left] = await Promise.all([secondFactorMethods(prisma, id), recoveryCodesLeft(prisma, id)])
      return { methods, recoveryCodesLeft: left }
    },
  }),
)

/** What turning a second factor on gives back. */
export const RecoveryCodesPayload = builder.objectRef<{ recoveryCodes: string[] }>('RecoveryCodesPayload').implement({
  fields: (t) => ({
    recoveryCodes: t.exposeStringList('recoveryCodes', {
      description: 'Codes that stand in for the second factor, each once; shown this once and never again.',
    }),
  }),
})
const DisableSecondFactorPayload = builder.objectRef<{ viewer: UserPrincipal }>('DisableSecondFactorPayload').implement({
  fields: (t) => ({ viewer: t.expose('viewer', { type: ViewerType, description: 'The person.' }) }),
})

const offNow = () => invalid({ secondFactor: ['The second factor is off.'] })

builder.mutationFields((t) => ({
  requirePasskey: t.field({
    description:
      'Turns the second factor on by the passkeys the person has: after the password, one of them is asked for, or a recovery code.',
    type: RecoveryCodesPayload,
    requires: recentSession,
    resolve: (_, __, context, info) => {
      const { id } = sessionPerson(context).user
      return change(context, info, async (transaction) => {
        const before = await lockSecondFactor(transaction, id)
        if (before.length > 0) throw invalid({ secondFactor: ['The second factor is on already.'] })
        const passkeys = await transaction.passkey.count({ where: { userId: id } })
        if (passkeys === 0) throw invalid({ secondFactor: ['You have no passkey. Add one first.'] })
        const recoveryCodes = await renewRecoveryCodes(transaction, context, id)
        const after = await secondFactorMethods(transaction, id)
        return { result: { recoveryCodes }, subject: id, before: { methods: before }, after: { methods: after } }
      })
    },
  }),
  regenerateRecoveryCodes: t.field({
    description: 'Gives new recovery codes; those there were no longer work.',
    type: RecoveryCodesPayload,
    requires: recentSession,
    resolve: (_, __, context, info) => {
      const { id } = sessionPerson(context).user
      return change(context, info, async (transaction) => {
        // Locked: of two at once the last gives the codes that work, and none are left of a factor turned off meanwhile.
        const methods = await lockSecondFactor(transaction, id)
        if (methods.length === 0) throw offNow()
        const before = { recoveryCodesLeft: await recoveryCodesLeft(transaction, id) }
        const recoveryCodes = await renewRecoveryCodes(transaction, context, id)
        return { result: { recoveryCodes }, subject: id, before, after: { recoveryCodesLeft: recoveryCodes.length } }
      })
    },
  }),
  disableSecondFactor: t.field({
    description:
      'Turns the second factor off, whatever it is on by: the password alone signs in, the authenticator application is forgotten, and recovery codes no longer work. Passkeys stay, to sign in without the password.',
    type: DisableSecondFactorPayload,
    requires: recentSession,
    resolve: (_, __, context, info) => {
      const viewer = sessionPerson(context)
      const { id } = viewer.user
      return change(context, info, async (transaction) => {
        const before = await turnOff(transaction, context, id)
        return { result: { viewer }, subject: id, before: { methods: before }, after: { methods: [] } }
      })
    },
  }),
  resetSecondFactor: t.field({
    description:
      'The same for somebody who lost what they showed and every recovery code: they sign in by their password, and are told. For operators.',
    type: UserPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const user = await findUser(transaction, input)
        const before = await turnOff(transaction, context, user.id)
        return { result: { user }, subject: user.id, before: { methods: before }, after: { methods: [] } }
      }),
  }),
}))

/** Answers what it was on by; throws where it is off. The person is told, whoever did it. */
async function turnOff(transaction: Transaction, context: Context, userId: string): Promise<SecondFactorMethod[]> {
  const before = await lockSecondFactor(transaction, userId)
  if (before.length === 0) throw offNow()
  const user = await transaction.user.update({ where: { id: userId }, data: { totpSecret: null, totpLastStep: null } })
  await transaction.recoveryCode.deleteMany({ where: { userId } })
  await sendNotice(transaction, context, user, 'second-factor-off')
  return before
}
