import { readRow, readRows, supportSessionColumns } from '../../../prisma/statement/read-row.ts'
import type { SupportSession } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import type { Context } from '../../core/context.ts'
import { seeSignInSettings } from '../../core/requires.ts'
import type { Requirement } from '../../core/requires.ts'
import { PersonType } from '../person.ts'
import { TeamType } from '../team.ts'

/** Maximum number of hours for which an owner can open a support session. */
export const maxSupportHours = 24

/** The requirement to see whether a team has an open support session. Staff see it, too, so that they know which pages they can open. */
export const seeSupportSession: Requirement = { ...seeSignInSettings, openToStaff: 'properties' }

/** A support session with the owner who opened it. */
export interface SupportSessionWithOpener extends SupportSession {
  openedBy: { id: string; name: string } | null
}

export const SupportSessionType = builder.objectRef<SupportSessionWithOpener>('SupportSession').implement({
  description: 'A time in which staff can read the pages of a team, because an owner allows it.',
  describedBy: 'SupportSession',
  fields: (t) => ({
    supportSessionId: t.exposeID('id'),
    openedBy: t.expose('openedBy', { type: PersonType, nullable: true }),
    openedAt: t.expose('openedAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
  }),
})

/**
 * SQL condition that a support session is open at a time: neither ended nor expired, and its opener is still an owner of the team with an
 * enabled account. Without the last part, an owner who was removed could have left the team open to staff.
 */
export const isSupportSessionOpen = (session: string, now: string): string =>
  `${session}.ended_at IS NULL AND ${session}.expires_at > ${now} AND EXISTS (SELECT FROM members o JOIN users ou ON ou.id = o.user_id
     WHERE o.team_id = ${session}.team_id AND o.user_id = ${session}.opened_by_id AND o.role = 'owner' AND ou.disabled_at IS NULL)`

const selectSession = (condition: string) =>
  `SELECT ${supportSessionColumns}, CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS "openedBy"
   FROM support_sessions s LEFT JOIN users u ON u.id = s.opened_by_id WHERE ${condition}`

/** Returns the support session with an identifier, or null. */
export const findSupportSession = ({ database: { pool } }: Context, id: string) =>
  readRow<SupportSessionWithOpener>(pool, 'support_session_by_id', selectSession('s.id = $1'), id)

const openSessionOfTeam = selectSession(`s.team_id = $1 AND ${isSupportSessionOpen('s', '$2')}`)

builder.objectField(TeamType, 'supportSession', (t) =>
  t.field({
    description: 'The open support session of the team, in which staff can read its pages, or null. For owners.',
    type: SupportSessionType,
    nullable: true,
    requires: seeSupportSession,
    resolve: async ({ id }, _, { database, now }) => {
      const [session] = await readRows<SupportSessionWithOpener>(database.pool, 'open_support_session_of_team', openSessionOfTeam, [
        id,
        now(),
      ])
      return session ?? null
    },
  }),
)
