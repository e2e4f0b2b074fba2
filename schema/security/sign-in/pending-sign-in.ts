import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import type { TrustingSignIn } from '../../core/audit/actions.ts'
import type { AuthenticationReference, PendingSignIn } from '../../core/browser-session.ts'
import type { FailedSignInReason } from '../../core/attempts/failed-sign-in.ts'
import type { Context } from '../../core/context.ts'
import { requireBrowser } from '../../core/attempts/count-attempt.ts'
import { invalid, unauthenticated } from '../../core/errors.ts'
import { accountSiteOnly } from '../../core/requires.ts'
import { assertionOptions } from '../passkeys/passkey-assertion.ts'
import { isAppCode, spendSecondFactorCode } from '../second-factor/code.ts'
import { findSecondFactor } from '../second-factor/methods.ts'
import type { SecondFactorMethod } from '../second-factor/methods.ts'
import { SecondFactorMethodType } from '../second-factor/second-factor.ts'
import { trustBrowser } from '../trusted-devices/trust.ts'
import { withAttemptLimit } from './attempts.ts'
import { completeSignIn, SignInPayload } from './complete.ts'
import { usePasskey, wrongAccount } from './verify-passkey.ts'

interface SecondFactorStep {
  userId: string
  methods: SecondFactorMethod[]
}

const PendingSignInType = builder.objectRef<SecondFactorStep>('PendingSignIn').implement({
  description:
    'A sign-in in this browser whose password was correct and which still requires two-factor authentication. It expires after ten minutes.',
  fields: (t) => ({
    email: t.string({
      description: 'The email address of the account.',
      resolve: async ({ userId }, _, { database }) => {
        const user = await database.prisma.user.findUnique({ where: { id: userId }, select: { email: true } })
        if (!user) throw unauthenticated()
        return user.email
      },
    }),
    methods: t.expose('methods', {
      type: [SecondFactorMethodType],
      description: 'The methods that the account has; a recovery code works too.',
    }),
    passkeySignIn: t.string({
      description: 'A challenge for a passkey of the account: WebAuthn request options as JSON. Null if the account requires no passkey.',
      nullable: true,
      resolve: ({ userId, methods }, _, context) => (methods.includes('passkey') ? assertionOptions(context, userId) : null),
    }),
  }),
})

builder.queryField('pendingSignIn', (t) =>
  t.field({
    description: 'The pending sign-in of this browser, which still requires two-factor authentication, or null. For the account site.',
    type: PendingSignInType,
    nullable: true,
    requires: accountSiteOnly,
    async resolve(_, __, context) {
      const pending = requireBrowser(context).findPendingSignIn()
      return pending && { userId: pending.userId, methods: (await findSecondFactor(context.database, pending.userId)).methods }
    },
  }),
)

const trustDevice = { description: 'Whether sign-ins in this browser skip two-factor authentication for 30 days.' }
const SecondFactorCodeInput = builder.inputType('SecondFactorCodeInput', {
  fields: (t) => ({
    code: t.string({ required: true, description: 'A code of the authenticator app, or a recovery code.' }),
    trustDevice: t.boolean(trustDevice),
  }),
})
const SecondFactorPasskeyInput = builder.inputType('SecondFactorPasskeyInput', {
  fields: (t) => ({
    response: t.string({ required: true, description: 'The WebAuthn response of the browser, as JSON.' }),
    trustDevice: t.boolean(trustDevice),
  }),
})

builder.mutationFields((t) => ({
  completeSignIn: t.field({
    description:
      'Completes the pending sign-in of this browser with a code. Attempts are limited per account and IP address. For the account site.',
    type: SignInPayload,
    isAudited: false,
    requires: accountSiteOnly,
    args: { input: t.arg({ type: SecondFactorCodeInput, required: true }) },
    resolve: (_, { input: { code, trustDevice } }, context) =>
      verifySecondFactor(
        context,
        'completeSignIn',
        { method: 'otp', wrongReason: getWrongReason(code), trustDevice },
        async ({ userId }) => {
          if (!(await spendSecondFactorCode(context, userId, code))) throw invalid({ code: ['The code is incorrect or was already used.'] })
        },
      ),
  }),
  completeSignInWithPasskey: t.field({
    description: 'Completes the pending sign-in of this browser with a passkey of the account. For the account site.',
    type: SignInPayload,
    isAudited: false,
    requires: accountSiteOnly,
    args: { input: t.arg({ type: SecondFactorPasskeyInput, required: true }) },
    resolve: (_, { input: { response, trustDevice } }, context) =>
      verifySecondFactor(
        context,
        'completeSignInWithPasskey',
        { method: 'hwk', wrongReason: 'passkey_refused', trustDevice },
        async (pending) => {
          // The challenge is bound to the account whose password was entered.
          const { userId } = await usePasskey(context, response, pending.userId)
          if (userId !== pending.userId) throw wrongAccount()
        },
      ),
  }),
}))

const usableIdentity = statement<object, [userId: string, providerId: string]>(
  'usable_identity_of_pending_sign_in',
  `SELECT FROM external_identities i JOIN identity_providers p ON p.id = i.provider_id AND p.disabled_at IS NULL
   JOIN teams t ON t.id = p.team_id AND t.deleted_at IS NULL WHERE i.user_id = $1 AND i.provider_id = $2::uuid LIMIT 1`,
)

/** Returns true if the provider of a pending sign-in still signs in to the account. The password is checked with its digest. */
const isUsable = async ({ database }: Context, { userId, providerId }: PendingSignIn): Promise<boolean> =>
  providerId == null || (await usableIdentity(database.pool, userId, providerId)).length > 0

interface SecondFactorAttempt {
  method: AuthenticationReference
  wrongReason: FailedSignInReason
  trustDevice?: boolean | null | undefined
}

const getWrongReason = (code: string) => (isAppCode(code) ? 'wrong_app_code' : 'wrong_recovery_code')

/** Signs in if `verify` does not throw. Throws `unauthenticated` for a pending sign-in that expired or was completed. */
async function verifySecondFactor(
  context: Context,
  action: TrustingSignIn,
  { method, wrongReason, trustDevice }: SecondFactorAttempt,
  verify: (pending: PendingSignIn) => Promise<void>,
) {
  const browser = requireBrowser(context)
  const pending = browser.findPendingSignIn()
  if (!pending) throw unauthenticated()
  const { userId } = pending
  await withAttemptLimit(context, 'second_factor', { key: userId, userId, account: { id: userId }, wrongReason }, async () => {
    await verify(pending)
    return true
  })
  browser.clearPendingSignIn()
  if (!(await isUsable(context, pending))) throw unauthenticated()
  const result = await completeSignIn(context, { ...pending, methods: [...pending.methods, method] })
  if (trustDevice) await trustBrowser(context, action, pending)
  return result
}
