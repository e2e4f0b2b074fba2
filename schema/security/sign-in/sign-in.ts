import { hashingComplexity } from '../../accounts/passwords/password.ts'
import { builder } from '../../builder/builder.ts'
import { accountSiteOnly } from '../../core/requires.ts'
import { assertionOptions } from '../passkeys/passkey-assertion.ts'
import { completeSignIn, SignInPayload, wrongPassword } from './complete.ts'
import { verifyPasskey } from './verify-passkey.ts'
import { verifyPassword } from './verify-password.ts'

builder.queryField('passkeySignIn', (t) =>
  t.string({
    description:
      'A challenge for signing in with any passkey of this site: WebAuthn request options as JSON, valid for ten minutes. For the account site.',
    requires: accountSiteOnly,
    resolve: (_, __, context) => assertionOptions(context),
  }),
)

const SignInInput = builder.inputType('SignInInput', {
  fields: (t) => ({
    email: t.string({ required: true, description: 'Email address of the account.' }),
    password: t.string({ required: true, description: 'Password of the account.' }),
  }),
})
export const PasskeyResponseInput = builder.inputType('PasskeyResponseInput', {
  fields: (t) => ({ response: t.string({ required: true, description: 'The WebAuthn response of the browser, as JSON.' }) }),
})

builder.mutationFields((t) => ({
  signIn: t.field({
    description:
      'Signs in with a password. All wrong credentials produce the same error after the same time. Attempts are limited per account and IP address. For the account site.',
    type: SignInPayload,
    complexity: hashingComplexity,
    isAudited: false,
    requires: accountSiteOnly,
    args: { input: t.arg({ type: SignInInput, required: true }) },
    async resolve(_, { input: { email, password } }, context) {
      const proof = await verifyPassword(context, email, password)
      if (!proof) throw wrongPassword()
      return completeSignIn(context, proof)
    },
  }),
  signInWithPasskey: t.field({
    description: 'Signs in with a passkey that signed the challenge of `passkeySignIn`. For the account site.',
    type: SignInPayload,
    isAudited: false,
    requires: accountSiteOnly,
    args: { input: t.arg({ type: PasskeyResponseInput, required: true }) },
    resolve: async (_, { input }, context) => completeSignIn(context, await verifyPasskey(context, input.response)),
  }),
}))
