import { readRow, readRows, supportSessionColumns } from '../../../prisma/statement/read-row.ts'
import type { SupportSession } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import type { Context } from '../../core/context.ts'
import { seeSignInSettings } from '../../core/requires.ts'
import type { Requirement } from '../../core/requires.ts'
import { PersonType } from '../person.ts'
import { TeamType } from '../team.ts'

/** Maximum number of hours for which a support session can be open. */
export const maxSupportHours = 24

/** The requirement to see whether a team has an open support session. Staff see it, too, so that they know which pages they can open. */
export const seeSupportSession: Requirement = { ...seeSignInSettings, openToStaff: 'properties' }

/** A support session with the owner, or the user, who opened it. */
export interface SupportSessionWithOpener extends SupportSession {
  openedBy: { id: string; name: string } | null
}

export const SupportSessionType = builder.objectRef<SupportSessionWithOpener>('SupportSession').implement({
  description: 'A time in which staff can read the pages of a team or of an account, because an owner or the user allows it.',
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
 * SQL condition that a support session is open at a time: neither ended nor expired, and its opener has an enabled account and, for a team,
 * is still an owner. Without the last part, an owner who was removed could have left the team open to staff.
 */
export const isSupportSessionOpen = (session: string, now: string): string =>
  `${session}.ended_at IS NULL AND ${session}.expires_at > ${now} AND EXISTS (SELECT FROM users ou
     WHERE ou.id = ${session}.opened_by_id AND ou.disabled_at IS NULL AND (${session}.user_id = ou.id OR EXISTS (SELECT FROM members o
       WHERE o.team_id = ${session}.team_id AND o.user_id = ou.id AND o.role = 'owner')))`

/**
 * SQL for the open support sessions of the account of a user and of the teams that the user owns, as JSON (`OpenSupport`), or NULL. Every page
 * reads it with the session, so each part uses an index.
 */
export const openSupportOfUser = (user: string, now: string): string =>
  `(SELECT json_agg(json_build_object('teamId', os.team_id, 'expiresAt', os.expires_at)) FROM (
      SELECT * FROM support_sessions WHERE user_id = ${user} AND ended_at IS NULL
      UNION ALL SELECT ts.* FROM members sm JOIN support_sessions ts ON ts.team_id = sm.team_id AND ts.ended_at IS NULL
        WHERE sm.user_id = ${user} AND sm.role = 'owner') os
    WHERE ${isSupportSessionOpen('os', now)})`

const selectSession = (condition: string) =>
  `SELECT ${supportSessionColumns}, CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS "openedBy"
   FROM support_sessions s LEFT JOIN users u ON u.id = s.opened_by_id WHERE ${condition}`

/** Returns the support session with an identifier, or null. */
export const findSupportSession = ({ database: { pool } }: Context, id: string) =>
  readRow<SupportSessionWithOpener>(pool, 'support_session_by_id', selectSession('s.id = $1'), id)

const openSessions = {
  team: selectSession(`s.team_id = $1 AND ${isSupportSessionOpen('s', '$2')}`),
  user: selectSession(`s.user_id = $1 AND ${isSupportSessionOpen('s', '$2')}`),
}

/** Returns the open support session of a team, or of the account of a user, or null. */
export async function findOpenSession(
  { database: { pool }, now }: Pick<Context, 'database' | 'now'>,
  owner: keyof typeof openSessions,
  id: string,
): Promise<SupportSessionWithOpener | null> {
  const [session] = await readRows<SupportSessionWithOpener>(pool, `open_support_session_of_${owner}`, openSessions[owner], [id, now()])
  return session ?? null
}

builder.objectField(TeamType, 'supportSession', (t) =>
  t.field({
    description: 'The open support session of the team, in which staff can read its pages, or null. For owners.',
    type: SupportSessionType,
    nullable: true,
    requires: seeSupportSession,
    resolve: ({ id }, _, context) => findOpenSession(context, 'team', id),
  }),
)
