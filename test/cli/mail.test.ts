import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { secretDeriver } from '../../src/config/secret-key.ts'
import { createMailOutbox } from '../support/mail/mail-outbox.ts'
import type { MailOutbox, MailOutboxParts } from '../support/mail/mail-outbox.ts'
import { runCli } from '../support/service/cli.ts'
import { createInvitedGuest } from '../support/data/invitation.ts'
import { readConfig } from '../../src/config/settings.ts'
import { secretKey, shortTiming, silent } from '../support/service/test-settings.ts'
import { useService } from '../support/service/service.ts'
import { waitFor } from '../support/service/wait.ts'

// No SMTP server listens on this port, and there are no retries: a mail fails permanently at the first attempt.
const unreachableMail = readConfig({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@example.com', DATA_DIR: '/nowhere' })
const outboxes: { parts: MailOutboxParts; outbox: MailOutbox }[] = []
const service = useService({
  secretKey,
  createOutbox({ database, poolConfig }) {
    const timing = { ...shortTiming, retries: 0 }
    const parts = { config: unreachableMail, poolConfig, database, deriveSecret: secretDeriver(secretKey), log: silent, timing }
    const outbox = createMailOutbox(parts)
    outboxes.push({ parts, outbox })
    return outbox
  },
})
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('the mail commands', () => {
  test('list a mail that failed permanently, and retry it on request', async () => {
    const [{ parts, outbox } = {}] = outboxes
    if (!parts || !outbox) throw new Error('The service created no outbox.')
    const run = (...args: string[]) => runCli({ DATABASE_URL: parts.poolConfig.connectionString ?? '' }, ['mail', ...args])
    const list = async (...args: string[]) => JSON.parse((await run('list', '--json', ...args)).stdout)

    const { email } = await createInvitedGuest(service)
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
    expect({ status, columns: stdout.split('\n')[1]?.split(/ {2,}/) }).toEqual({
      status: 0,
      columns: [email, 'failed', 'invitation', data[0].last_error, data[0].id, '–', '1'],
    })

    expect(await run('retry', data[0].id)).toEqual({ status: 0, stdout: `Mail ${data[0].id} is scheduled to be sent now.\n`, stderr: '' })
    expect((await list('--state', 'pending')).data).toMatchObject([{ id: data[0].id, state: 'pending' }])
    const entry = await service.database.prisma.auditEntry.findFirstOrThrow({ where: { action: 'retryMail' } })
    expect(entry).toMatchObject({ actorKind: 'operator', subjectName: email, after: { mail: data[0].id, kind: 'invitation' } })
    expect(entry.teamId).not.toBeNull()
    const dataDir = await mkdtemp(path.join(tmpdir(), 'team-account-mail-'))
    const workingOutbox = createMailOutbox({ ...parts, config: { ...unreachableMail, smtpUrl: undefined, dataDir } })
    await workingOutbox.start()
    await waitFor(async () => (await workingOutbox.list('sent')).length === 1)
    await workingOutbox.stop()
    await rm(dataDir, { recursive: true })
    expect((await list('--state', 'sent')).data).toMatchObject([{ id: data[0].id, state: 'sent', last_error: null, ended_at: instant }])
  })

  test.each([
    [['retry', '6f9619ff-8b86-4011-b42d-00c04fc964ff'], 1, 'there is no failed or pending mail 6f9619ff-8b86-4011-b42d-00c04fc964ff'],
    [['list', '--state', 'lost'], 2, '--state must be one of pending, failed, sent; it is lost (see: npm run -s cli -- mail list --help)'],
    [['list', '--limit', '0'], 2, '--limit must be a number from 1 to 10000; it is 0 (see: npm run -s cli -- mail list --help)'],
  ] as const)('refuse mail %j with exit status %d', async (args, status, message) => {
    const env = { DATABASE_URL: outboxes[0]?.parts.poolConfig.connectionString ?? '' }
    expect(await runCli(env, ['mail', ...args])).toEqual({ status, stdout: '', stderr: `${message}\n` })
  })
})
