import { normalizeEmail } from '../../core/validation.ts'

/** What the directory of a team states of a user. */
interface StatedUser {
  userName: string
  emails: readonly { value: string }[]
}

/** The addresses that the directory of a team states of a user, among them the user name if it is one. */
export const statedAddresses = ({ userName, emails }: StatedUser): string[] =>
  [userName, ...emails.map(({ value }) => value)].filter((each) => each.includes('@')).map(normalizeEmail)

/**
 * Whether the directory says that its user has other addresses than that of the account: the address may belong to another person by now.
 * False if it states no address at all.
 */
export function isRenamed(user: StatedUser, address: string): boolean {
  const addresses = statedAddresses(user)
  return addresses.length > 0 && !addresses.includes(address)
}
