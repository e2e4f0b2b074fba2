import { normalizeEmail } from '../../core/validation.ts'

/** The properties of a user that the directory of a team states. */
interface StatedUser {
  userName: string
  emails: readonly { value: string }[]
}

/** Returns the addresses that the directory of a team states for a user, including the user name if it is an address. */
export const statedAddresses = ({ userName, emails }: StatedUser): string[] =>
  [userName, ...emails.map(({ value }) => value)].filter((each) => each.includes('@')).map(normalizeEmail)

/**
 * Returns true if the directory states only other addresses than that of the account: the address may belong to another person now. False
 * if it states no address at all.
 */
export function isRenamed(user: StatedUser, address: string): boolean {
  const addresses = statedAddresses(user)
  return addresses.length > 0 && !addresses.includes(address)
}
