import { z } from 'zod'
import { profileRules } from '../../../../schema/accounts/profile.ts'
import { ownerRefusal, password } from '../../../../schema/accounts/passwords/password.ts'
import { hasAddress } from '../../../../schema/core/mails/placeholder-address.ts'
import { displayName, emailAddress, text } from '../../../../schema/core/validation.ts'
import { recordType } from '../record-type.ts'
import { optional, stored, storedElsewhere } from '../storage.ts'
import { instant, selectPicture } from '../values.ts'

const hashForm = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,86}$/

/** Returns true if a password is a hash and not plain text. */
export const isPasswordHash = (value: string) => value.startsWith('$argon2')

/** Returns true if a hash uses at most 256 MiB and 16 passes, because every sign-in computes the hash with its own parameters. */
function isAffordableHash(value: string): boolean {
  const [, memory, passes, lanes] = hashForm.exec(value)?.map(Number) ?? []
  if (memory === undefined || passes === undefined || lanes === undefined) return false
  return memory <= 262_144 && memory >= 8 * lanes && passes >= 1 && passes <= 16 && lanes >= 1
}

/** A plain text password, or an argon2id hash in PHC string format. */
const passwordOrHash = text.superRefine((value, { addIssue }) => {
  const message = isPasswordHash(value)
    ? !isAffordableHash(value) && 'The :attribute field must be an argon2id hash in PHC string form, with at most 256 MiB and 16 passes.'
    : password.safeParse(value).error?.issues[0]?.message
  if (message) addIssue({ code: 'custom', message, input: value })
})

/** Refuses a plain text password that its owner may not choose. */
function checkOwner(record: { password?: string | undefined; name: string; email: string }, { addIssue }: z.core.$RefinementCtx): void {
  if (record.password === undefined || isPasswordHash(record.password)) return
  const message = ownerRefusal(record.password, record)
  if (message !== null) addIssue({ code: 'custom', path: ['password'], message, input: record.password })
}

export const userRecord = recordType({
  schema: z
    .strictObject({
      type: z.literal('user'),
      email: stored('text', emailAddress, { isKey: true }),
      name: stored('text', displayName),
      // The password is written as a hash, see import/user-passwords.ts.
      password: stored('text', optional(passwordOrHash), { column: 'password_hash', keep: 'NULL' }),
      email_verified: stored('boolean', optional(z.boolean()), { keep: 'false', default: false }),
      timezone: stored('text', optional(profileRules.timezone), { keep: 'NULL' }),
      date_format: stored('"DateFormat"', optional(profileRules.dateFormat), { keep: "'day_month_year'", default: 'day_month_year' }),
      picture: storedElsewhere(optional(text), selectPicture('user')),
      muted_mails: stored('text[]', optional(z.array(text)), { keep: "'{}'", default: [] }),
      // Without it, an export and import would enable disabled accounts.
      disabled_at: stored('timestamptz', optional(instant), { keep: 'NULL' }),
      deletion_requested_at: stored('timestamptz', optional(instant), { keep: 'NULL' }),
    })
    .superRefine(checkOwner)
    .refine(({ email, email_verified }) => hasAddress(email) || email_verified !== true, {
      path: ['email_verified'],
      message: 'The :attribute field must be false for an account without an email address.',
    }),
  table: 'users',
  orderBy: 'e.email COLLATE "C"',
  subject: ['email'],
  changedAt: 'updated_at',
})
