import { afterAll, expect, test } from 'vitest'
import { invite } from '../support/invitation.ts'
import { startMailingService } from '../support/mail.ts'
import { startMailServer } from '../support/smtp.ts'
import { createOwnedTeam, unique } from '../support/team.ts'
import { waitFor } from '../support/wait.ts'

const server = await startMailServer()
afterAll(server.close)

test('given an outbox whose connections to the database break, mails leave all the same, without waiting for the next look', async () => {
  const service = await startMailingService({ smtpUrl: server.url }, { pollSeconds: 600 })
  const { team, token } = await createOwnedTeam(service.database)
  const mine = `application_name = 'team-account-mail' AND datname = current_database()`
  for (let round = 1; round <= 2; round++) {
    const { rows } = await service.database.pool.query(`SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE ${mine}`)
    expect(rows.length).toBeGreaterThan(0)
    const email = `${unique('guest')}@example.test`
    expect((await invite(service, team.slug, token, { email, role: 'member' })).status).toBe(204)
    await waitFor(async () => (await service.outbox.list('sent')).some(({ recipient }) => recipient === email))
    expect(server.mails).toHaveLength(round)
  }
})
