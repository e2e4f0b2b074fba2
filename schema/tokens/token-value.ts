import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { TokenKind } from '../../prisma/generated/client/enums.ts'

// An access token value consists of a prefix, 30 random characters and 6 characters of checksum (docs/decisions/tokens.md#format). With the
// checksum, secret scanners and this service can recognize values that were never issued, without a query.

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const valuePattern = /^(?:pat|tat)_[0-9A-Za-z]{36}$/

export const tokenPrefix = { personal: 'pat_', team: 'tat_' } as const satisfies Record<TokenKind, string>

/** Returns a new value. It is shown once to the user who creates the token, and never stored. */
export function createTokenValue(kind: TokenKind): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  const body = tokenPrefix[kind] + random
  return body + checksum(body)
}

/** Returns the kind of a well-formed value, or null if its format or checksum is wrong. */
export function tokenKind(value: string): TokenKind | null {
  if (!valuePattern.test(value)) return null
  const body = value.slice(0, -checksumLength)
  if (checksum(body) !== value.slice(-checksumLength)) return null
  return value.startsWith(tokenPrefix.personal) ? 'personal' : 'team'
}

/** Returns the CRC-32 (IEEE) as six base62 digits, most significant first. */
function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % alphabet.length] + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

/** Returns true during the overlap of a rotation, while the previous value still works (docs/decisions/tokens.md#rotation). */
export const isWithinOverlap = (previousExpiresAt: Date | null, now: Date): previousExpiresAt is Date =>
  previousExpiresAt !== null && previousExpiresAt > now
