import { inTransaction } from '../../../prisma/transaction.ts'
import type { Context } from '../../core/context.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { countUnusedRecoveryCodes, spendRecoveryCode } from './recovery-code.ts'
import { spendTotpCode } from './totp.ts'

/**
 * Whether the code is a valid code of the user's authenticator app or a recovery code. A valid code is used up. The
 * use of a recovery code notifies the user, who has one code less.
 */
export const spendSecondFactorCode = async (context: Context, userId: string, code: string): Promise<boolean> =>
  (await spendTotpCode(context.database, context, userId, code)) || spendAndNotify(context, userId, code)

const spendAndNotify = (context: Context, userId: string, code: string): Promise<boolean> =>
  inTransaction(context.database, async (transaction) => {
    if (!(await spendRecoveryCode(transaction, context, userId, code))) return false
    const user = await transaction.prisma.user.findUniqueOrThrow({ where: { id: userId } })
    const left = await countUnusedRecoveryCodes(transaction, userId)
    await sendNotice(transaction, { ...context, principal: null }, user, 'recovery-code-used', { left })
    return true
  })
