import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { TokenKind } from '../prisma/generated/client/enums.ts'

// The form of access token values (decisions §7): prefix, 30 random characters, six of checksum. The checksum lets a
// scanner and this service refuse what was never issued without asking anybody.

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const valuePattern = /^(?:pat|tat)_[0-9A-Za-z]{36}$/

export const tokenPrefix = { personal: 'pat_', team: 'tat_' } as const satisfies Record<TokenKind, string>

/** A fresh value; shown once to the person who creates it, never stored. */
export function createTokenValue(kind: TokenKind): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  const body = tokenPrefix[kind] + random
  return body + checksum(body)
}

/** The kind a well-formed value is of, or null when its form or checksum is wrong. */
export function tokenKind(value: string): TokenKind | null {
  if (!valuePattern.test(value)) return null
  const body = value.slice(0, -checksumLength)
  if (checksum(body) !== value.slice(-checksumLength)) return null
  return value.startsWith(tokenPrefix.personal) ? 'personal' : 'team'
}

/** CRC-32 (IEEE) as six base62 digits, most significant first. */
function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % alphabet.length] + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

/** SHA-256, the only form in which a secret with this much entropy is kept. */
export const sha256 = (value: string | Uint8Array): Buffer<ArrayBuffer> => createHash('sha256').update(value).digest()
