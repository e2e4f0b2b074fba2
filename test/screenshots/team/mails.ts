import type { User } from '../../../prisma/generated/client/client.ts'
import { createSession } from '../../support/data/session-row.ts'
import { createWaitingMail } from '../../support/mail/waiting-mail.ts'
import type { TestService } from '../../support/service/service.ts'

/** Adds an email of each state to the outbox, and a session of the first user. Returns the identifier of one that failed. */
export async function createMails(service: TestService, user: User, others: readonly User[]): Promise<string> {
  const { database, clock } = service
  await createWaitingMail(service, user)
  const signedIn = new Date(clock.now().getTime() - 3 * 86_400_000)
  await createSession(database, user, { createdAt: signedIn, authenticatedAt: signedIn, methods: ['pwd', 'otp'], provedTwoFactor: true })
  const mails = [
    ['new-device', user, 'failed', { error: '550 5.1.1 The recipient does not exist' }, 1],
    ['personal-token-created', user, 'completed', { dropped: 'the token was revoked' }, 1],
    ...others.map((other) => ['password-changed', other, 'completed', { messageId: 'x' }, 1] as const),
    ['role-changed', user, 'retry', { error: 'connect ECONNREFUSED 192.0.2.25:587' }, 4],
  ] as const
  const ids: string[] = []
  for (const [kind, { id }, state, output, attempts] of mails) {
    const { rows } = await database.pool.query<{ id: string }>(
      `INSERT INTO pgboss.job (name, data, state, output, retry_count, created_on, started_on, completed_on, start_after)
       SELECT 'mail', $1, $2::pgboss.job_state, $3, $4, $5::timestamptz, $5::timestamptz, CASE WHEN $2 <> 'retry' THEN $5::timestamptz END,
         $5::timestamptz + interval '1 hour' RETURNING id`,
      [
        { kind, userId: id, at: clock.now(), data: {} },
        state,
        output,
        attempts - 1,
        new Date(clock.now().getTime() - (ids.length + 1) * 3_500_000),
      ],
    )
    ids.push(rows[0]?.id ?? '')
  }
  return ids[0] ?? ''
}
