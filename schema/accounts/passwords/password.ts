import type { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { refused, text } from '../../core/validation.ts'
import { estimate } from './guessable-password.ts'
import type { Weakness } from './guessable-password.ts'
import { hashPassword } from './password-hash.ts'

/** Limits of the length of a password in code points. NIST SP 800-63B requires a maximum of 64 or more, which limits the hashing cost. */
export const passwordLength = { min: 8, max: 128 } as const

/** Returns why a password of this length is refused, with `:attribute` in place of the field's name; null if it is accepted. */
function lengthRefusal(value: string): string | null {
  const characters = Array.from(value).length
  if (characters < passwordLength.min) return `The :attribute field must be at least ${passwordLength.min} characters.`
  return characters > passwordLength.max ? `The :attribute field must not be greater than ${passwordLength.max} characters.` : null
}

type Refuse = (value: string) => string | null
const refusedBy =
  (refuse: Refuse) =>
  (value: string, { addIssue }: z.RefinementCtx<string>) => {
    const message = refuse(value)
    if (message !== null) addIssue({ code: 'custom', message, input: value })
  }

/** Validates the rules that do not depend on the owner of a new password, in composed form (NFC). `hashNewPassword` checks the others. */
export const password = text
  .overwrite((value) => value.normalize('NFC'))
  .min(1, { abort: true })
  .superRefine(refusedBy(lengthRefusal))

/** Validates all rules, for a form whose other fields contain the owner, so that all its errors are reported at once. */
export const createPasswordSchema = (service: ServiceNames, owner: PasswordOwner) =>
  password.superRefine(refusedBy((value) => (lengthRefusal(value) === null ? ownerRefusal(value, owner, ...formatNames(service)) : null)))

export interface PasswordOwner {
  name: string
  email: string
}

type ServiceNames = Pick<Context, 'authUrl' | 'brandName'>
const formatNames = ({ authUrl, brandName }: ServiceNames) => [new URL(authUrl).hostname, brandName]

const messages: Record<Weakness, string> = {
  common: 'is easy to guess. Choose a longer one, for example several unrelated words.',
  own: 'must not consist of your name, your email address or the name of this service. Choose another one.',
}

/** Returns why this owner may not choose a password of valid length, with `:attribute` in place of the field's name; null if accepted. */
export function ownerRefusal(value: string, owner: PasswordOwner, ...serviceNames: string[]): string | null {
  const { weakness } = estimateGuesses(value, owner, serviceNames)
  return weakness && `The :attribute field ${messages[weakness]}`
}

const estimateGuesses = (value: string, { name, email }: PasswordOwner, serviceNames: readonly string[]) =>
  estimate(value, [name, email, 'team teams account accounts service', ...serviceNames])

export type Strength = Weakness | 'length' | 'fair' | 'strong'

/** Returns how good a new password is, while its owner types it. It is `fair` or `strong` exactly if the operations accept it. */
export function measureStrength(service: ServiceNames, typed: string, owner: PasswordOwner): Strength {
  const { success, data: value = '' } = password.safeParse(typed)
  if (!success) return 'length'
  const { weakness, isStrong } = estimateGuesses(value, owner, formatNames(service))
  return weakness ?? (isStrong ? 'strong' : 'fair')
}

/**
 * Hashes a new password that `password` validated. Every operation that sets a password calls this, with two exceptions: sign-up validates
 * by `createPasswordSchema`, and import applies the same rules to the records of its files. Throws `validation_failed` for the input field `field`.
 */
export async function hashNewPassword(service: ServiceNames, field: string, value: string, owner: PasswordOwner): Promise<string> {
  const refusal = ownerRefusal(value, owner, ...formatNames(service))
  if (refusal !== null) throw refused({ [field]: [refusal] })
  return hashPassword(value)
}

/** Complexity of hashing in an external document. Hashing is slow on purpose; a document may hash two passwords. */
export const hashingComplexity = { field: 20_000 }
