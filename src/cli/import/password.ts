import { verify } from '@node-rs/argon2'
import { hashPassword, password, passwordLength } from '../../../schema/password.ts'
import { text } from '../../../schema/validation.ts'

const { least, most } = passwordLength
const prefix = '$argon2'
const form = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,86}$/

/** Every sign-in pays what the hash asks for: at most 256 MiB and 16 passes. */
function isAffordableHash(value: string): boolean {
  const [, memory, passes, lanes] = form.exec(value)?.map(Number) ?? []
  if (memory === undefined || passes === undefined || lanes === undefined) return false
  return memory <= 262_144 && memory >= 8 * lanes && passes >= 1 && passes <= 16 && lanes >= 1
}

/** A password in plain, under the rules of one, or an argon2id hash in PHC string form. */
export const passwordOrHash = text.superRefine((value, { addIssue }) => {
  const message = value.startsWith(prefix)
    ? !isAffordableHash(value) && 'The :attribute field must be an argon2id hash in PHC string form, with at most 256 MiB and 16 passes.'
    : !password.safeParse(value).success && `The :attribute field must be between ${least} and ${most} characters.`
  if (message) addIssue({ code: 'custom', message, input: value })
})

/**
 * What is to be stored for a password: a hash as it is; a plain one hashed, but for one that the stored hash already
 * stands for, which stays: a new salt would change a row on every import.
 */
export async function hashToStore(given: string, stored: string | null | undefined): Promise<string> {
  if (given.startsWith(prefix)) return given
  if (stored && (await verify(stored, given))) return stored
  return hashPassword(given)
}
