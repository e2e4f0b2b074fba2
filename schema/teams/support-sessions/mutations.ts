import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { change } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { lockTeam } from '../../core/database/locks.ts'
import { notFound } from '../../core/errors.ts'
import { sendNoticeToOwners } from '../../core/notices/send-notice.ts'
import { authorize, recentOwner, sessionOnly } from '../../core/requires.ts'
import type { Requirement } from '../../core/requires.ts'
import { findTeamAccess, requirePerson, requirePrincipal, requireTeamAccess } from '../../core/team-access/team-access.ts'
import { isIdentifier } from '../../core/validation.ts'
import { checkUntil, openSession, supportSessionPayload, untilField } from './open-session.ts'
import { findSupportSession, maxSupportHours } from './support-session.ts'
import type { SupportSessionWithOpener } from './support-session.ts'

/** The requirement to end a support session. It needs no recent sign-in, so that nothing delays it. */
const endSession: Requirement = { ...sessionOnly, roles: ['owner'] }

const OpenSupportSessionPayload = supportSessionPayload('OpenSupportSessionPayload', 'The new support session of the team.')
const EndSupportSessionPayload = supportSessionPayload('EndSupportSessionPayload', 'The ended support session.')

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
            until: t.field(untilField),
          }),
        }),
      }),
    },
    resolve: async (_, { input: { team: slug, until } }, context, info) => {
      const { team } = await requireTeamAccess(context, slug)
      // The operator is no owner: only people of the team can allow it.
      const { user } = requirePerson(context)
      checkUntil(context, until)
      return change(context, info, async (transaction) => {
        // The statements are sent together; the second one runs when the team is locked.
        const [{ name }, opened] = await Promise.all([
          lockTeam(transaction, team.id),
          openSession(transaction, context, { teamId: team.id, userId: null }, user, until),
        ])
        const notice = { team: name, slug, until: until.toISOString() }
        await sendNoticeToOwners(transaction, context, team.id, 'support-session-opened', notice)
        return { ...opened, teamId: team.id, subject: slug, subjectName: name }
      })
    },
  }),
  endSupportSession: t.field({
    description:
      'Ends the support session of a team or of the own account: staff cannot open another page. Changes nothing if it has ended already.',
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
      const owner = session && (await findOwner(context, session))
      if (!session || !owner) throw notFound()
      const audited = { ...owner, before: { expiresAt: session.expiresAt.toISOString() } }
      return change(context, info, async (transaction) => {
        const now = context.now()
        const [ended] = await endSessionById(transaction, id, now)
        const supportSession = ended ? { ...session, endedAt: now } : session
        return { result: { supportSession }, ...audited, isUnchanged: !ended }
      })
    },
  }),
}))

/**
 * Returns the team or the account of a support session, as the subject of its audit entry. Returns null if the caller can access neither, and
 * throws if the caller cannot end that of the team.
 */
async function findOwner(context: Context, { teamId, userId, openedBy }: SupportSessionWithOpener) {
  if (teamId === null) {
    const caller = requirePrincipal(context)
    const isOwn = caller.kind === 'operator' || (caller.kind === 'user' && caller.user.id === userId)
    return userId !== null && isOwn ? { subject: userId, ...(openedBy && { subjectName: openedBy.name }) } : null
  }
  const access = await findTeamAccess(context, 'id', teamId)
  if (!access) return null
  authorize(context, endSession, access)
  return { teamId, subject: access.team.slug, subjectName: access.team.name }
}
