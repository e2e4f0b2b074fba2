import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../prisma/statement/transaction.ts'
import { insertRow } from '../../prisma/statement/write-row.ts'
import { formatDateTime } from '../../src/web/time-format.ts'
import { everythingStored, startMailingService, useMailingService } from '../support/mail/mailing-service.ts'
import { request } from '../support/http/request.ts'
import { startMailServer, useMailServer } from '../support/mail/smtp.ts'
import { clientToken } from '../support/oauth/clients/machines.ts'
import { createOwnedTeam, teamToken, unique } from '../support/data/team.ts'
import { waitFor } from '../support/service/wait.ts'

const server = useMailServer()
const service = useMailingService({ smtpUrl: server.url })
const { database, clock } = service

const mailsTo = (address: string) => server.mails.filter(({ to }) => to?.some((recipient) => recipient.address === address))

async function invite(data: { name?: string; timezone?: string | null } = {}, role = 'member') {
  const owned = await createOwnedTeam(database, data)
  const email = `${unique('guest')}@example.test`
  const path = `/api/v1/teams/${owned.team.slug}/invitations`
  const response = await request(service, 'POST', path, { token: owned.token, body: { email, role } })
  return { ...owned, email, path, response }
}

describe('an invitation mail', () => {
  test('names the inviter, the team, the role and the expiry, and contains the link', async () => {
    const { email, owner, response } = await invite({ name: 'Acme & Söhne', timezone: 'Europe/Berlin' }, 'billing')
    expect([response.status, response.body]).toEqual([204, null])
    const mail = await waitFor(() => mailsTo(email)[0])
    const invitation = await database.prisma.invitation.findFirstOrThrow({ where: { email } })
    expect(mail).toMatchObject({
      from: { name: 'Accounts', address: 'no-reply@accounts.test' },
      to: [{ name: '', address: email }],
      subject: `${owner.name} invites you to the team Acme & Söhne`,
      date: new Date(Math.floor(invitation.sentAt.getTime() / 1000) * 1000).toISOString(),
    })
    const link = new RegExp(`^${service.url}/invitations/[\\w-]{43}$`, 'm').exec(mail.text ?? '')?.[0]
    // In UTC as on the pages, whatever the time zone of the team.
    const time = formatDateTime(invitation.expiresAt)
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain(link)
      expect(body).toContain(owner.name)
      expect(body).toContain('a billing member')
      expect(body).toContain(`The invitation expires on ${time}.`)
      expect(body).toContain('If you did not expect this invitation')
    }
    expect(mail.text).toContain('Acme & Söhne')
    expect(mail.html).toContain('Acme &#38; Söhne')
    expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
  })

  test.each([
    ['team token', teamToken],
    ['team app', clientToken],
  ])('has no name of a person if a %s invited', async (_, createToken) => {
    const { team } = await createOwnedTeam(database, { name: 'Northwind Traders' })
    const email = `${unique('guest')}@example.test`
    const token = await createToken(database, team)
    const body = { email, role: 'member' }
    expect((await request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token, body })).status).toBe(204)
    const mail = await waitFor(() => mailsTo(email)[0])
    expect(mail.subject).toBe('You are invited to the team Northwind Traders')
    expect(mail.text).toContain('\nYou are invited to join the team “Northwind Traders” as a member.\n')
    expect(mail.html).toContain('You are invited to join the team &#8220;<strong><bdi>Northwind Traders</bdi></strong>&#8221; as a member.')
    expect(mail.text).toContain('because the team Northwind Traders entered your email address to invite you.')
  })

  test('is sent once and listed as sent', async () => {
    const { email } = await invite()
    await waitFor(async () => (await service.outbox.list()).find((mail) => mail.recipient === email && mail.state === 'sent'))
    expect(mailsTo(email)).toHaveLength(1)
    const record = (await service.outbox.list('sent')).find(({ recipient }) => recipient === email)
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/)
    expect(record).toEqual({
      id: expect.any(String),
      kind: 'invitation',
      recipient: email,
      state: 'sent',
      attempts: 1,
      lastError: null,
      createdAt: instant,
      nextAttemptAt: null,
      endedAt: instant,
    })
  })

  test('leaves no link secret in the database after it is sent', async () => {
    const { email } = await invite()
    const mail = await waitFor(() => mailsTo(email)[0])
    await waitFor(async () => (await service.outbox.list('sent')).some(({ recipient }) => recipient === email))
    const secret = /\/invitations\/([\w-]{43})/.exec(mail.text ?? '')?.[1] ?? ''
    const stored = await everythingStored(database)
    expect(stored).toContain(email)
    expect(secret).toHaveLength(43)
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
  })
})

