import { describe, expect, test } from 'vitest'
import { openClient } from '../../prisma/client.ts'
import { secretDeriver } from '../../src/secret-key.ts'
import { createOutbox } from '../../src/mail/outbox.ts'
import { createDatabase } from '../support/database.ts'
import { invite } from '../support/invitation.ts'
import { startMailingService } from '../support/mail.ts'
import { secretKey, shortPace, silent } from '../support/pace.ts'
import { startMailServer } from '../support/smtp.ts'
import { createOwnedTeam, unique } from '../support/team.ts'
import { waitFor } from '../support/wait.ts'

describe('stopping', () => {
  test('finishes the mail under way', async () => {
    const taken = Promise.withResolvers<void>()
    let isComing = false
    const server = await startMailServer({
      onMail: () => {
        isComing = true
        return taken.promise
      },
    })
    const service = await startMailingService({ smtpUrl: server.url })
    const { team, token } = await createOwnedTeam(service.database)
    const email = `${unique('guest')}@example.test`
    await invite(service, team.slug, token, { email, role: 'member' })
    await waitFor(() => isComing)
    const stopped = service.outbox.stop()
    taken.resolve()
    await stopped
    const { rows } = await service.database.pool.query(`SELECT state FROM pgboss.job WHERE name = 'mail'`)
    expect(rows).toEqual([{ state: 'completed' }])
    expect(server.mails).toHaveLength(1)
    await server.close()
  })

  test('an outbox that was never used, or only asked, ends as well', async () => {
    const { poolConfig, drop } = await createDatabase()
    const database = openClient(poolConfig)
    const config = { authUrl: 'http://localhost', smtpUrl: undefined, mailFrom: 'a@b.test', dataDir: '/nonexistent', nodeEnv: 'test' }
    const create = () =>
      createOutbox({ config, poolConfig, database, deriveSecret: secretDeriver(secretKey), log: silent, pace: shortPace })
    await create().stop()
    const asked = create()
    expect(await asked.list()).toEqual([])
    await asked.stop()
    await database.close()
    await drop()
  })
})
