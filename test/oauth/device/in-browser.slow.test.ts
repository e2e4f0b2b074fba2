import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { expectAccessibleInBothThemes, expectFits, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createDeviceClient, pollDeviceCode, requestDeviceCode } from '../../support/oauth/device.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Which pages a user sees who connects a device: docs/decisions/oauth.md#device-flow.

const service = useService()
const { database } = service
const browser = useChromium()

/** Waits for a page with this heading, and checks its layout. */
async function expectPage(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
  await expectFits(page)
}

const allowTv = 'Allow TV to access your account?'

test.each([
  ['types the code', false, true, sizes.desktop],
  ['opens the link with the code', true, true, sizes.phone],
  ['signs in after opening the link with the code', true, false, sizes.phone],
] as const)('a user who %s confirms the code and the access on one page', async (_, isLink, isSignedIn, viewport) => {
  const user = await createPerson(database)
  const team = await createTeam(database)
  await join(database, team, user, 'owner')
  const client = await createDeviceClient(database, { team: 'required' })
  const { body: device } = await requestDeviceCode(service, client)
  const tab = await openTab(browser, service, { viewport })
  const { page, complaints } = tab
  if (isSignedIn) await signInAt(tab, service, user.email)

  await page.goto(isLink ? device.verification_uri_complete : device.verification_uri)
  await expectPage(page, 'Connect a device')
  if (!isLink) await page.getByLabel('Code').fill(device.user_code)
  await page.getByRole('button', { name: 'Continue' }).click()
  if (!isSignedIn) {
    await expectPage(page, 'Sign in')
    await page.getByLabel('Email address').fill(user.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await expectPage(page, allowTv)
  expect(await page.locator('p.code').textContent()).toBe(device.user_code)
  expect(await page.getByLabel('Team', { exact: true }).inputValue()).toBe(team.slug)
  await expectAccessibleInBothThemes(page)
  expect((await pollDeviceCode(service, client, device.device_code)).body.error).toBe('authorization_pending')
  await page.getByRole('button', { name: 'Allow access' }).click()
  await expectPage(page, 'Device connected')
  expect(complaints).toEqual([])
})

test('a user who goes back from the consent page can enter the code again', async () => {
  const { body: device } = await requestDeviceCode(service, await createDeviceClient(database))
  const tab = await openTab(browser, service)
  const { page } = tab
  await signInAt(tab, service, (await createPerson(database)).email)
  await page.goto(device.verification_uri_complete)
  for (let visit = 0; visit < 2; visit++) {
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectPage(page, allowTv)
    await page.goBack()
    await expectPage(page, 'Connect a device')
  }
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Allow access' }).click()
  await expectPage(page, 'Device connected')
})
