import type { Database } from '../../../prisma/connection/database.ts'

interface Options {
  /** Minutes until it expires. Default: 60. */
  minutes?: number
  now?: Date
}

const getTimes = ({ minutes = 60, now = new Date() }: Options) => ({ openedAt: now, expiresAt: new Date(now.getTime() + minutes * 60_000) })

/** Creates an open support session of a team, which an owner has opened. */
export const createSupportSession = ({ prisma }: Database, team: { id: string }, owner: { id: string }, options: Options = {}) =>
  prisma.supportSession.create({ data: { teamId: team.id, openedById: owner.id, ...getTimes(options) } })

/** Creates an open support session of an account, which its user has opened. */
export const createAccountSupportSession = ({ prisma }: Database, user: { id: string }, options: Options = {}) =>
  prisma.supportSession.create({ data: { userId: user.id, openedById: user.id, ...getTimes(options) } })
