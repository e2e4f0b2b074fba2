import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectAccessibleInBothThemes, expectFits, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { personalToken } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { allowsChanges, tokenScopes } from '../../../schema/core/scopes.ts'

const service = useService()
const { database } = service
const browser = useChromium()
const reading = tokenScopes.filter((scope) => !allowsChanges(scope))

/** Opens the form of a new token, for a user with a token that has a long name. */
async function openForm(options: Parameters<typeof openTab>[2]) {
  const person = await createPerson(database, { timezone: 'Asia/Tokyo' })
  await personalToken(database, person, { name: 'W'.repeat(255), scopes: ['teams', 'acct:team:write'] })
  const tab = await openTab(browser, service, options)
  const { page } = tab
  await signInAt(tab, service, person.email)
  await page.goto(`${service.url}/tokens/new`)
  const boxes = page.locator('input[name=scopes]')
  const ticked = () => boxes.evaluateAll((all: any[]) => all.filter(({ checked }) => checked).map(({ value }) => value))
  const name = page.getByLabel('Name', { exact: true })
  return { ...tab, person, name, ticked, like: page.getByLabel('Like another token') }
}

test.each([
  ['on a phone, at once', sizes.phone, true],
  ['on a desktop without JavaScript', sizes.desktop, false],
] as const)('presets tick the permissions of a new token, which keeps its name: %s', async (_, viewport, javaScriptEnabled) => {
  const { page, name, ticked, like, person, complaints } = await openForm({ viewport, javaScriptEnabled })
  let requests = 0
  page.on('request', () => requests++)
  const press = (label: string) => page.getByRole('button', { name: label, exact: true }).click()
  await name.fill('Backups')
  await press('Read only')
  expect(await ticked()).toEqual(reading)
  await press('Everything')
  expect(await ticked()).toEqual(tokenScopes)
  await like.selectOption({ index: 1 })
  if (javaScriptEnabled) expect(await ticked()).toEqual(['teams', 'acct:team:write'])
  else await press('Apply')
  expect(await ticked()).toEqual(['teams', 'acct:team:write'])
  expect([await name.inputValue(), requests > 0]).toEqual(['Backups', !javaScriptEnabled])
  if (javaScriptEnabled) {
    expect(await page.locator('[data-status]').innerText()).toBe(`2 of ${tokenScopes.length} permissions selected`)
    await expectFits(page)
    await expectAccessibleInBothThemes(page)
  } else {
    // The page that came back shows what the preset ticked, not the top of the form.
    expect(await evaluateInPage(page, ({ document }) => document.querySelector('#permissions').getBoundingClientRect().top)).toBeLessThan(
      200,
    )
  }
  // The descriptions unfold, and a tap anywhere in a cell ticks it.
  await page.getByText('Audit log', { exact: true }).last().click()
  await page.getByText('acct:team:audit:read').click({ trial: true })
  const cell = await page.locator('td:has([value="acct:team:audit:read"]) > label').boundingBox()
  expect((cell?.height ?? 0) >= 44 && (cell?.width ?? 0) >= 44).toBe(true)
  await page.mouse.click((cell?.x ?? 0) + 3, (cell?.y ?? 0) + 3)
  // Enter in a field creates the token; it does not press a preset.
  await name.press('Enter')
  await page.getByRole('heading', { name: 'Copy your token' }).waitFor()
  const [token] = await database.prisma.accessToken.findMany({ where: { userId: person.id, name: 'Backups' } })
  expect([token?.scopes, complaints]).toEqual([['teams', 'acct:team:write', 'acct:team:audit:read'], []])
  await page.context().close()
})

test('the form states when the token expires, as it is chosen, in the time zone of the user', async () => {
  const { page } = await openForm({ viewport: sizes.desktop })
  const stated = page.locator('[data-expiry]')
  const dateOf = (days: number) => page.locator(`label[for=field-expiresAt-${days}] time`).innerText()
  expect(await stated.innerText()).toContain(`Expires on ${await dateOf(30)}, `)
  await page.getByLabel('90 days').check()
  expect(await stated.innerText()).toContain(`Expires on ${await dateOf(90)}, `)
  await page.getByRole('radio', { name: 'Custom date' }).check()
  expect((await stated.innerText()).trim()).toBe('')
  const day = page.locator('input[type=date]')
  const last = (await day.getAttribute('max')) ?? ''
  await day.fill(last)
  const [year] = last.split('-')
  expect(await stated.innerText()).toMatch(new RegExp(`^Expires on .* ${year}, \\d\\d:\\d\\d GMT\\+9\\.$`))
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  await day.fill(inTwoDays)
  // The day ends at midnight UTC, at nine o'clock the next day in Tokyo.
  const next = new Date(Date.parse(inTwoDays) + 86_400_000).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  expect(await stated.innerText()).toBe(`Expires on ${next}, 08:59 GMT+9.`)
  await day.fill('2020-01-01')
  expect((await stated.innerText()).trim()).toBe('')
  await page.context().close()
})
