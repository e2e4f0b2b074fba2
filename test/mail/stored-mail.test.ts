import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { useMailingService } from '../support/mail/mailing-service.ts'
import { request } from '../support/http/request.ts'
import { createOwnedTeam, unique } from '../support/data/team.ts'
import { waitFor } from '../support/service/wait.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'team-account-mail-'))
const folder = path.join(dataDir, 'mail')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const service = useMailingService({ dataDir })
const { database } = service

async function storeMail(teamName = 'Acme') {
  const { team, owner, token } = await createOwnedTeam(database, { name: teamName })
  const email = `${unique('guest')}@example.test`
  await request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token, body: { email, role: 'member' } })
  const { body } = await waitFor(async () => {
    const response = await request(service, 'GET', '/dev/mail')
    return response.body.data.some(({ to }: { to: string }) => to === email) ? response : null
  })
  const mail = body.data.find(({ to }: { to: string }) => to === email)
  return { owner, email, mail, link: /http\S+/.exec(mail.text)?.[0] ?? '' }
}

/** Requests a page with the Accept header field of a browser. */
const fetchPage = async (pagePath: string) => {
  const response = await fetch(service.url + pagePath, { headers: { Accept: 'text/html,*/*;q=0.8' } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('a service without a mail server', () => {
  test('stores mails in files that only their owner can read', async () => {
    const { mail } = await storeMail()
    const file = path.join(folder, `${mail.id}.json`)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(mail)
    expect(readdirSync(folder).filter((name) => !name.endsWith('.json'))).toEqual([])
  })

  test('lists stored mails at /dev/mail as HTML and JSON, newest first', async () => {
    const first = await storeMail()
    const second = await storeMail()
    const { status, headers, text } = await fetchPage('/dev/mail')
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, 'text/html; charset=utf-8', 'no-store'])
    expect(text.indexOf(second.email)).toBeLessThan(text.indexOf(first.email))
    expect(text).toContain(`href="/dev/mail/${second.mail.id}"`)
    expect(first.mail).toEqual({
      id: expect.stringMatching(/^\d{8}T\d{9}Z-[0-9a-f]{12}$/),
      from: 'Accounts <no-reply@accounts.test>',
      to: first.email,
      subject: `${first.owner.name} invites you to the team Acme`,
      text: expect.stringContaining(`${service.url}/invitations/`),
      html: expect.stringContaining(`${service.url}/invitations/`),
      messageId: expect.stringMatching(/^[0-9a-f]{40}@127\.0\.0\.1$/),
      date: expect.stringMatching(/Z$/),
    })
  })

  test('shows a stored mail as text with its link, and as HTML in a sandboxed frame', async () => {
    const { mail, link } = await storeMail('<img src=x onerror=alert(1)>')
    const { status, headers, text } = await fetchPage(`/dev/mail/${mail.id}`)
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; /)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(text).toContain(`<a href="${link}">${link}</a>`)
    expect(text).toMatch(/<iframe [^>]*sandbox srcdoc="&#60;!doctype html/)
    expect(text).not.toContain('<img')
    expect(await request(service, 'GET', `/dev/mail/${mail.id}`)).toMatchObject({ status: 200, body: mail })
  })

  test.each(['/dev/mail/nothing', '/dev/mail/..%2F..%2Fsecret-key', '/dev/mail/20260101T000000000Z-000000000000'])(
    'responds to %s with 404',
    async (pagePath) => {
      expect(await request(service, 'GET', pagePath)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    },
  )
})
