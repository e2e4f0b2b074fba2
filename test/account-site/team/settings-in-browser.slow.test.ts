import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectAccessible, expectFits, openTab, signInAt } from '../../support/browser/tab.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()

test.each([
  [1280, true],
  [390, false],
])('in a window of %i pixels, the settings of a team are groups with an explanation left of the fields: %s', async (width, isLeft) => {
  const owner = await createPerson(service.database)
  const team = await createTeam(service.database)
  await join(service.database, team, owner, 'owner')
  const tab = await openTab(browser, service, { viewport: { width, height: 844 } })
  await signInAt(tab, service, owner.email)
  await tab.page.goto(`${service.url}/teams/${team.slug}/settings`)
  await expectFits(tab.page)
  await expectAccessible(tab.page)
  const groups = await evaluateInPage(tab.page, ({ document }) =>
    [...document.querySelectorAll('.field-group')].map((group: any) => {
      const [about, fields] = [...group.children].map((each: any) => each.getBoundingClientRect())
      return [group.querySelector('h2').innerText, about.right < fields.left, about.bottom <= fields.top]
    }),
  )
  const titles = ['General', 'Logo', 'Products', 'Billing details', 'Transfer ownership', 'Delete this team']
  expect(groups).toEqual(titles.map((title) => [title, isLeft, !isLeft]))
  expect(tab.complaints).toEqual([])
})
