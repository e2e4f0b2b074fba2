import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import { isPendingDeletion } from '../../accounts/deletion/pending-deletion.ts'
import { EmailPayload } from '../../accounts/email/email-payload.ts'
import { sendMailLink, storedMailLinkSecret } from '../../accounts/mail-link.ts'
import { digestOfHash } from '../../accounts/passwords/password-hash.ts'
import { builder } from '../../builder/builder.ts'
import { countSignUp, requireBrowser } from '../../core/attempts/count-attempt.ts'
import { change } from '../../core/audit/audit.ts'
import type { CodeRequest, SignInProof } from '../../core/browser-session.ts'
import type { Context } from '../../core/context.ts'
import { lockAccount } from '../../core/database/locks.ts'
import { DomainError, invalid } from '../../core/errors.ts'
import { accountSiteOnly } from '../../core/requires.ts'
import { sha256 } from '../../core/sha256.ts'
import { mailAddress, parse, text } from '../../core/validation.ts'
import { withAttemptLimit } from './attempts.ts'
import { completeSignIn, SignInPayload } from './complete.ts'

// Sign-in with a code that is emailed (docs/decisions/emailed-codes.md). A code works only in the browser that
// requested it, and only for an account whose email address is verified: an address that its user has not confirmed may have been entered
// by someone else, who would then share the account.

/** Returns the code of a mailed link: six digits, derived from its secret, so that the database stores neither. */
export const formatSignInCode = (secret: string): string =>
  String(sha256(`sign-in code ${secret}`).readUIntBE(0, 6) % 1_000_000).padStart(6, '0')

/** Returns true if the account can be signed in to with a code: enabled, or deleted by its user, who may undo the deletion. */
const isOpen = (user: User): boolean => user.emailVerified && (user.disabledAt === null || isPendingDeletion(user))

function requireEmailSignIn({ emailSignIn }: Context, field: 'email' | 'code'): void {
  if (!emailSignIn) throw invalid({ [field]: ['Sign-in with an emailed code is turned off.'] })
}

builder.queryField('offersEmailedCode', (t) =>
  t.boolean({
    description: 'Whether users can sign in with a code that is emailed to them. For the account site.',
    requires: accountSiteOnly,
    resolve: (_, __, { emailSignIn }) => emailSignIn,
  }),
)

const RequestSignInCodeInput = builder.inputType('RequestSignInCodeInput', {
  fields: (t) => ({ email: t.string({ required: true, description: 'Email address of the account.' }) }),
})
const SignInWithCodeInput = builder.inputType('SignInWithCodeInput', {
  fields: (t) => ({ code: t.string({ required: true, description: 'The six digits of the email.' }) }),
})
const requestRules = z.object({ email: mailAddress })
const codeRules = z.object({ code: text })

builder.mutationFields((t) => ({
  requestSignInCode: t.field({
    description:
      'Emails a code for signing in in this browser, valid for ten minutes. The response and its time are the same if there is no account. For the account site.',
    type: EmailPayload,
    requires: accountSiteOnly,
    args: { input: t.arg({ type: RequestSignInCodeInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      requireEmailSignIn(context, 'email')
      await countSignUp(context)
      const { email } = parse(requestRules, input)
      const browser = requireBrowser(context)
      const { linkId, isSent } = await change(
        context,
        info,
        async (transaction) => {
          const account = await lockAccount(transaction, { email })
          const user = account && isOpen(account) ? account : null
          const link = await sendMailLink(transaction, context, { kind: 'sign_in', mail: 'sign-in-code', user, email })
          return { result: link, subject: user?.id ?? email, isDiscarded: !link.isSent }
        },
        { mayDiscard: true },
      )
      if (!isSent) context.signInFailed({ account: { email }, method: 'email_code', reason: 'code_not_sent' })
      // The request replaces the previous one even if no email was sent. Otherwise, the cookie and the attempts that are left would reveal
      // whether the email address has an account.
      browser.saveCodeRequest({ linkId, email })
      return { email }
    },
  }),
  signInWithCode: t.field({
    description:
      'Signs in with the code that was emailed last at the request of this browser. Five attempts are possible with one code. For the account site.',
    type: SignInPayload,
    isAudited: false,
    requires: accountSiteOnly,
    args: { input: t.arg({ type: SignInWithCodeInput, required: true }) },
    async resolve(_, { input }, context) {
      requireEmailSignIn(context, 'code')
      const { code } = parse(codeRules, input)
      const browser = requireBrowser(context)
      const request = browser.findCodeRequest()
      if (!request) throw codeEnded()
      await countTry(context, request)
      const account = await findAccount(context, request)
      const { email } = request
      const target = { key: email, userId: account?.id ?? null, account: { email }, wrongReason: 'wrong_emailed_code' } as const
      const proof = await withAttemptLimit(context, 'email_code', target, () => spendCode(context, request, code))
      if (!proof) throw invalid({ code: ['The code is incorrect or has expired.'] })
      browser.clearCodeRequest()
      return completeSignIn(context, proof)
    },
  }),
}))

const codeEnded = () => invalid({ code: ['This code can no longer be used. Request a new one.'] })

/** Counts a try of one code. After the fifth, only a new code helps, so the error says that and not how long to wait. */
async function countTry(context: Context, { linkId, email }: CodeRequest): Promise<void> {
  try {
    await requireBrowser(context).attemptLimits.signInCode.attempt(linkId)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'rate_limited') throw error
    context.signInFailed({ account: { email }, method: 'email_code', reason: 'code_limited' })
    throw codeEnded()
  }
}

const findAccount = ({ database }: Context, { email }: CodeRequest) =>
  database.prisma.user.findUnique({ where: { email }, select: { id: true } })

interface StoredCode {
  nonce: string
  tokenHash: string
}

const liveCode = statement<StoredCode, [id: string, userId: string | null, now: Date]>(
  'live_sign_in_code',
  `SELECT encode(nonce, 'hex') AS nonce, encode(token_hash, 'hex') AS "tokenHash" FROM mail_links
   WHERE id = $1 AND user_id = $2 AND kind = 'sign_in' AND used_at IS NULL AND expires_at > $3`,
)

/** Uses the code of a request, once, also for parallel requests. Returns null for a wrong code, and for an email address without account. */
const spendCode = (context: Context, { linkId, email }: CodeRequest, code: string): Promise<SignInProof | null> =>
  inTransaction(context.database, async (transaction) => {
    const now = context.now()
    const user = await lockAccount(transaction, { email })
    const [stored] = await liveCode(transaction, linkId, user && isOpen(user) ? user.id : null, now)
    if (!user || !stored || !isSameCode(context, stored, code)) return null
    await updateRows(transaction, 'mail_links', { id: linkId }, { usedAt: now })
    // With the digest of the password, a sign-in that waits for the second factor ends when the password changes.
    const passwordDigest = user.passwordHash === null ? null : digestOfHash(user.passwordHash)
    return { userId: user.id, methods: [], passwordDigest }
  })

function isSameCode(context: Context, { nonce, tokenHash }: StoredCode, code: string): boolean {
  const secret = storedMailLinkSecret(context, { nonce: Buffer.from(nonce, 'hex'), tokenHash: Buffer.from(tokenHash, 'hex') })
  const entered = code.replaceAll(/\s/g, '')
  return secret !== undefined && /^\d{6}$/.test(entered) && timingSafeEqual(Buffer.from(formatSignInCode(secret)), Buffer.from(entered))
}
