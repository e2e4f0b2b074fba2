import { hash, verify } from '@node-rs/argon2'
import { sha256 } from '../../core/sha256.ts'

/** OWASP's minimum for argon2id: 19 MiB, two passes and one lane. The index of migration `password_parameters` has these values, too. */
const currentParameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const currentParameterText = `m=${currentParameters.memoryCost},t=${currentParameters.timeCost},p=${currentParameters.parallelism}`

/** Hashes a password with argon2id, in PHC string format. Keyboards differ in how they write `é`, so it is hashed in composed form (NFC). */
export const hashPassword = (plain: string): Promise<string> => hash(plain.normalize('NFC'), currentParameters)

/** Returns the SHA-256, in hex, of a stored hash. It shows whether an account still has the entered password, and reveals nothing else. */
export const digestOfHash = (stored: string): string => sha256(stored).toString('hex')

/** Returns the forms in which a password may have been hashed: earlier versions and other programs hashed what the keyboard sent. */
const listForms = (plain: string) => new Set([plain.normalize('NFC'), plain, plain.normalize('NFD')])

/** Returns the form of the password that has this hash, or null for a wrong password. */
async function matchingForm(stored: string, plain: string): Promise<string | null> {
  for (const form of listForms(plain)) if (await verify(stored, form)) return form
  return null
}

export const isCorrectPassword = async (stored: string, plain: string): Promise<boolean> => (await matchingForm(stored, plain)) !== null

const readParameters = (stored: string) => stored.split('$')[3] ?? ''

/** Returns a hash with these parameters that no password has. Verifying it takes as long as any other hash. */
const hashOfNobody = (parameters: string) => `$argon2id$v=19$${parameters}$bm8gc2FsdCBhdCBhbGw$${'A'.repeat(43)}`

/**
 * Returns the hashes with which a wrong password is compared: the stored one, one with the current parameters and one with each of the
 * others in use. Their parameters do not depend on the account or its hash. Otherwise the time would reveal which accounts exist and were
 * imported.
 */
export function comparedHashes(stored: string | null, parametersInUse: readonly string[]): [string, ...string[]] {
  const first = stored ?? hashOfNobody(currentParameterText)
  const otherParameters = new Set([currentParameterText, ...parametersInUse])
  otherParameters.delete(readParameters(first))
  return [first, ...Array.from(otherParameters, hashOfNobody)]
}

/**
 * Compares a password with the stored hash; null if there is no account. Returns `outdated` for a correct password whose hash has other
 * parameters than the current ones or an uncomposed form.
 */
export async function comparePassword(
  stored: string | null,
  plain: string,
  parametersInUse: () => Promise<readonly string[]>,
): Promise<'correct' | 'outdated' | 'wrong'> {
  const form = await matchingForm(comparedHashes(stored, [])[0], plain)
  if (stored !== null && form !== null)
    return readParameters(stored) === currentParameterText && form === plain.normalize('NFC') ? 'correct' : 'outdated'
  for (const other of comparedHashes(stored, await parametersInUse()).slice(1)) await matchingForm(other, plain)
  return 'wrong'
}
