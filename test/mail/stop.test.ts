import { describe, expect, test } from 'vitest'
import { openClient } from '../../prisma/connection/database.ts'
import { secretDeriver } from '../../src/config/secret-key.ts'
import { readConfig } from '../../src/config/settings.ts'
import { createMailOutbox } from '../support/mail/mail-outbox.ts'
import { createDatabase } from '../support/service/database.ts'
import { invite } from '../support/data/invitation.ts'
import { startMailingService } from '../support/mail/mailing-service.ts'
import { secretKey, shortTiming, silent } from '../support/service/test-settings.ts'
import { startMailServer } from '../support/mail/smtp.ts'
import { createOwnedTeam, unique } from '../support/data/team.ts'
import { waitFor } from '../support/service/wait.ts'

describe('stopping the outbox', () => {
  test('finishes sending the current mail first', async () => {
    const acceptance = Promise.withResolvers<void>()
    let isReceiving = false
    const server = await startMailServer({
      onMail: () => {
        isReceiving = true
        return acceptance.promise
      },
    })
    const service = await startMailingService({ smtpUrl: server.url })
    const { team, token } = await createOwnedTeam(service.database)
    const email = `${unique('guest')}@example.test`
    await invite(service, team.slug, token, { email, role: 'member' })
    await waitFor(() => isReceiving)
    const stopped = service.outbox.stop()
    acceptance.resolve()
    await stopped
    const { rows } = await service.database.pool.query(`SELECT state FROM pgboss.job WHERE name = 'mail'`)
    expect(rows).toEqual([{ state: 'completed' }])
    expect(server.mails).toHaveLength(1)
  })

  test('succeeds when it was never used, or only listed', async () => {
    const { poolConfig, drop } = await createDatabase()
    const database = openClient(poolConfig)
    const config = { ...readConfig({ MAIL_FROM: 'a@b.test' }), dataDir: '/nonexistent' }
    const create = () =>
      createMailOutbox({ config, poolConfig, database, deriveSecret: secretDeriver(secretKey), log: silent, timing: shortTiming })
    await create().stop()
    const listed = create()
    expect(await listed.list()).toEqual([])
    await listed.stop()
    await database.close()
    await drop()
  })
})
