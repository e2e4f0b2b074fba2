import { timingSafeEqual } from 'node:crypto'
import { secretDeriver } from '../config/secret-key.ts'

/** Returns a value that shows if another backup or service has the same SECRET_KEY, but does not contain it. */
export const secretKeyCheck = (secretKey: string): string => secretDeriver(secretKey)('backup check', Buffer.alloc(0)).toString('base64url')

/** Returns true if a check was created with this SECRET_KEY. */
export function isKeyOfCheck(secretKey: string, check: string): boolean {
  const [expected, stored] = [Buffer.from(secretKeyCheck(secretKey)), Buffer.from(check)]
  return expected.length === stored.length && timingSafeEqual(expected, stored)
}
