import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startMailingService } from '../support/mail.ts'
import { request } from '../support/request.ts'
import { createOwnedTeam, unique } from '../support/team.ts'
import { waitFor } from '../support/wait.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'team-account-mail-'))
const folder = path.join(dataDir, 'mail')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const service = await startMailingService({ dataDir })
const { database } = service

async function keep(teamName = 'Acme') {
  const { team, owner, token } = await createOwnedTeam(database, { name: teamName })
  const email = `${unique('guest')}@example.test`
  await request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token, body: { email, role: 'member' } })
  const { body } = await waitFor(async () => {
    const answer = await request(service, 'GET', '/dev/mail')
    return answer.body.data.some(({ to }: { to: string }) => to === email) ? answer : null
  })
  const mail = body.data.find(({ to }: { to: string }) => to === email)
  return { owner, email, mail, link: /http\S+/.exec(mail.text)?.[0] ?? '' }
}

/** A page as a browser asks for it. */
const page = async (address: string) => {
  const response = await fetch(service.url + address, { headers: { Accept: 'text/html,*/*;q=0.8' } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('without a mail server', () => {
  test('mails are kept as files for their owner alone', async () => {
    const { mail } = await keep()
    const file = path.join(folder, `${mail.id}.json`)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(mail)
    expect(readdirSync(folder).filter((name) => !name.endsWith('.json'))).toEqual([])
  })

  test('/dev/mail lists them, newest first, as a page and as data', async () => {
    const first = await keep()
    const second = await keep()
    const { status, headers, text } = await page('/dev/mail')
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, 'text/html; charset=utf-8', 'no-store'])
    expect(text.indexOf(second.email)).toBeLessThan(text.indexOf(first.email))
    expect(text).toContain(`href="/dev/mail/${second.mail.id}"`)
    expect(first.mail).toEqual({
      id: expect.stringMatching(/^\d{8}T\d{9}Z-[0-9a-f]{12}$/) as string,
      from: 'Accounts <no-reply@accounts.test>',
      to: first.email,
      subject: `${first.owner.name} invites you to the team Acme`,
      text: expect.stringContaining(`${service.url}/invitations/`) as string,
      html: expect.stringContaining(`${service.url}/invitations/`) as string,
      messageId: expect.stringMatching(/^[0-9a-f]{40}@127\.0\.0\.1$/) as string,
      date: expect.stringMatching(/Z$/) as string,
    })
  })

  test('one mail is shown as text with its link, and as HTML in a frame that may do nothing', async () => {
    const { mail, link } = await keep('<img src=x onerror=alert(1)>')
    const { status, headers, text } = await page(`/dev/mail/${mail.id}`)
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; /)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(text).toContain(`<a href="${link}">${link}</a>`)
    expect(text).toMatch(/<iframe [^>]*sandbox srcdoc="&#60;!doctype html/)
    expect(text).not.toContain('<img')
    expect(await request(service, 'GET', `/dev/mail/${mail.id}`)).toMatchObject({ status: 200, body: mail })
  })

  test.each(['/dev/mail/nothing', '/dev/mail/..%2F..%2Fsecret-key', '/dev/mail/20260101T000000000Z-000000000000'])(
    '%s is 404',
    async (address) => {
      expect(await request(service, 'GET', address)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    },
  )
})

describe('in production', () => {
  test('mails are kept, and /dev/mail does not exist', async () => {
    const production = await startMailingService({ dataDir, nodeEnv: 'production' })
    expect(production.outbox.mailbox).toBeUndefined()
    const { status, body } = await request(production, 'GET', '/dev/mail')
    expect([status, body.code]).toEqual([404, 'not_found'])
  })
})
