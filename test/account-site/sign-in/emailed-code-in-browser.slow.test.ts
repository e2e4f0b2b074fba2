import { expect, test } from 'vitest'
import { createUserWithTotp } from '../../support/account-site/trusted-browser.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab } from '../../support/browser/tab.ts'
import { lastCode } from '../../support/mail/links.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService({ secretKey })
const browser = useChromium()

test('the typed email address reaches the page of the code, and the sixth digit signs in', async () => {
  const { id, email } = await createPerson(service.database)
  const { page, complaints } = await openTab(browser, service)
  await page.goto(`${service.url}/sign-in?return_to=/security`)
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('link', { name: 'Email me a code' }).click()
  await expect.poll(() => page.getByLabel('Email address').inputValue()).toBe(email)
  await page.getByRole('button', { name: 'Send code' }).click()
  const code = page.getByLabel('Code', { exact: true })
  await code.waitFor()
  await code.pressSequentially(await lastCode(service, id))
  await page.waitForURL((address) => address.pathname === '/security')
  expect(complaints).toEqual([])
})

test('the sixth digit of an authenticator app signs in only if the box to trust the device is ticked, otherwise the button does', async () => {
  const { user, nextCode } = await createUserWithTotp(service)
  for (const isTrusted of [false, true]) {
    const { page, complaints } = await openTab(browser, service)
    await page.goto(`${service.url}/sign-in?return_to=/security`)
    await page.getByLabel('Email address').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const trust = page.getByLabel('Trust this device')
    if (isTrusted) await trust.check()
    await page.getByLabel('Code', { exact: true }).pressSequentially(nextCode())
    if (!isTrusted) {
      expect(new URL(page.url()).pathname).toBe('/sign-in/second-factor')
      await page.keyboard.press('Enter')
    }
    await page.waitForURL((address) => address.pathname === '/security')
    expect(complaints).toEqual([])
  }
  expect(await service.database.prisma.trustedDevice.count({ where: { userId: user.id } })).toBe(1)
})
