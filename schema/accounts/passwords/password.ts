import type { Context } from '../../core/context.ts'
import { refused, text } from '../../core/validation.ts'
import { weaknessOf } from './guessable-password.ts'
import type { Weakness } from './guessable-password.ts'
import { hashPassword } from './password-hash.ts'

/** Length of a password in code points (NIST SP 800-63B): no maximum below 64, and one that limits the cost of hashing. */
const length = { min: 8, max: 128 } as const

/** Validates what does not depend on the owner of a new password, in composed form (NFC). `hashNewPassword` checks the rest. */
export const password = text
  .overwrite((value) => value.normalize('NFC'))
  .superRefine((value, { addIssue }) => {
    const refuse = (message: string) => addIssue({ code: 'custom', message: `The :attribute field ${message}`, input: value })
    const characters = Array.from(value).length
    if (characters < length.min) refuse(`must be at least ${length.min} characters.`)
    else if (characters > length.max) refuse(`must not be greater than ${length.max} characters.`)
  })

/** The owner of the password. */
export interface PasswordOwner {
  name: string
  email: string
}

const messages: Record<Weakness, string> = {
  common: 'is easy to guess. Choose a longer one, for example several unrelated words.',
  own: 'must not consist of your name, your email address or the name of this service. Choose another one.',
}

/** Why this owner may not choose a password of a valid length, with `:attribute` in place of the field's name; null if they may. */
export function ownerRefusal(value: string, { name, email }: PasswordOwner, ...serviceNames: string[]): string | null {
  const weakness = weaknessOf(value, [name, email, 'team teams account accounts service', ...serviceNames])
  return weakness && `The :attribute field ${messages[weakness]}`
}

/**
 * Hashes a new password that `password` validated. Every operation that sets a password calls this; import, which reads
 * whole files, applies the same rules to its records. Throws `validation_failed` for the input field `field`.
 */
export async function hashNewPassword(
  { authUrl, brandName }: Pick<Context, 'authUrl' | 'brandName'>,
  field: string,
  value: string,
  owner: PasswordOwner,
): Promise<string> {
  const refusal = ownerRefusal(value, owner, new URL(authUrl).hostname, brandName)
  if (refusal !== null) throw refused({ [field]: [refusal] })
  return hashPassword(value)
}

/** Complexity of hashing in an external document. Hashing is slow on purpose; a document may hash two passwords. */
export const hashingComplexity = { field: 20_000 }
