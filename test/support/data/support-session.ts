import type { Database } from '../../../prisma/connection/database.ts'

interface Options {
  /** Minutes until it expires. Default: 60. */
  minutes?: number
  now?: Date
}

/** Creates an open support session of a team, which an owner has opened. */
export const createSupportSession = (
  { prisma }: Database,
  team: { id: string },
  owner: { id: string },
  { minutes = 60, now = new Date() }: Options = {},
) =>
  prisma.supportSession.create({
    data: { teamId: team.id, openedById: owner.id, openedAt: now, expiresAt: new Date(now.getTime() + minutes * 60_000) },
  })
