import type { Database } from '../../prisma/client.ts'
import type { TimeSettings } from '../../schema/core/context.ts'
import { defaultTimes } from '../web/time-format.ts'

/** Who receives a mail: how to address them, and how they read times. */
export interface Recipient extends TimeSettings {
  /** Null for an address that is not verified: anyone could sign up with it, and write a text to its owner as their own name. */
  name: string | null
}

/** The columns that `recipientOf` needs. */
export const recipientColumns = { name: true, emailVerified: true, timezone: true, dateFormat: true } as const

interface RecipientRow extends TimeSettings {
  name: string
  emailVerified: boolean
}

/** `user` is null for an address without an account. */
export const recipientOf = (user: RecipientRow | null): Recipient =>
  user
    ? { name: user.emailVerified ? user.name : null, timezone: user.timezone, dateFormat: user.dateFormat }
    : { name: null, ...defaultTimes }

/** The recipient with this address. */
export const findRecipient = async ({ prisma }: Pick<Database, 'prisma'>, email: string): Promise<Recipient> =>
  recipientOf(await prisma.user.findUnique({ where: { email }, select: recipientColumns }))
