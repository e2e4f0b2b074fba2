import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { withDates } from '../../builder/with-dates.ts'
import { change } from '../../core/audit/audit.ts'
import { lockCaller } from '../../core/database/locks.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { recentSession, sessionOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { checkUntil, openSession, supportSessionPayload, untilField } from '../../teams/support-sessions/open-session.ts'
import { findOpenSession, maxSupportHours, SupportSessionType } from '../../teams/support-sessions/support-session.ts'
import { ViewerType } from '../../viewer/viewer.ts'

/** A page of an account that staff opened in a support session. */
interface SupportReading {
  at: Date | string
  staffName: string
  path: string
}

const SupportReadingType = builder.objectRef<SupportReading>('SupportReading').implement({
  description: 'A page of an account that staff opened in a support session.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When staff opened the page.' }),
    staffName: t.exposeString('staffName', { description: 'Name of the staff user at that time.' }),
    path: t.exposeString('path', { description: 'Path of the page, as the user opens it.' }),
  }),
})

/** Maximum number of readings that are returned. */
const maxReadings = 20

// PostgreSQL would otherwise read the entries of all accounts by time until it finds enough of this one.
const selectReadings = statement<SupportReading, [subject: string]>(
  'support_readings_of_account',
  `WITH readings AS MATERIALIZED (SELECT at, actor_name AS "staffName", coalesce(after->>'path', '') AS path FROM audit_entries
     WHERE subject = $1 AND team_id IS NULL AND action = 'readInSupportSession')
   SELECT * FROM readings ORDER BY at DESC LIMIT ${maxReadings}`,
)

builder.objectFields(ViewerType, (t) => ({
  supportSession: t.field({
    description:
      'The open support session of the account of the signed-in user, in which staff can read its pages, or null. For account-site sessions.',
    type: SupportSessionType,
    nullable: true,
    requires: sessionOnly,
    resolve: (_, __, context) => findOpenSession(context, 'user', requirePerson(context).user.id),
  }),
  supportReadings: t.field({
    description: `The pages of the account that staff opened in support sessions, the latest first, at most ${maxReadings}. For account-site sessions.`,
    type: [SupportReadingType],
    requires: sessionOnly,
    async resolve(_, __, context) {
      const rows = await selectReadings(context.database.pool, requirePerson(context).user.id)
      return rows.map((row) => withDates(row, ['at']))
    },
  }),
}))

builder.mutationField('openAccountSupportSession', (t) =>
  t.field({
    description: `Lets staff read the pages of the account of the signed-in user as the user sees them, for ${maxSupportHours} hours at most. They can change nothing, and each page that they open is an audit entry. A support session of the account that is open already ends. The user receives an email. \`endSupportSession\` ends it.`,
    type: supportSessionPayload('OpenAccountSupportSessionPayload', 'The new support session of the account.'),
    requires: recentSession,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('OpenAccountSupportSessionInput', { fields: (t) => ({ until: t.field(untilField) }) }),
      }),
    },
    resolve: (_, { input: { until } }, context, info) => {
      // The operator has no account.
      const { id } = requirePerson(context).user
      checkUntil(context, until)
      return change(context, info, async (transaction) => {
        const user = await lockCaller(transaction, id)
        const opened = await openSession(transaction, context, { teamId: null, userId: id }, user, until)
        await sendNotice(transaction, context, user, 'account-support-opened', { until: until.toISOString() })
        return { ...opened, subject: id, subjectName: user.name }
      })
    },
  }),
)
