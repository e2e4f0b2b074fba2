import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { contentOf, openAs } from '../support/account-site/page-content.ts'
import { Browser } from '../support/browser/browser.ts'
import { everythingStored, useMailingService } from '../support/mail/mailing-service.ts'
import { createPerson } from '../support/oauth/oauth.ts'
import { unique } from '../support/data/team.ts'

// Requests of mails by strangers, with the real outbox. Same statements: test/graphql/accounts/accounts.test.ts.

const service = useMailingService({ dataDir: mkdtempSync(path.join(tmpdir(), 'mails-')) })
const { prisma } = service.database

async function askFor(email: string): Promise<string> {
  const browser = new Browser(service.url)
  const page = await browser.press(await browser.open('/forgotten-password'), 'Send reset link', { 'Email address': email })
  expect(page.status).toBe(200)
  return contentOf(page).replaceAll(email, 'ADDRESS')
}
const countWritten = async () => [
  await prisma.auditEntry.count(),
  await prisma.mailLink.count(),
  (await service.database.pool.query('SELECT 1 FROM pgboss.job')).rows.length,
]

describe('a requested password reset', () => {
  test('for an unknown or disabled address writes no audit entry and no mail job, and answers as for a known one', async () => {
    const [known, disabled] = [await createPerson(service.database), await createPerson(service.database, { disabledAt: new Date() })]
    const unknown = `${unique('unknown')}@example.test`
    const before = await countWritten()
    const answers = [await askFor(unknown), await askFor(disabled.email)]
    expect(await countWritten()).toEqual(before)
    expect(await everythingStored(service.database)).not.toContain(unknown)
    expect([await askFor(known.email), await askFor(known.email)]).toEqual(answers)
    expect((await countWritten())[0]).toBe((before[0] ?? 0) + 2)
  })

  test('beyond five mails per hour writes nothing more', async () => {
    const { email } = await createPerson(service.database)
    for (let count = 0; count < 5; count++) await askFor(email)
    const before = await countWritten()
    await askFor(email)
    expect((await countWritten()).slice(0, 2)).toEqual(before.slice(0, 2))
  })
})

describe('many requests of mails in one GraphQL document', () => {
  const post = async (browser: Browser, fields: string[]) => {
    const query = `mutation { ${fields.map((field, index) => `a${index}: ${field}`).join('\n')} }`
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin: service.url, cookie }
    const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
    const { errors = [] } = JSON.parse(await response.text())
    return Array.from(errors, (error: any) => error.extensions.code)
  }

  test('cannot request password resets or sign up, with or without a session', async () => {
    const user = await createPerson(service.database)
    const { browser } = await openAs(service, user, '/account')
    const before = await countWritten()
    const field = `requestPasswordReset(input: { email: "${user.email}" }) { email }`
    expect(await post(browser, Array(20).fill(field))).toEqual(Array(20).fill('session_required'))
    expect(await post(new Browser(service.url), Array(20).fill(field))).toEqual(['unauthenticated'])
    expect(await countWritten()).toEqual(before)
  })

  test('sends at most five verification mails', async () => {
    const user = await createPerson(service.database, { emailVerified: false })
    const { browser } = await openAs(service, user, '/account')
    expect(await post(browser, Array(20).fill('resendVerification { email }'))).toEqual(Array(15).fill('rate_limited'))
    expect(await prisma.mailLink.count({ where: { userId: user.id } })).toBe(5)
  })
})