describe('a transaction that enqueues a mail', () => {
  test('wakes the worker when it commits, without waiting for the next poll', async () => {
    const rarelyPolling = await startMailingService({ smtpUrl: server.url }, { pollSeconds: 600 })
    const { team, token } = await createOwnedTeam(rarelyPolling.database)
    const email = `${unique('guest')}@example.test`
    const path = `/api/v1/teams/${team.slug}/invitations`
    expect((await request(rarelyPolling, 'POST', path, { token, body: { email, role: 'member' } })).status).toBe(204)
    await waitFor(() => mailsTo(email)[0])
  })

  test('fails and stores nothing when the queue does not exist', async () => {
    const other = await startMailingService({ smtpUrl: server.url })
    const { team, token } = await createOwnedTeam(other.database)
    const path = `/api/v1/teams/${team.slug}/invitations`
    const send = () => request(other, 'POST', path, { token, body: { email: `${unique('guest')}@example.test`, role: 'member' } })
    expect((await send()).status).toBe(204)
    // The outbox is open, so it does not create the queue again.
    await other.database.pool.query(`DELETE FROM pgboss.job WHERE name = 'mail'`)
    await other.database.pool.query(`DELETE FROM pgboss.queue WHERE name = 'mail'`)
    expect((await send()).status).toBe(500)
    expect(await other.database.prisma.invitation.count({ where: { teamId: team.id } })).toBe(1)
  })

  test('sends and stores nothing when it is rolled back', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const now = clock.now()
    const mail = { kind: 'invitation', invitationId: '00000000-0000-4000-8000-000000000000', nonce: 'AAAA' } as const
    const before = (await service.outbox.list(undefined, 10_000)).length
    const rolledBack = inTransaction(database, async (transaction) => {
      const data = {
        teamId: team.id,
        email: 'rolled-back@example.test',
        role: 'member',
        nonce: Buffer.alloc(16),
        tokenHash: Buffer.alloc(32),
      } as const
      await insertRow(transaction, 'invitations', { ...data, invitedById: owner.id, sentAt: now, expiresAt: now })
      await service.outbox.sendMail(transaction, mail)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    // The worker sends mails in order: once this later mail has arrived, no earlier one is still waiting.
    const { email } = await invite()
    await waitFor(() => mailsTo(email)[0])
    expect(await service.outbox.list(undefined, 10_000)).toHaveLength(before + 1)
    expect(mailsTo('rolled-back@example.test')).toEqual([])
  })
})

describe('an email address with non-ASCII characters', () => {
  test('receives mail if the mail server supports it', async () => {
    const { team, token } = await createOwnedTeam(database)
    const email = `grüße-${unique('x')}@bücher.example`
    await request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token, body: { email, role: 'member' } })
    const mail = await waitFor(() => server.mails.find(({ to }) => to?.[0]?.address?.startsWith('grüße-')))
    expect(mail.to?.[0]?.address).toMatch(/@(?:bücher|xn--bcher-kva)\.example$/)
  })

  describe('before the @, and a mail server without SMTPUTF8', () => {
    async function sendTo(email: string, mailFrom = 'no-reply@accounts.test') {
      const recipients: string[] = []
      const { url, mails } = await startMailServer({ offersSmtpUtf8: false, onRecipient: (address) => void recipients.push(address) })
      const sender = await startMailingService({ smtpUrl: url, mailFrom })
      const { team, token } = await createOwnedTeam(sender.database)
      const path = `/api/v1/teams/${team.slug}/invitations`
      expect((await request(sender, 'POST', path, { token, body: { email, role: 'member' } })).status).toBe(204)
      const record = await waitFor(async () => (await sender.outbox.list()).find(({ lastError, state }) => lastError ?? state === 'sent'))
      return { record, recipients, mails }
    }

    test('fail at once, with the reason, and the address is not sent', async () => {
      const { record, recipients } = await sendTo(`grüße-${unique('x')}@bücher.example`)
      expect(record).toMatchObject({ state: 'failed', attempts: 1, lastError: expect.stringContaining('SMTPUTF8') })
      expect(recipients).toEqual([])
    })

    test('wait for a correction of MAIL_FROM if it is the sender', async () => {
      const { record, recipients } = await sendTo(`${unique('guest')}@example.test`, 'Konten <grüße@accounts.test>')
      expect(record).toMatchObject({ state: 'pending', attempts: 1, lastError: expect.stringMatching(/MAIL_FROM.*SMTPUTF8/) })
      expect(recipients).toEqual([])
    })

    test('do not matter where only the domain has other characters', async () => {
      const { record, mails } = await sendTo(`${unique('guest')}@bücher.example`, 'Grüße <no-reply@bücher.example>')
      expect(record.state).toBe('sent')
      expect(mails[0]?.from?.address).toBe('no-reply@xn--bcher-kva.example')
    })
  })
})
