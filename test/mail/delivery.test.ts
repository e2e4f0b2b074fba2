import { afterAll, describe, expect, test } from 'vitest'
import { everythingStored, startMailingService } from '../support/mail.ts'
import { request } from '../support/request.ts'
import { startMailServer } from '../support/smtp.ts'
import { createOwnedTeam, unique } from '../support/team.ts'
import { waitFor } from '../support/wait.ts'

const server = await startMailServer()
afterAll(server.close)
const service = await startMailingService({ smtpUrl: server.url })
const { database, clock } = service

const mailsTo = (address: string) => server.mails.filter(({ to }) => to?.some((each) => each.address === address))

async function invite(data: { name?: string; timezone?: string | null } = {}, role = 'member') {
  const owned = await createOwnedTeam(database, data)
  const email = `${unique('guest')}@example.test`
  const path = `/api/v1/teams/${owned.team.slug}/invitations`
  const answer = await request(service, 'POST', path, { token: owned.token, body: { email, role } })
  return { ...owned, email, path, answer }
}

describe('an invitation', () => {
  test('leaves as one mail that says who invites, to which team, as what, until when, with the link', async () => {
    const { email, owner, answer } = await invite({ name: 'Acme & Söhne', timezone: 'Europe/Berlin' }, 'billing')
    expect([answer.status, answer.body]).toEqual([204, null])
    const mail = await waitFor(() => mailsTo(email)[0])
    const invitation = await database.prisma.invitation.findFirstOrThrow({ where: { email } })
    expect(mail).toMatchObject({
      from: { name: 'Accounts', address: 'no-reply@accounts.test' },
      to: [{ name: '', address: email }],
      subject: `${owner.name} invites you to the team Acme & Söhne`,
      date: new Date(Math.floor(invitation.sentAt.getTime() / 1000) * 1000).toISOString(),
    })
    const link = new RegExp(`^${service.url}/invitations/[\\w-]{43}$`, 'm').exec(mail.text ?? '')?.[0]
    const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Berlin' }).format(
      invitation.expiresAt,
    )
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain(link)
      expect(body).toContain(owner.name)
      expect(body).toContain('a billing member')
      expect(body).toContain(` at ${time} (Europe/Berlin)`)
      expect(body).toContain('If you did not expect this invitation')
    }
    expect(mail.text).toContain('Acme & Söhne')
    expect(mail.html).toContain('Acme &#38; Söhne')
    expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
  })

  test('is sent once, and shown as sent', async () => {
    const { email } = await invite()
    await waitFor(async () => (await service.outbox.list()).find((mail) => mail.recipient === email && mail.state === 'sent'))
    expect(mailsTo(email)).toHaveLength(1)
    const record = (await service.outbox.list('sent')).find(({ recipient }) => recipient === email)
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/) as string
    expect(record).toEqual({
      id: expect.any(String) as string,
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

  test('leaves no secret in the database, before and after it is sent', async () => {
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

describe('a transaction', () => {
  test('that commits wakes the worker: it need not look often', async () => {
    const rare = await startMailingService({ smtpUrl: server.url }, { pollSeconds: 600 })
    const { team, token } = await createOwnedTeam(rare.database)
    const email = `${unique('guest')}@example.test`
    const path = `/api/v1/teams/${team.slug}/invitations`
    expect((await request(rare, 'POST', path, { token, body: { email, role: 'member' } })).status).toBe(204)
    await waitFor(() => mailsTo(email)[0])
  })

  test('that is rolled back sends nothing and leaves nothing', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const now = clock.now()
    const mail = { kind: 'invitation', invitationId: '00000000-0000-4000-8000-000000000000', nonce: 'AAAA' } as const
    const before = (await service.outbox.list(undefined, 10_000)).length
    const rolledBack = database.prisma.$transaction(async (transaction) => {
      const data = {
        teamId: team.id,
        email: 'nobody@example.test',
        role: 'member',
        nonce: Buffer.alloc(16),
        tokenHash: Buffer.alloc(32),
      } as const
      await transaction.invitation.create({ data: { ...data, invitedById: owner.id, sentAt: now, expiresAt: now } })
      await service.outbox.sendMail(transaction, mail)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    // One that is put in afterwards is through: nothing before it is on its way.
    const { email } = await invite()
    await waitFor(() => mailsTo(email)[0])
    expect(await service.outbox.list(undefined, 10_000)).toHaveLength(before + 1)
    expect(mailsTo('nobody@example.test')).toEqual([])
  })
})

describe('an address beyond ASCII', () => {
  test('is written to where the mail server takes it', async () => {
    const { team, token } = await createOwnedTeam(database)
    const email = `grüße-${unique('x')}@bücher.example`
    await request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token, body: { email, role: 'member' } })
    const mail = await waitFor(() => server.mails.find(({ to }) => to?.[0]?.address?.startsWith('grüße-')))
    expect(mail.to?.[0]?.address).toMatch(/@(?:bücher|xn--bcher-kva)\.example$/)
  })
})
