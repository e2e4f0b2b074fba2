import type { Database } from '../../prisma/client.ts'
import type { TimeSettings } from '../../schema/core/context.ts'

/** How the owner of an address reads times; undefined if it has no account. */
export const timesOfRecipient = async ({ prisma }: Pick<Database, 'prisma'>, email: string): Promise<TimeSettings | undefined> =>
  (await prisma.user.findUnique({ where: { email }, select: { timezone: true, dateFormat: true } })) ?? undefined
