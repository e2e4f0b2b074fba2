import { randomInt } from 'node:crypto'
import type { Transaction } from '../prisma/client.ts'
import type { Ports } from './context.ts'

// Codes that stand in for a lost authenticator application or passkey, each once. Kept as keyed digests: a dump alone cannot be
// searched for them.

// Crockford's base 32: nothing in it is mistaken for anything else. 12 characters are 60 bits.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groups = 3
const groupLength = 4
const codesPerPerson = 10

/** `K7QX-04MB-ZZ1T` */
const createCode = () => Array.from({ length: groups }, () => Array.from({ length: groupLength }, randomCharacter).join('')).join('-')
const randomCharacter = () => alphabet[randomInt(alphabet.length)]

/** As it was printed, however it was typed. */
const normal = (typed: string) => typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')

const digestOf = ({ deriveSecret }: Pick<Ports, 'deriveSecret'>, userId: string, code: string): Buffer<ArrayBuffer> =>
  Buffer.from(deriveSecret('recovery code', Buffer.from(JSON.stringify([userId, normal(code)]))))

/** Fresh codes for a person, in place of all there were; they are only in the answer. */
export async function renewRecoveryCodes(transaction: Transaction, ports: Pick<Ports, 'deriveSecret'>, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codesPerPerson }, createCode)
  await transaction.recoveryCode.deleteMany({ where: { userId } })
  await transaction.recoveryCode.createMany({ data: codes.map((code) => ({ hash: digestOf(ports, userId, code), userId })) })
  return codes
}

/** Whether it is one of the person's codes, and was not used; it is then. */
export async function spendRecoveryCode(
  transaction: Transaction,
  ports: Pick<Ports, 'now' | 'deriveSecret'>,
  userId: string,
  code: string,
): Promise<boolean> {
  const { count } = await transaction.recoveryCode.updateMany({
    where: { hash: digestOf(ports, userId, code), userId, usedAt: null },
    data: { usedAt: ports.now() },
  })
  return count === 1
}

export const recoveryCodesLeft = (prisma: Transaction, userId: string): Promise<number> =>
  prisma.recoveryCode.count({ where: { userId, usedAt: null } })
