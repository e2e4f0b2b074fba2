import { randomInt } from 'node:crypto'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Ports } from '../../core/ports.ts'
import { typedCode } from './typed-code.ts'

// Recovery codes replace a lost authenticator app or passkey, each once. They are stored as keyed digests, so that a database dump alone
// does not allow searching for them.

// Crockford's base 32, which has no similar characters. 12 characters are 60 bits.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groups = 3
const groupLength = 4
const codesPerPerson = 10

/** Creates a code such as `K7QX-04MB-ZZ1T`. */
const createCode = () => Array.from({ length: groups }, () => Array.from({ length: groupLength }, randomCharacter).join('')).join('-')
const randomCharacter = () => alphabet[randomInt(alphabet.length)]

/** Removes separators and replaces characters that are easily confused, as Crockford's base 32 specifies. */
const normalize = (code: string) => typedCode(code).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')

const keyed = (userId: string, code: string) => ['recovery code', Buffer.from(JSON.stringify([userId, normalize(code)]))] as const

/** Replaces the codes of a user. The new codes are returned and cannot be read again. */
export function renewRecoveryCodes(transaction: Transaction, ports: Pick<Ports, 'deriveSecret'>, userId: string): string[] {
  const codes = Array.from({ length: codesPerPerson }, createCode)
  const hashes = codes.map((code) => ports.deriveSecret(...keyed(userId, code)))
  deleteRecoveryCodes(transaction, userId)
  transaction.defer(insertCodes(transaction, userId, hashes))
  return codes
}

export const deleteRecoveryCodes = (transaction: Transaction, userId: string): void => transaction.defer(deleteCodes(transaction, userId))

const deleteCodes = statement<object, [userId: string]>('delete_recovery_codes', 'DELETE FROM recovery_codes WHERE user_id = $1')
const insertCodes = statement<object, [userId: string, hashes: Buffer[]]>(
  'insert_recovery_codes',
  'INSERT INTO recovery_codes (user_id, hash) SELECT $1::uuid, unnest($2::bytea[])',
)

/** Returns true if the code is an unused recovery code of the user. It is used up then. */
export async function spendRecoveryCode(
  transaction: Transaction,
  ports: Pick<Ports, 'now' | 'deriveSecret'>,
  userId: string,
  code: string,
): Promise<boolean> {
  const spent = await spendCode(transaction, userId, ports.deriveSecret.accepted(...keyed(userId, code)), ports.now())
  return spent.length === 1
}

const spendCode = statement<object, [userId: string, hashes: readonly Buffer[], now: Date]>(
  'spend_recovery_code',
  'UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND hash = ANY ($2::bytea[]) AND used_at IS NULL RETURNING hash',
)

export const countUnusedRecoveryCodes = statement<{ count: number }, [userId: string]>(
  'count_unused_recovery_codes',
  'SELECT count(*) AS count FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL',
)
