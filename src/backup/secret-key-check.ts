import { timingSafeEqual } from 'node:crypto'
import { secretDeriver } from '../config/secret-key.ts'

/** A value that shows whether another backup or service has the same SECRET_KEY, but does not contain it. */
export const secretKeyCheck = (secretKey: string): string => secretDeriver(secretKey)('backup check', Buffer.alloc(0)).toString('base64url')

/** Whether a check was made with this SECRET_KEY. */
export function isKeyOfCheck(secretKey: string, check: string): boolean {
  const [expected, stored] = [Buffer.from(secretKeyCheck(secretKey)), Buffer.from(check)]
  return expected.length === stored.length && timingSafeEqual(expected, stored)
}
