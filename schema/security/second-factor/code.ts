import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import { sendNotice, userToNotify } from '../../core/notices/send-notice.ts'
import { countUnusedRecoveryCodes, spendRecoveryCode } from './recovery-code.ts'
import { spendTotpCode } from './totp.ts'
import { typedCode } from './typed-code.ts'

/** Returns true if a code has the form of those of authenticator apps, and not of recovery codes. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(typedCode(code))

/**
 * Returns true if the code is a valid code of the user's authenticator app or a recovery code. A valid code is used up. The use of a
 * recovery code notifies the user, who has one code less.
 */
export const spendSecondFactorCode = async (context: Context, userId: string, code: string): Promise<boolean> =>
  (await spendTotpCode(context.database.pool, context, userId, code)) || spendAndNotify(context, userId, code)

const spendAndNotify = (context: Context, userId: string, code: string): Promise<boolean> =>
  inTransaction(context.database, async (transaction) => {
    if (!(await spendRecoveryCode(transaction, context, userId, code))) return false
    const [[user], [unused]] = await Promise.all([userToNotify(transaction, userId), countUnusedRecoveryCodes(transaction, userId)])
    if (user && unused) await sendNotice(transaction, { ...context, principal: null }, user, 'recovery-code-used', { left: unused.count })
    return true
  })
