import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectAccessibleInBothThemes, expectFits, openTab, signInAt } from '../../support/browser/tab.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { runAsShown } from '../../support/developers/run-program.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { reservePort } from '../../support/processes/port.ts'
import { addSecret } from '../../support/service/secrets/secrets-in-logs.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const browser = useChromium()

/** Signs in the owner of a new team. The page is the one that follows the sign-in. */
async function openAsOwner() {
  const [team, owner] = [await createTeam(database), await createPerson(database, { name: 'Olga' })]
  await join(database, team, owner, 'owner')
  const tab = await openTab(browser, service, { permissions: ['clipboard-read', 'clipboard-write'] })
  await signInAt(tab, service, owner.email)
  const work = { clicks: 0, fields: 0 }
  const click = async (locator: Locator) => (work.clicks++, locator.click())
  const fill = async (locator: Locator, value: string) => (work.fields++, locator.fill(value))
  const readClipboard = () => evaluateInPage<string>(tab.page, ({ navigator }) => navigator.clipboard.readText())
  return { ...tab, work, click, fill, readClipboard }
}

test('a new developer gets tokens with an own app and the copied program, by 2 fields and 6 clicks', { timeout: 60_000 }, async () => {
  const { page, work, click, fill, readClipboard } = await openAsOwner()
  const { port, release } = reservePort()
  release()
  await click(page.getByRole('link', { name: 'Apps', exact: true }))
  await click(page.getByRole('link', { name: 'New app' }))
  await fill(page.getByLabel('Name', { exact: true }), 'Portal')
  await fill(page.getByLabel('Redirect URIs'), `http://127.0.0.1:${port}/callback`)
  await click(page.getByRole('button', { name: 'Create app' }))
  await expectFits(page)
  await expectAccessibleInBothThemes(page)
  await click(page.getByRole('button', { name: 'Copy secret' }))
  const secret = await readClipboard()
  addSecret(secret)
  await click(page.getByRole('button', { name: 'Copy', exact: true }))
  await page.goto(await runAsShown(await readClipboard(), 'app.mjs', { CLIENT_SECRET: secret }))
  await click(page.getByRole('button', { name: 'Allow access' }))
  await page.waitForURL((address) => address.port === String(port))
  expect(JSON.parse(await page.locator('pre').innerText())).toMatchObject({ kind: 'oauth', name: 'Olga' })
  expect(work).toEqual({ clicks: 6, fields: 2 })
})

test('a new developer sees the token response of an own app in the browser, by 2 fields and 6 clicks', { timeout: 60_000 }, async () => {
  const { page, work, click, fill, complaints } = await openAsOwner()
  await click(page.getByRole('link', { name: 'Apps', exact: true }))
  await click(page.getByRole('link', { name: 'New app' }))
  await fill(page.getByLabel('Name', { exact: true }), 'Portal')
  await fill(page.getByLabel('Redirect URIs'), 'https://app.example/callback')
  await click(page.getByRole('button', { name: 'Create app' }))
  await click(page.getByRole('link', { name: 'Continue to the app' }))
  await click(page.getByRole('button', { name: 'Connect my account' }))
  await click(page.getByRole('button', { name: 'Allow access' }))
  await page.getByText('The app works: your account is connected.').waitFor()
  expect(JSON.parse(await page.getByRole('region', { name: 'Token response' }).innerText())).toMatchObject({ token_type: 'Bearer' })
  expect([work, complaints]).toEqual([{ clicks: 6, fields: 2 }, []])
})
