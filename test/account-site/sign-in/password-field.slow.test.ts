import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab } from '../../support/browser/tab.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()

test('the typed password can be shown, and is a password again when the form is sent', async () => {
  const { email } = await createPerson(service.database)
  const { page, complaints } = await openTab(browser, service)
  await page.goto(`${service.url}/sign-in`)
  const field = page.locator('input[name=password]')
  await field.fill(password)
  const show = page.getByRole('button', { name: 'Show password' })
  await show.click()
  expect([await field.getAttribute('type'), await show.getAttribute('aria-pressed')]).toEqual(['text', 'true'])
  await show.click()
  expect([await field.getAttribute('type'), await field.inputValue()]).toEqual(['password', password])
  await show.click()
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((address) => address.pathname !== '/sign-in')
  expect(complaints).toEqual([])
})

test('without JavaScript there is no button that does nothing', async () => {
  const { page } = await openTab(browser, service, { javaScriptEnabled: false })
  await page.goto(`${service.url}/sign-in`)
  expect(await page.getByRole('button').allTextContents()).toEqual(['Sign in'])
})
