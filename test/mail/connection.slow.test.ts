import { expect, test } from 'vitest'
import { invite } from '../support/data/invitation.ts'
import { startMailingService } from '../support/mail/mailing-service.ts'
import { useMailServer } from '../support/mail/smtp.ts'
import { createOwnedTeam, unique } from '../support/data/team.ts'
import { waitFor } from '../support/service/wait.ts'

const server = useMailServer()

test('the outbox sends mails without waiting for the next poll after its database connections were terminated', async () => {
  const service = await startMailingService({ smtpUrl: server.url }, { pollSeconds: 600 })
  const { team, token } = await createOwnedTeam(service.database)
  const isOutboxConnection = `application_name = 'team-account-jobs' AND datname = current_database()`
  for (let round = 1; round <= 2; round++) {
    const { rows } = await service.database.pool.query(
      `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE ${isOutboxConnection}`,
    )
    expect(rows.length).toBeGreaterThan(0)
    const email = `${unique('guest')}@example.test`
    expect((await invite(service, team.slug, token, { email, role: 'member' })).status).toBe(204)
    await waitFor(async () => (await service.outbox.list('sent')).some(({ recipient }) => recipient === email))
    expect(server.mails).toHaveLength(round)
  }
})

test('a change is rolled back if the queue for its mail is missing', async () => {
  const service = await startMailingService({ smtpUrl: server.url })
  const { team, token } = await createOwnedTeam(service.database)
  const email = `${unique('guest')}@example.test`
  await service.database.pool.query('DELETE FROM pgboss.queue')
  expect((await invite(service, team.slug, token, { email, role: 'member' })).status).toBe(500)
  expect(await service.database.prisma.invitation.count({ where: { email } })).toBe(0)
})
