import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectAccessible, openTab, signInAt } from '../../support/browser/tab.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()

async function openWith(count: number, javaScriptEnabled: boolean) {
  const person = await createPerson(service.database)
  const teams = []
  for (let index = 0; index < count; index++) {
    const team = await createTeam(service.database, { name: `Crew ${index}` })
    await join(service.database, team, person, 'owner')
    teams.push(team)
  }
  const tab = await openTab(browser, service, { javaScriptEnabled })
  await signInAt(tab, service, person.email)
  await tab.page.goto(`${service.url}/security`)
  await tab.page.locator('.switcher > button').press('Enter')
  await tab.page.locator('#team-list').waitFor()
  return { ...tab, teams, shown: () => tab.page.locator('#team-list li:visible').count() }
}

test('eight teams are filtered by name and slug, and Enter opens the first match', async () => {
  const { page, teams, shown, complaints } = await openWith(8, true)
  const field = page.getByRole('searchbox', { name: 'Filter teams' })
  expect([await shown(), await field.evaluate((element) => element.matches(':focus'))]).toEqual([8, true])
  await expectAccessible(page)
  await page.keyboard.type('nothing')
  expect([await shown(), await page.getByText('No team found.').isVisible()]).toEqual([0, true])
  await field.fill('crew 5')
  expect(await shown()).toBe(1)
  await field.fill(teams[6]?.slug ?? '')
  expect(await shown()).toBe(1)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${service.url}/teams/${teams[6]?.slug}`)
  expect(complaints).toEqual([])
})

test.each([
  [8, false],
  [7, true],
] as const)('%i teams are a list without a filter, with JavaScript: %s', async (count, javaScriptEnabled) => {
  const { page, shown } = await openWith(count, javaScriptEnabled)
  expect([await shown(), await page.getByRole('searchbox', { name: 'Filter teams' }).isVisible()]).toEqual([count, false])
})

test('the list of teams shows the logo of each team, and its slug below its name', async () => {
  const { page, teams } = await openWith(2, true)
  const shown = await evaluateInPage(page, ({ document }) =>
    [...document.querySelectorAll('#team-list a')].map((link: any) => {
      const { left, right, bottom } = link.querySelector('.avatar').getBoundingClientRect()
      const [name, slug] = [link.querySelector('bdi'), link.querySelector('small')].map((each) => each.getBoundingClientRect())
      return {
        text: link.innerText,
        isLeft: left < right && right < name.left,
        isBelow: slug.top >= name.bottom - 1 && slug.left === name.left && bottom > 0,
      }
    }),
  )
  const named = teams.map(({ slug }, index) => ({ slug, text: `C${index}\nCrew ${index}\n${slug}` }))
  // The slugs, which give the order, are random here.
  const expected = named.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)).map(({ text }) => ({ text, isLeft: true, isBelow: true }))
  expect(shown).toEqual(expected)
})
