import { z } from 'zod'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { Context, UserPrincipal } from './context.ts'
import { invalid } from './errors.ts'
import { sessionPerson } from './reach.ts'
import { recoveryCodesLeft, renewRecoveryCodes } from './recovery-code.ts'
import { recentSession, sessionOnly } from './requires.ts'
import { openProposal, proposeTotp } from './totp-proposal.ts'
import type { TotpProposal } from './totp-proposal.ts'
import { sealTotpSecret, totpSecretText, totpStep, totpUri } from './totp.ts'
import { parse, text } from './validation.ts'
import { ViewerType } from './viewer.ts'

const SecondFactorType = builder.objectRef<{ isOn: boolean; recoveryCodesLeft: number }>('SecondFactor').implement({
  description: 'What signing in by password asks for besides: a code of an authenticator application.',
  fields: (t) => ({
    isOn: t.exposeBoolean('isOn', { description: 'Whether a code is asked for.' }),
    recoveryCodesLeft: t.exposeInt('recoveryCodesLeft', { description: 'How many recovery codes were not used yet.' }),
  }),
})

const TotpProposalType = builder.objectRef<TotpProposal & { principal: UserPrincipal }>('TotpProposal').implement({
  description: 'A secret for an authenticator application. Nothing is stored until a code shows that the application has it.',
  fields: (t) => ({
    secret: t.string({ description: 'The secret in base 32.', resolve: ({ secret }) => totpSecretText(secret) }),
    uri: t.string({
      description: 'The `otpauth:` address that applications read from a QR code.',
      resolve: ({ secret, principal }, _, { authUrl }) => totpUri(secret, principal.user.email, authUrl),
    }),
    sealed: t.exposeString('sealed', { description: 'The secret as `confirmTotp` takes it back, for an hour.' }),
  }),
})

builder.objectFields(ViewerType, (t) => ({
  secondFactor: t.field({
    description: 'Whether the person uses a second factor; for account-site sessions.',
    type: SecondFactorType,
    requires: sessionOnly,
    resolve: async (_, __, context) => {
      const { id } = sessionPerson(context).user
      const { prisma } = context.database
      const [user, left] = await Promise.all([prisma.user.findUniqueOrThrow({ where: { id } }), recoveryCodesLeft(prisma, id)])
      return { isOn: user.totpSecret !== null, recoveryCodesLeft: left }
    },
  }),
  totpProposal: t.field({
    description: 'A new secret, or the one that was proposed before; for account-site sessions.',
    type: TotpProposalType,
    requires: recentSession,
    args: { sealed: t.arg.string({ description: 'What was proposed before; a new one where it is not ours, or too old.' }) },
    resolve: (_, { sealed }, context) => {
      const principal = sessionPerson(context)
      return { ...((sealed && openProposal(context, principal.user.id, sealed)) || proposeTotp(context, principal.user.id)), principal }
    },
  }),
}))

const RecoveryCodesPayload = builder.objectRef<{ recoveryCodes: string[] }>('RecoveryCodesPayload').implement({
  fields: (t) => ({
    recoveryCodes: t.exposeStringList('recoveryCodes', {
      description: 'Codes that stand in for the application, each once; shown this once and never again.',
    }),
  }),
})
const DisableTotpPayload = builder.objectRef<{ viewer: UserPrincipal }>('DisableTotpPayload').implement({
  fields: (t) => ({ viewer: t.expose('viewer', { type: ViewerType, description: 'The person.' }) }),
})
const rules = z.object({ sealed: text, code: text })

const offNow = () => invalid({ secondFactor: ['The second factor is off.'] })

builder.mutationFields((t) => ({
  confirmTotp: t.field({
    description: 'Turns the second factor on: a code shows that the authenticator application has the proposed secret.',
    type: RecoveryCodesPayload,
    requires: recentSession,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ConfirmTotpInput', {
          fields: (t) => ({
            sealed: t.string({ required: true, description: 'The proposal, as `viewer.totpProposal` gave it.' }),
            code: t.string({ required: true, description: 'What the application shows.' }),
          }),
        }),
      }),
    },
    resolve: (_, { input }, context, info) => {
      const { id } = sessionPerson(context).user
      const { sealed, code } = parse(rules, input)
      const proposal = openProposal(context, id, sealed)
      if (!proposal) throw invalid({ sealed: ['This secret was proposed too long ago. Set up the new one.'] })
      const step = totpStep(proposal.secret, code, context.now())
      if (step === null) throw invalid({ code: ['The code is not right. Enter the one that the application shows now.'] })
      return change(context, info, async (transaction) => {
        const { count } = await transaction.user.updateMany({
          where: { id, totpSecret: null },
          data: { totpSecret: sealTotpSecret(context, proposal.secret, id), totpLastStep: step },
        })
        if (count === 0) throw invalid({ sealed: ['The second factor is on already.'] })
        const recoveryCodes = await renewRecoveryCodes(transaction, context, id)
        return { result: { recoveryCodes }, subject: id, before: { isOn: false }, after: { isOn: true } }
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
        const on = await transaction.$queryRaw<object[]>`SELECT 1 FROM users WHERE id = ${id}::uuid AND totp_secret IS NOT NULL FOR UPDATE`
        if (on.length === 0) throw offNow()
        const before = { recoveryCodesLeft: await recoveryCodesLeft(transaction, id) }
        const recoveryCodes = await renewRecoveryCodes(transaction, context, id)
        return { result: { recoveryCodes }, subject: id, before, after: { recoveryCodesLeft: recoveryCodes.length } }
      })
    },
  }),
  disableTotp: t.field({
    description: 'Turns the second factor off: the password alone signs in, and recovery codes no longer work.',
    type: DisableTotpPayload,
    requires: recentSession,
    resolve: (_, __, context: Context, info) => {
      const viewer = sessionPerson(context)
      const { id } = viewer.user
      return change(context, info, async (transaction) => {
        const { count } = await transaction.user.updateMany({
          where: { id, totpSecret: { not: null } },
          data: { totpSecret: null, totpLastStep: null },
        })
        if (count === 0) throw offNow()
        await transaction.recoveryCode.deleteMany({ where: { userId: id } })
        return { result: { viewer }, subject: id, before: { isOn: true }, after: { isOn: false } }
      })
    },
  }),
}))
