import type { Database } from '../../prisma/connection/database.ts'
import type { TimeSettings } from '../../schema/core/principals.ts'
import { defaultTimes } from '../web/time-format.ts'

/** The recipient of a mail: the name in the greeting, and the format of times. */
export interface Recipient extends TimeSettings {
  /** Name of the recipient. Null if the address is not verified: its account may belong to someone else, whose name could be any text. */
  name: string | null
}

/** The columns that `toRecipient` needs. */
export const recipientColumns = { name: true, emailVerified: true, timezone: true, dateFormat: true } as const

interface RecipientRow extends TimeSettings {
  name: string
  emailVerified: boolean
}

/** Returns the recipient in a row; `user` is null for an address without an account. */
export const toRecipient = (user: RecipientRow | null): Recipient =>
  user
    ? { name: user.emailVerified ? user.name : null, timezone: user.timezone, dateFormat: user.dateFormat }
    : { name: null, ...defaultTimes }

/** Finds the recipient with this address. */
export const findRecipient = async ({ prisma }: Pick<Database, 'prisma'>, email: string): Promise<Recipient> =>
  toRecipient(await prisma.user.findUnique({ where: { email }, select: recipientColumns }))
