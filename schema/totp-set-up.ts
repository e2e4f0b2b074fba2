import { z } from 'zod'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { UserPrincipal } from './context.ts'
import { invalid } from './errors.ts'
import { sessionPerson } from './reach.ts'
import { renewRecoveryCodes } from './recovery-code.ts'
import { recentSession } from './requires.ts'
import { lockSecondFactor, secondFactorMethods } from './second-factor-methods.ts'
import { RecoveryCodesPayload } from './second-factor.ts'
import { openProposal, proposeTotp } from './totp-proposal.ts'
import type { TotpProposal } from './totp-proposal.ts'
import { sealTotpSecret, totpSecretText, totpStep, totpUri } from './totp.ts'
import { parse, text } from './validation.ts'
import { ViewerType } from './viewer.ts'

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

builder.objectField(ViewerType, 'totpProposal', (t) =>
  t.field({
    description: 'A new secret, or the one that was proposed before; for account-site sessions.',
    type: TotpProposalType,
    requires: recentSession,
    args: { sealed: t.arg.string({ description: 'What was proposed before; a new one where it is not ours, or too old.' }) },
    resolve: (_, { sealed }, context) => {
      const principal = sessionPerson(context)
      return { ...((sealed && openProposal(context, principal.user.id, sealed)) || proposeTotp(context, principal.user.id)), principal }
    },
  }),
)

const rules = z.object({ sealed: text, code: text })

builder.mutationField('confirmTotp', (t) =>
  t.field({
    description:
      'Makes an authenticator application a second factor: a code shows that it has the proposed secret. Where passkeys were one before, they stay it, and the recovery codes are new.',
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
        const before = await lockSecondFactor(transaction, id)
        if (before.includes('totp')) throw invalid({ sealed: ['An authenticator application is set up already.'] })
        const data = { totpSecret: sealTotpSecret(context, proposal.secret, id), totpLastStep: step }
        await transaction.user.update({ where: { id }, data })
        const recoveryCodes = await renewRecoveryCodes(transaction, context, id)
        const after = await secondFactorMethods(transaction, id)
        return { result: { recoveryCodes }, subject: id, before: { methods: before }, after: { methods: after } }
      })
    },
  }),
)
