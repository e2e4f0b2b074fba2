import { hashingComplexity } from '../../accounts/passwords/password.ts'
import { builder } from '../../builder/builder.ts'
import { invalid } from '../../core/errors.ts'
import { confirmationOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { assertionOptions } from '../passkeys/passkey-assertion.ts'
import { completeSignIn, SignInPayload } from './complete.ts'
import { PasskeyResponseInput } from './sign-in.ts'
import { verifyPasskey, wrongAccount } from './verify-passkey.ts'
import { verifyPassword } from './verify-password.ts'

/** Binds a challenge to this purpose: an assertion from the sign-in page is not accepted here, nor the other way round. */
export const confirmationPurpose = 'confirm'

builder.objectField(ViewerType, 'passkeyConfirmation', (t) =>
  t.string({
    description:
      'A challenge for confirming the sign-in with a passkey: WebAuthn request options as JSON. Null if the user has no passkey. For the account site.',
    nullable: true,
    requires: confirmationOnly,
    async resolve(_, __, context) {
      const passkey = await context.database.prisma.passkey.findFirst({ where: { userId: requirePerson(context).user.id } })
      return passkey ? assertionOptions(context, confirmationPurpose) : null
    },
  }),
)

builder.objectField(ViewerType, 'hasPassword', (t) =>
  t.boolean({
    description:
      'Whether the user can confirm the sign-in with a password: an account that a provider created has none. For the account site.',
    requires: confirmationOnly,
    async resolve(_, __, context) {
      const where = { id: requirePerson(context).user.id, passwordHash: { not: null } }
      return (await context.database.prisma.user.findFirst({ where, select: { id: true } })) !== null
    },
  }),
)

const ConfirmSignInInput = builder.inputType('ConfirmSignInInput', {
  fields: (t) => ({ password: t.string({ required: true, description: 'Password of the signed-in user.' }) }),
})

builder.mutationFields((t) => ({
  confirmSignIn: t.field({
    description:
      'Authenticates the signed-in user again by password, for operations that require a recent sign-in. Attempts count as those of `signIn`. For the account site.',
    type: SignInPayload,
    complexity: hashingComplexity,
    isAudited: false,
    requires: confirmationOnly,
    args: { input: t.arg({ type: ConfirmSignInInput, required: true }) },
    async resolve(_, { input: { password } }, context) {
      const { id, email } = requirePerson(context).user
      const proof = await verifyPassword(context, email, password)
      if (proof?.userId !== id) throw invalid({ password: ['The password is incorrect.'] })
      return completeSignIn(context, proof)
    },
  }),
  confirmSignInWithPasskey: t.field({
    description:
      'Authenticates the signed-in user again by a passkey that signed the challenge of `viewer.passkeyConfirmation`. For the account site.',
    type: SignInPayload,
    isAudited: false,
    requires: confirmationOnly,
    args: { input: t.arg({ type: PasskeyResponseInput, required: true }) },
    async resolve(_, { input }, context) {
      const proof = await verifyPasskey(context, input.response, confirmationPurpose)
      if (proof.userId !== requirePerson(context).user.id) throw wrongAccount()
      return completeSignIn(context, proof)
    },
  }),
}))
