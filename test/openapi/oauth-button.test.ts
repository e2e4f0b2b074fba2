import { expect, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { useChromium } from '../support/browser/chromium.ts'
import { openTab } from '../support/browser/tab.ts'
import { createTeam, join } from '../support/data/team.ts'
import { createPerson, password } from '../support/oauth/oauth.ts'
import { runCli } from '../support/service/cli.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const { database, url } = service
const browser = useChromium()

/** Runs the command that the documentation shows, and returns the registered client. */
async function registerAsDocumented() {
  const { description } = openApiDocument({ publicUrl: url }).components.securitySchemes.oauth2
  const [, command = ''] = /^npm run -s cli -- (.+)$/m.exec(description) ?? []
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
  const { status, stderr } = await runCli({ DATABASE_URL: service.databaseUrl }, words)
  expect([status, stderr]).toEqual([0, ''])
}

test('the Authorize button of the documentation obtains a token with PKCE, and requests use it', { timeout: 60_000 }, async () => {
  await registerAsDocumented()
  const user = await createPerson(database)
  const team = await createTeam(database)
  await join(database, team, user, 'member')
  const tab = await openTab(browser, service)
  const { page, complaints } = tab
  // The redirect page has the origin 127.0.0.1, so the page moves there.
  const localUrl = url.replace('127.0.0.1', 'localhost')
  await page.goto(`${localUrl}/api/docs`)
  await page.waitForURL(`${url}/api/docs`)

  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  const dialog = page.locator('.auth-container').filter({ hasText: 'oauth2' })
  expect(await dialog.getByLabel('client_id:').inputValue()).toBe('api-documentation')
  expect(await dialog.getByText('client create --client-id api-documentation').isVisible()).toBe(true)
  const apply = dialog.getByRole('button', { name: 'Apply given OAuth2 credentials' })
  const [popup] = await Promise.all([page.waitForEvent('popup'), apply.click()])
  await popup.getByLabel('Email address').fill(user.email)
  await popup.getByLabel('Password').fill(password)
  await popup.getByRole('button', { name: 'Sign in', exact: true }).click()
  await popup.getByLabel('Team', { exact: true }).selectOption(team.slug)
  const [exchange] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/oauth/token')),
    popup.waitForEvent('close'),
    popup.getByRole('button', { name: 'Allow access' }).click(),
  ])
  const form = new URLSearchParams(exchange.request().postData() ?? '')
  expect([form.get('grant_type'), form.get('client_id'), form.has('code_verifier')]).toEqual([
    'authorization_code',
    'api-documentation',
    true,
  ])
  await dialog.getByRole('button', { name: 'Remove authorization' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'GET /v1/user Show the account' }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  const [response] = await Promise.all([page.waitForResponse(`${url}/api/v1/user`), page.getByRole('button', { name: 'Execute' }).click()])
  expect([response.status(), await response.json()]).toEqual([
    200,
    expect.objectContaining({ kind: 'oauth', id: user.id, team: team.slug, scopes: ['teams', 'openid'], client_id: 'api-documentation' }),
  ])
  expect(complaints.filter((complaint) => !complaint.startsWith(`requested ${localUrl}/`))).toEqual([])
})
