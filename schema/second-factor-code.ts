import type { Transaction } from '../prisma/client.ts'
import type { Ports } from './context.ts'
import { spendRecoveryCode } from './recovery-code.ts'
import { spendTotpCode } from './totp.ts'

/** Whether a code is the person's, of their authenticator application or one that stands in for it; it is then spent. */
export const spendSecondFactorCode = async (
  transaction: Transaction,
  ports: Pick<Ports, 'now' | 'deriveSecret'>,
  userId: string,
  code: string,
): Promise<boolean> =>
  (await spendTotpCode(transaction, ports, userId, code)) || (await spendRecoveryCode(transaction, ports, userId, code))
