import { z } from 'zod'
import { nameNewAccount } from '../../accounts/person-name.ts'
import { mailAddress, text } from '../../core/validation.ts'
import { isRecord } from '../../core/record.ts'
import type { JsonObject } from '../protocol/attribute.ts'
import { parseResource } from '../protocol/values.ts'
import { invalidValue } from '../protocol/error.ts'

const value = text
  .max(255)
  .nullish()
  .transform((each) => each || null)
/** Rule of a boolean; Entra ID sends the texts `True` and `False`. */
const truth = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(?:true|false)$/i, 'The :attribute field must be true or false.')
    .transform((each) => each.toLowerCase() === 'true'),
])

const email = z.object({
  value: text.trim().min(1).max(254),
  type: value,
  display: value,
  primary: truth.nullish().transform((each) => each ?? false),
})

const schema = z.object({
  userName: text.trim().min(1).max(255),
  externalId: value,
  displayName: value,
  name: z
    .object({ formatted: value, familyName: value, givenName: value })
    .nullish()
    .transform((each) => each ?? null),
  emails: z
    .array(z.unknown())
    .nullish()
    .transform((each) => (each ?? []).filter((one) => !isRecord(one) || (one['value'] ?? '') !== ''))
    .pipe(z.array(email)),
  active: truth,
})

/** The properties of a user that the directory sends. */
export type UserDocument = z.output<typeof schema>

/**
 * Reads a user with the names of attributes. `active` is the state of a user whose directory does not send it, because a request without it
 * does not change it. Throws `invalidValue`.
 */
export const readUser = (resource: JsonObject, { active }: Pick<UserDocument, 'active'>): UserDocument =>
  parseResource(schema, { ...resource, active: resource['active'] ?? active })

/**
 * Returns the address of the account: the primary one, or else that for work, the first one or the user name. Throws `invalidValue` if none
 * of them is an address.
 */
export function getAddress({ emails, userName }: UserDocument): string {
  const selected = emails.find(({ primary }) => primary) ?? emails.find(({ type }) => type?.toLowerCase() === 'work') ?? emails[0]
  const { data } = mailAddress.safeParse(selected?.value ?? userName)
  if (data === undefined) throw invalidValue('The user needs an email address: in "emails", or as "userName".')
  return data
}

/** Returns the name of a new account. */
export const getAccountName = ({ displayName, name }: UserDocument, address: string): string =>
  nameNewAccount({ full: [displayName, name?.formatted], givenName: name?.givenName, familyName: name?.familyName }, address)
