import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { change } from '../../core/audit/audit.ts'
import { notFound } from '../../core/errors.ts'
import { isOutboxMail, isRetryableMail, outboxTeam } from '../../core/mails/outbox-mails.ts'
import { supportOnly } from '../../core/requires.ts'
import { reasonField } from '../../core/staff/staff-acts.ts'
import { isIdentifier } from '../../core/validation.ts'

interface RetriedMail {
  kind: string
  state: string
  accountId: string | null
  invitationId: string | null
  invited: string | null
  teamId: string | null
}

/** Attempts that follow: for about three days (src/jobs/queue.ts). */
const attempts = 81

/**
 * Schedules a failed or waiting mail for now, in the transaction of its audit entry. Returns the mail as it was, and whom it concerns: the
 * user with the account, the team, and for an invitation the address.
 */
const retryMail = statement<RetriedMail, [id: string, now: Date]>(
  'retry_mail',
  `WITH mail AS (SELECT id, data, state FROM pgboss.job j WHERE ${isOutboxMail} AND j.id = $1::uuid AND ${isRetryableMail} FOR UPDATE),
     retried AS (UPDATE pgboss.job j SET state = CASE WHEN j.state = 'failed' THEN 'retry' ELSE j.state END, completed_on = NULL,
         start_after = least(j.start_after, $2::timestamptz), retry_limit = j.retry_count + ${attempts}
       FROM mail WHERE ${isOutboxMail} AND j.id = mail.id)
   SELECT j.data->>'kind' AS kind, j.state::text AS state,
     coalesce((j.data->>'userId')::uuid, (SELECT user_id FROM mail_links WHERE id = (j.data->>'linkId')::uuid)) AS "accountId",
     i.id AS "invitationId", i.email AS invited, ${outboxTeam} AS "teamId"
   FROM mail j LEFT JOIN invitations i ON i.id = (j.data->>'invitationId')::uuid`,
)

const RetryMailPayload = payloadType<{ id: string; kind: string }>('RetryMailPayload', {
  description: 'The email that is sent again.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The identifier of the email in the outbox.' }),
    kind: t.exposeString('kind', { description: 'The kind of the email, such as `verify-email`.' }),
  }),
})

const RetryMailInput = builder.inputType('RetryMailInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'The identifier of the email in the outbox.' }),
    reason: t.string(reasonField),
  }),
})

builder.mutationField('retryMail', (t) =>
  t.field({
    description: 'Sends an email of the outbox again that failed, or that waits for its next attempt. For operators and staff.',
    type: RetryMailPayload,
    requires: supportOnly,
    args: { input: t.arg({ type: RetryMailInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const { id } = input
        const [mail] = isIdentifier(id) ? await retryMail(transaction, id, context.now()) : []
        if (!mail) throw notFound()
        const { kind, state, accountId, teamId, invitationId, invited } = mail
        const entry = {
          subject: invitationId ?? accountId ?? id,
          subjectName: invited ?? kind,
          before: { state },
          after: { mail: id, kind },
        }
        return { result: { id, kind }, teamId, accountId, invitedEmail: invited, ...entry }
      }),
  }),
)
