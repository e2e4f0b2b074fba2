import { randomUUID } from 'node:crypto'
import { statement } from '../../../prisma/statement/statement.ts'
import { insertRow } from '../../../prisma/statement/write-row.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { change } from '../../core/audit/audit.ts'
import { lockTeam } from '../../core/database/locks.ts'
import { notFound } from '../../core/errors.ts'
import { sendNoticeToOwners } from '../../core/notices/send-notice.ts'
import { authorize, recentOwner, sessionOnly } from '../../core/requires.ts'
import type { Requirement } from '../../core/requires.ts'
import { findTeamAccess, requirePerson, requireTeamAccess } from '../../core/team-access/team-access.ts'
import { isIdentifier, refused } from '../../core/validation.ts'
import { findSupportSession, maxSupportHours, SupportSessionType } from './support-session.ts'
import type { SupportSessionWithOpener } from './support-session.ts'

const hourMilliseconds = 3_600_000

/** The requirement to end a support session. It needs no recent sign-in, so that nothing delays it. */
const endSession: Requirement = { ...sessionOnly, roles: ['owner'] }

type Payload = { supportSession: SupportSessionWithOpener }
const buildPayload = (name: string, description: string) =>
  payloadType<Payload>(name, {
    description,
    fields: (t) => ({ supportSession: t.expose('supportSession', { type: SupportSessionType, description }) }),
  })
const OpenSupportSessionPayload = buildPayload('OpenSupportSessionPayload', 'The new support session.')
const EndSupportSessionPayload = buildPayload('EndSupportSessionPayload', 'The ended support session.')

/** Ends the support session of a team that has not ended, and returns when it would have expired. One that expired ends at that time. */
const endSessionOfTeam = statement<{ expiresAt: string }, [teamId: string, now: Date]>(
  'end_support_session_of_team',
  `UPDATE support_sessions SET ended_at = least(expires_at, $2) WHERE team_id = $1 AND ended_at IS NULL RETURNING expires_at AS "expiresAt"`,
)
const endSessionById = statement<{ id: string }, [id: string, now: Date]>(
  'end_support_session',
  'UPDATE support_sessions SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL AND expires_at > $2 RETURNING id',
)

builder.mutationFields((t) => ({
  openSupportSession: t.field({
    description: `Lets staff read the pages of a team as an owner sees them, for ${maxSupportHours} hours at most. They can change nothing, and the audit log has an entry for each page that they open. A support session that is open already ends. The owners receive an email.`,
    type: OpenSupportSessionPayload,
    requires: recentOwner,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('OpenSupportSessionInput', {
          fields: (t) => ({
            team: t.string({ required: true, description: 'Slug of the team.' }),
            until: t.field({
              type: 'DateTime',
              required: true,
              description: `When the support session ends, at most ${maxSupportHours} hours from now.`,
            }),
          }),
        }),
      }),
    },
    resolve: async (_, { input: { team: slug, until } }, context, info) => {
      const { team } = await requireTeamAccess(context, slug)
      // The operator is no owner: only people of the team can allow it.
      const { user } = requirePerson(context)
      const now = context.now()
      if (until <= now || until.getTime() > now.getTime() + maxSupportHours * hourMilliseconds)
        throw refused({ until: [`The :attribute field must be a time within the next ${maxSupportHours} hours.`] })
      const row = { id: randomUUID(), teamId: team.id, openedById: user.id, openedAt: now, expiresAt: until, endedAt: null }
      return change(context, info, async (transaction) => {
        // The statements are sent together; the second one runs when the team is locked.
        const [{ name }, [previous]] = await Promise.all([lockTeam(transaction, team.id), endSessionOfTeam(transaction, team.id, now)])
        const notice = { team: name, slug, until: until.toISOString() }
        await sendNoticeToOwners(transaction, context, team.id, 'support-session-opened', notice)
        transaction.defer(insertRow(transaction, 'support_sessions', row))
        const replaced = previous && new Date(previous.expiresAt) > now ? { before: { expiresAt: previous.expiresAt } } : {}
        const supportSession = { ...row, openedBy: { id: user.id, name: user.name } }
        const audited = { teamId: team.id, subject: slug, subjectName: name, ...replaced, after: { expiresAt: until.toISOString() } }
        return { result: { supportSession }, ...audited, isUnchanged: false }
      })
    },
  }),
  endSupportSession: t.field({
    description: 'Ends a support session: staff cannot open another page. Changes nothing if it has ended already.',
    type: EndSupportSessionPayload,
    requires: endSession,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('EndSupportSessionInput', {
          fields: (t) => ({ id: t.id({ required: true, description: 'The identifier of the support session.' }) }),
        }),
      }),
    },
    resolve: async (_, { input: { id } }, context, info) => {
      const session = isIdentifier(id) ? await findSupportSession(context, id) : null
      const access = session && (await findTeamAccess(context, 'id', session.teamId))
      if (!session || !access) throw notFound()
      authorize(context, endSession, access)
      const { slug, name } = access.team
      const audited = { teamId: session.teamId, subject: slug, subjectName: name, before: { expiresAt: session.expiresAt.toISOString() } }
      return change(context, info, async (transaction) => {
        const now = context.now()
        const [ended] = await endSessionById(transaction, id, now)
        const supportSession = ended ? { ...session, endedAt: now } : session
        return { result: { supportSession }, ...audited, isUnchanged: !ended }
      })
    },
  }),
}))
