import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { useChromium } from '../support/browser/chromium.ts'
import { openTab } from '../support/browser/tab.ts'
import { createOwnedTeam, createTeam, join } from '../support/data/team.ts'
import { createPerson, password } from '../support/oauth/oauth.ts'
import { runCli } from '../support/service/cli.ts'
import { useService } from '../support/service/service.ts'

// The host name of the default AUTH_URL. No redirect URI can contain it, so the sign-in passes through 127.0.0.1.
const service = useService({ hostname: 'localhost' })
const { database, url } = service
const browser = useChromium()

/** Runs the command that the reference shows to operators. */
async function registerAsDocumented() {
  const { description } = openApiDocument({ publicUrl: url }).components.securitySchemes.oauth2
  const [, command = ''] = /^npm run -s cli -- (.+)$/m.exec(description) ?? []
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
  const { status, stderr } = await runCli({ DATABASE_URL: service.databaseUrl }, words)
  expect([status, stderr]).toEqual([0, ''])
}

/** Sends the request of the first operation, and returns the response. */
async function listTeams(page: Page) {
  await page.getByRole('link', { name: 'List teams' }).click()
  await page.getByRole('button', { name: /^Test Request ?\(get \/v1\/teams\)$/ }).click()
  const [response] = await Promise.all([
    page.waitForResponse(`${url}/api/v1/teams`),
    page.getByRole('button', { name: /^Send/ }).first().click(),
  ])
  return { status: response.status(), body: await response.json(), request: response.request() }
}

test('a user signs in with PKCE, gives consent and receives the answer to a request', { timeout: 120_000 }, async () => {
  await registerAsDocumented()
  const user = await createPerson(database)
  const team = await createTeam(database)
  await join(database, team, user, 'member')
  const { page, complaints } = await openTab(browser, service)
  // Another name of the same server: the page moves to the public origin.
  await page.goto(`${url.replace('localhost', '127.0.0.1')}/api/docs#tag/teams`)
  await page.waitForURL(`${url}/api/docs#tag/teams`)
  await page.goto(`${url}/api/docs`)

  const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: 'Authorize via oauth2' }).click()])
  await popup.getByLabel('Email address').fill(user.email)
  await popup.getByLabel('Password').fill(password)
  await popup.getByRole('button', { name: 'Sign in', exact: true }).click()
  await popup.getByLabel('Team', { exact: true }).selectOption(team.slug)
  expect(await popup.getByRole('checkbox', { checked: true }).count()).toBeGreaterThan(5)
  const [exchange] = await Promise.all([
    page.waitForResponse(`${url}/api/oauth/token`),
    popup.waitForEvent('close'),
    popup.getByRole('button', { name: 'Allow access' }).click(),
  ])
  const form = new URLSearchParams(exchange.request().postData() ?? '')
  expect([exchange.status(), form.get('grant_type'), form.get('client_id'), form.get('code_verifier')?.length]).toEqual([
    200,
    'authorization_code',
    'api-documentation',
    43,
  ])
  await page.getByRole('button', { name: 'Refresh', exact: true }).waitFor()

  const { status, body, request } = await listTeams(page)
  expect([status, body.data.map(({ slug }: { slug: string }) => slug)]).toEqual([200, [team.slug]])
  expect(request.headers()['authorization']).toBe(`Bearer ${(await exchange.json()).access_token}`)
  await page.getByText(`"${team.slug}"`).first().waitFor()

  // Nothing is stored: the next user of the page finds no token.
  const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage])')
  expect(stored).not.toContain((await exchange.json()).access_token)
  expect(complaints.filter((complaint) => !complaint.startsWith('requested http://127.0.0.1:'))).toEqual([])
})

test('a user pastes a token', { timeout: 120_000 }, async () => {
  const { team, token } = await createOwnedTeam(database)
  const { page, complaints } = await openTab(browser, service)
  await page.goto(`${url}/api/docs`)
  await page.getByLabel('Bearer Token').first().fill(token)
  const { status, body } = await listTeams(page)
  expect([status, body.data.map(({ slug }: { slug: string }) => slug)]).toEqual([200, [team.slug]])
  expect(complaints).toEqual([])
})
