import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { undoDeletion } from '../../accounts/deletion/pending-deletion.ts'
import { payloadType } from '../../builder/payload-type.ts'
import type { BrowserSession, SignInProof } from '../../core/browser-session.ts'
import type { SignInMethod } from '../../core/attempts/failed-sign-in.ts'
import type { Context } from '../../core/context.ts'
import { requireBrowser } from '../../core/attempts/count-attempt.ts'
import { invalid } from '../../core/errors.ts'
import { sendNotice, userToNotify } from '../../core/notices/send-notice.ts'
import { findSecondFactor } from '../second-factor/methods.ts'
import { isOwnProof } from '../sessions/own-proof.ts'
import { provesTwoFactor } from '../sessions/proved-two-factor.ts'
import { isTrusted } from '../trusted-devices/trust.ts'

interface SignInResult {
  isSignedIn: boolean
  isRestored: boolean
}

export const SignInPayload = payloadType<SignInResult>('SignInPayload', {
  description: 'The result of a sign-in step with valid credentials. For the account site.',
  fields: (t) => ({
    isSignedIn: t.exposeBoolean('isSignedIn', {
      description: 'Whether the browser is signed in. If false, the account requires two-factor authentication: see `pendingSignIn`.',
    }),
    isRestored: t.exposeBoolean('isRestored', {
      description: 'Whether the sign-in undid the deletion of the account.',
    }),
  }),
})

/** Returns the error for an unknown address, for a wrong password, and for a password that changed after it was verified. */
export const wrongPassword = () => invalid({ password: ['The email address or password is incorrect.'] })

/**
 * Signs the browser in, or saves the sign-in as pending if the password, or an identity provider, is the only proof and the account has a second
 * factor. A passkey counts as two factors: the device, and the fingerprint or PIN that unlocks it. A trusted browser replaces the
 * second factor at a sign-in, but not when the user who is signed in confirms it.
 */
export async function completeSignIn(context: Context, proof: SignInProof): Promise<SignInResult> {
  const { userId, methods, passwordDigest, providerId } = proof
  const browser = requireBrowser(context)
  if (!provesTwoFactor(proof) && (await findSecondFactor(context.database, userId)).methods.length > 0) {
    const skippedSecondFactor = !isConfirmation(context, userId) && (await isTrusted(context, userId))
    if (skippedSecondFactor) return signIn(context, browser, { ...proof, skippedSecondFactor })
    browser.savePendingSignIn({ userId, methods, passwordDigest, providerId })
    return { isSignedIn: false, isRestored: false }
  }
  return signIn(context, browser, proof)
}

/** Returns true if the user is signed in already and authenticates again. */
const isConfirmation = ({ principal }: Context, userId: string) => principal?.kind === 'user' && principal.user.id === userId

/**
 * Signs in, and notifies the user of a browser that neither created the account nor ever signed in to it. The mail is in the outbox before
 * the response gives the session to the browser: without the mail there is no response.
 */
async function signIn(context: Context, browser: BrowserSession, proof: SignInProof): Promise<SignInResult> {
  const { userId, passwordDigest } = proof
  const createdHere = passwordDigest !== null && browser.findSignUp()?.passwordDigest === passwordDigest
  const isNew = !isConfirmation(context, userId) && browser.findDevice(userId) === null && !createdHere
  let isRestored = false
  if (!(await browser.signIn(proof))) {
    const mayUndo = await mayUndoDeletion(context, proof)
    isRestored = mayUndo && (await undoDeletion(context, userId))
    if (!isRestored || !(await browser.signIn(proof))) {
      const reason = mayUndo ? 'password_changed' : 'deletion_pending'
      context.signInFailed({ account: { id: userId }, method: getLastMethod(proof), reason })
      throw wrongPassword()
    }
  }
  // No mail is needed after a restoration, because the mail about it says the same.
  if (isNew && !isRestored) await announceDevice(context, userId)
  return { isSignedIn: true, isRestored }
}

/** Returns the method of the last step of a sign-in. */
function getLastMethod({ methods, providerId }: SignInProof): SignInMethod {
  const last = methods.at(-1)
  if (last !== undefined) return referenceMethods[last]
  return providerId === undefined ? 'email_code' : 'provider'
}

const referenceMethods = { pwd: 'password', otp: 'second_factor', hwk: 'passkey' } as const

/** Returns true if the sign-in may undo the deletion of the account: at the provider of a team, only if the team created the account. */
const mayUndoDeletion = async ({ database }: Context, proof: SignInProof): Promise<boolean> =>
  isOwnProof(proof) || (await opensAccount(database.pool, proof.providerId ?? null, proof.userId)).length > 0

const opensAccount = statement<object, [providerId: string | null, userId: string]>(
  'provider_that_opens_account',
  'SELECT 1 WHERE limited_team_ids(ARRAY[$1::uuid], $2) IS NULL',
)

const announceDevice = (context: Context, userId: string) =>
  inTransaction(context.database, async (transaction) => {
    const [user] = await userToNotify(transaction, userId)
    if (user) await sendNotice(transaction, { ...context, principal: null }, user, 'new-device', {})
  })
