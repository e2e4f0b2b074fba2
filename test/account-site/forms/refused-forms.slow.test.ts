import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { everyPage } from '../../support/account-site/every-page.ts'
import { seedSite, names } from '../../support/account-site/seed.ts'
import { isFull } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'
import { expectAccessibleInBothThemes, expectFits, expectFitsResized, sizes } from '../../support/browser/tab.ts'
import { openTabs } from '../../support/account-site/two-tabs.ts'

// Submits every form with its required text fields empty, and checks the page with the error messages.

const service = useService()
const browser = useChromium()

const textFields = ':is(input:not([type]), input[type=text], input[type=email], input[type=password], textarea):required'

/** Number of forms with required text fields on the current page. */
const formsOn = (page: Page): Promise<number> =>
  page
    .locator('main form[method=post]')
    .evaluateAll((forms, fields) => forms.filter((form: any) => form.querySelector(fields)).length, textFields)

/** Submits one of these forms empty, without validation in the browser, and returns the status code. */
async function sendEmpty(page: Page, index: number): Promise<number> {
  const navigation = Promise.all([page.waitForResponse((response) => response.request().isNavigationRequest()), page.waitForEvent('load')])
  await page.locator('main form[method=post]').evaluateAll(
    (forms, [fields, index]) => {
      const form: any = forms.filter((each: any) => each.querySelector(fields))[index]
      for (const field of form.querySelectorAll(fields)) field.value = ''
      form.submit()
    },
    [textFields, index] as const,
  )
  const [response] = await navigation
  return response.status()
}

test('every refused form fits a desktop and a phone and is accessible in the light and the dark theme', async () => {
  const seeded = await seedSite(service, names.plain)
  const { anonymous, owner } = await openTabs(browser, service, seeded, {})
  const refused: string[] = []
  for (const { path, endsAt, isPublic } of everyPage(seeded.parameters)) {
    if (path !== endsAt) continue
    const { page } = isPublic ? anonymous : owner
    await page.goto(service.url + path)
    const count = await formsOn(page)
    for (let index = 0; index < count; index++) {
      await page.goto(service.url + path)
      expect([path, await sendEmpty(page, index), await page.title()]).toEqual([path, 422, expect.stringMatching(/^Error: /)])
      expect([path, await page.locator('[role=alert]:visible').count()]).not.toEqual([path, 0])
      await expectFits(page)
      // The forms show errors by the same components: `npm test` checks the accessibility of every third one.
      if (isFull || refused.length % 3 === 0) await expectAccessibleInBothThemes(page)
      await page.setViewportSize(sizes.phone)
      await expectFitsResized(page)
      if (isFull) await expectAccessibleInBothThemes(page)
      await page.setViewportSize(sizes.desktop)
      refused.push(path)
    }
  }
  expect(refused).toEqual(expect.arrayContaining(['/sign-in', '/sign-in/second-factor', '/reset-password', '/tokens/new', '/confirm']))
  expect([...anonymous.complaints, ...owner.complaints]).toEqual([])
})
