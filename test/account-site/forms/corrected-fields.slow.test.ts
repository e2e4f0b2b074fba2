import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab } from '../../support/browser/tab.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()

test('the error of a field disappears when the field is changed, and those of others stay', async () => {
  const { page, complaints } = await openTab(browser, service)
  await page.goto(`${service.url}/sign-up`)
  await page.getByRole('button', { name: 'Create account' }).click()
  const errors = page.locator('.wrong')
  await errors.nth(2).waitFor()
  const name = page.getByLabel('Name')
  await name.fill('Grace')
  expect(await errors.allInnerTexts()).toEqual(['Enter an email address.', 'Enter a password.'])
  expect(await name.getAttribute('aria-invalid')).toBeNull()
  await page.getByLabel('Password', { exact: true }).fill('purple lantern river')
  expect(await errors.allInnerTexts()).toEqual(['Enter an email address.'])
  expect(complaints).toEqual([])
})

test('the email address that was typed on the sign-in page is filled in on the page for a forgotten password, in this tab only', async () => {
  const { page, complaints } = await openTab(browser, service)
  await page.goto(`${service.url}/sign-in`)
  await page.getByLabel('Email address').fill('grace@example.test')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('heading', { name: 'Forgot password?' }).waitFor()
  expect(await page.getByLabel('Email address').inputValue()).toBe('grace@example.test')
  const other = await page.context().newPage()
  await other.goto(`${service.url}/forgotten-password`)
  expect(await other.getByLabel('Email address').inputValue()).toBe('')
  expect(complaints).toEqual([])
})
