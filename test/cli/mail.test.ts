import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { secretDeriver } from '../../src/secret-key.ts'
import { createOutbox } from '../../src/mail/outbox.ts'
import type { Outbox, OutboxParts } from '../../src/mail/outbox.ts'
import { runCli } from '../support/cli.ts'
import { invitedGuest } from '../support/invitation.ts'
import { secretKey, shortPace, silent } from '../support/pace.ts'
import { startService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'

// Nobody listens there, and no second attempt is made: a mail fails for good at once.
const nowhere = {
  authUrl: 'http://localhost',
  smtpUrl: 'smtp://127.0.0.1:1',
  mailFrom: 'no-reply@example.com',
  dataDir: '/nowhere',
  nodeEnv: 'test',
}
const made: { parts: OutboxParts; outbox: Outbox }[] = []
const service = await startService({ secretKey }, async ({ database, poolConfig }) => {
  const pace = { ...shortPace, retries: 0 }
  const parts = { config: nowhere, poolConfig, database, deriveSecret: secretDeriver(secretKey), log: silent, pace }
  const outbox = createOutbox(parts)
  await outbox.start()
  made.push({ parts, outbox })
  return outbox
})
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('given a mail that failed for good', () => {
  test('it is listed, tried again on demand, and then sent', async () => {
    const [{ parts, outbox } = {}] = made
    if (!parts || !outbox) throw new Error('no outbox')
    const run = (...args: string[]) => runCli({ DATABASE_URL: parts.poolConfig.connectionString ?? '' }, ['mail', ...args])
    const list = async (...args: string[]) => JSON.parse((await run('list', '--json', ...args)).stdout)

    const { email } = await invitedGuest(service)
    await waitFor(async () => (await outbox.list('failed')).length === 1)
    await outbox.stop()
    const failed = {
      kind: 'invitation',
      recipient: email,
      state: 'failed',
      attempts: 1,
      next_attempt_at: null,
      created_at: instant,
      ended_at: instant,
    }
    const { data } = await list('--state', 'failed')
    expect(data).toEqual([{ ...failed, id: expect.any(String), last_error: expect.stringContaining('ECONNREFUSED') }])
    expect(await list('--state', 'pending')).toEqual({ data: [] })
    const { status, stdout } = await run('list')
    expect({ status, columns: stdout.split('\n')[1]?.split(/ {2,}/).slice(0, 6) }).toEqual({
      status: 0,
      columns: [data[0].id, 'invitation', email, 'failed', '1', '–'],
    })

    expect(await run('retry', data[0].id)).toEqual({ status: 0, stdout: `Mail ${data[0].id} will be tried now.\n`, stderr: '' })
    expect((await list('--state', 'pending')).data).toMatchObject([{ id: data[0].id, state: 'pending' }])
    const dataDir = await mkdtemp(path.join(tmpdir(), 'team-account-mail-'))
    const back = createOutbox({ ...parts, config: { ...nowhere, smtpUrl: undefined, dataDir } })
    await back.start()
    await waitFor(async () => (await back.list('sent')).length === 1)
    await back.stop()
    await rm(dataDir, { recursive: true })
    expect((await list('--state', 'sent')).data).toMatchObject([{ id: data[0].id, state: 'sent', last_error: null, ended_at: instant }])
  })

  test.each([
    [['retry', '6f9619ff-8b86-4011-b42d-00c04fc964ff'], 1, 'There is no mail with this identifier that could be tried.'],
    [['list', '--state', 'lost'], 2, '--state must be one of pending, failed, sent; it is lost (see: npm run -s cli -- mail list --help)'],
    [['list', '--limit', '0'], 2, '--limit must be a number from 1 to 10000; it is 0 (see: npm run -s cli -- mail list --help)'],
  ] as const)('mail %j is refused with %d', async (args, status, message) => {
    const env = { DATABASE_URL: made[0]?.parts.poolConfig.connectionString ?? '' }
    expect(await runCli(env, ['mail', ...args])).toEqual({ status, stdout: '', stderr: `${message}\n` })
  })
})
