import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { everyPage, furnish, names } from '../support/furnished.ts'
import { startService } from '../support/service.ts'
import { expectAccessibleInAnyLight, expectWhole, sizes } from '../support/tab.ts'
import { openTabs } from './two-tabs.ts'

// Every form in which something is typed, sent empty: pages come back whole and open to everybody with what is wrong.

const service = await startService()
const browser = await launchChromium()

const typed = 'input:not([type]), input[type=text], input[type=email], input[type=password], textarea'

/** How many forms of the shown page something is typed in. */
const formsOn = (page: Page): Promise<number> =>
  page
    .locator('main form[method=post]')
    .evaluateAll((forms, fields) => forms.filter((form: any) => form.querySelector(fields)).length, typed)

/** Sends one of them empty, past what browsers and scripts of ours check themselves; answers the status code. */
async function sendEmpty(page: Page, index: number): Promise<number> {
  const answer = Promise.all([page.waitForResponse((response) => response.request().isNavigationRequest()), page.waitForEvent('load')])
  await page.locator('main form[method=post]').evaluateAll(
    (forms, [fields, index]) => {
      const form: any = forms.filter((each: any) => each.querySelector(fields))[index]
      for (const field of form.querySelectorAll(fields)) field.value = ''
      form.submit()
    },
    [typed, index] as const,
  )
  const [response] = await answer
  return response.status()
}

test.each([
  ['at a desk', sizes.desktop],
  ['on a phone', sizes.phone],
] as const)('every form that is refused comes back whole and open to everybody %s, in light and dark', async (_, viewport) => {
  const furnished = await furnish(service, names.plain)
  const { visitor, owner } = await openTabs(browser, service, furnished, { viewport })
  const refused: string[] = []
  for (const { path, endsAt, isForAnyone } of everyPage(furnished.parameters)) {
    if (path !== endsAt) continue
    const { page } = isForAnyone ? visitor : owner
    await page.goto(service.url + path)
    const count = await formsOn(page)
    for (let index = 0; index < count; index++) {
      await page.goto(service.url + path)
      expect([path, await sendEmpty(page, index), await page.title()]).toEqual([path, 422, expect.stringMatching(/^Error: /)])
      expect([path, await page.locator('[role=alert]:visible').count()]).not.toEqual([path, 0])
      await expectWhole(page)
      await expectAccessibleInAnyLight(page)
      refused.push(path)
    }
  }
  expect(refused).toEqual(expect.arrayContaining(['/sign-in', '/sign-in/second-factor', '/reset-password', '/tokens/new', '/confirm']))
  expect([...visitor.complaints, ...owner.complaints]).toEqual([])
})
