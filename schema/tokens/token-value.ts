import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { TokenKind } from '../../prisma/generated/client/enums.ts'

// The value of a token consists of a prefix, 30 random characters and 6 characters of checksum (docs/decisions/tokens.md#format). With the
// checksum, secret scanners and this service can recognize values that were never issued, without a query.

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const valuePattern = /^(?:pat|tat|iat)_[0-9A-Za-z]{36}$/

export const tokenPrefix = { personal: 'pat_', team: 'tat_' } as const satisfies Record<TokenKind, string>

/** The prefix of a token that registers clients. No API accepts it. */
export const initialAccessPrefix = 'iat_'

/** Returns a new value. It is shown once to the user who creates the token, and never stored. */
export const createTokenValue = (kind: TokenKind): string => createValue(tokenPrefix[kind])

/** Returns the value of a new token that registers clients. */
export const createInitialAccessValue = (): string => createValue(initialAccessPrefix)

function createValue(prefix: string): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return prefix + random + checksum(prefix + random)
}

/** Returns the kind of a well-formed value of an access token, or null if its format or checksum is wrong. */
export function tokenKind(value: string): TokenKind | null {
  if (!isWellFormed(value)) return null
  if (value.startsWith(tokenPrefix.personal)) return 'personal'
  return value.startsWith(tokenPrefix.team) ? 'team' : null
}

/** Returns true for a well-formed value of a token that registers clients. */
export const isInitialAccessValue = (value: string): boolean => value.startsWith(initialAccessPrefix) && isWellFormed(value)

const isWellFormed = (value: string): boolean =>
  valuePattern.test(value) && checksum(value.slice(0, -checksumLength)) === value.slice(-checksumLength)

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
