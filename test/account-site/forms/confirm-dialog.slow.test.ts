import { expect, test } from 'vitest'
import { enter, heading } from '../../support/account-site/page-content.ts'
import { everyPage } from '../../support/account-site/every-page.ts'
import { names, seedSite } from '../../support/account-site/seed.ts'
import { inTeam, wrongOf } from '../../support/account-site/team.ts'
import { Browser } from '../../support/browser/browser.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { addPasskey } from '../../support/data/second-factor.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()

test('every action that cannot be undone requests confirmation in a dialog or on a page, with its consequences', async () => {
  const { person, parameters } = await seedSite(service, names.plain)
  await addPasskey({ service, principal: await sessionOf(service, person) })
  const owner = new Browser(service.url)
  await enter(owner, person)
  await service.database.prisma.user.update({ where: { id: person.id }, data: { totpSecret: new Uint8Array(64) } })
  const actions = new Set<string>()
  for (const { path, isPublic } of everyPage(parameters)) {
    if (isPublic) continue
    const { root, url } = await owner.open(path)
    expect([path, root.querySelectorAll('main button.danger').length]).toEqual([path, 0])
    for (const link of root.querySelectorAll('a.confirm')) {
      const page = await owner.open(new URL(link.getAttribute('href') ?? '', url))
      const button = page.root.querySelector('main .confirmation .buttons > button')
      expect([page.url.href, heading(page)]).toEqual([page.url.href, [200, `${button?.text}?`]])
      expect(page.root.querySelectorAll('main form').length).toBe(1)
      expect(page.root.querySelectorAll('main form > p').map(({ text }) => text)).toContainEqual(expect.stringMatching(/\w\.$/))
      expect(page.root.querySelector('main a.cancel')?.getAttribute('href')).toBe(path)
      actions.add(button?.text ?? '')
    }
  }
  expect(actions.size).toBeGreaterThan(8)
})

test('a refused confirmation is shown alone with its messages, and an address without an object shows the page', async () => {
  const { browser: owner, page, address, team } = await inTeam(service, 'owner', '/settings')
  const refused = await owner.press(page, 'Delete this team', { 'Type the team’s slug to confirm': 'another' })
  expect([heading(refused), wrongOf(refused, 'confirmSlug')]).toEqual([[422, 'Delete this team?'], expect.any(String)])
  expect(refused.root.querySelectorAll('nav[aria-label=Breadcrumbs] a').map((link) => link.getAttribute('href'))).toEqual([
    `/teams/${team.slug}`,
    address,
  ])
  const deleted = await owner.press(refused, 'Delete this team', { 'Type the team’s slug to confirm': team.slug })
  expect([deleted.url.pathname, deleted.status]).toEqual(['/account/deleted-teams', 200])
  expect(heading(await owner.open('/security?confirm=nothing'))).toEqual([200, 'Sign-in and security'])
})

test('without JavaScript, the confirmation is a page that leads back to the list as it was', async () => {
  const { person, team, parameters } = await seedSite(service, names.plain)
  const { page, ...tab } = await openTab(browser, service, { javaScriptEnabled: false })
  await signInAt({ page, ...tab }, service, person.email)
  const list = `${service.url}/teams/${team.slug}/invitations?size=25`
  const revoke = async () => {
    await page.locator('.row-menu > button').click()
    await page.getByRole('link', { name: /^Revoke/ }).click()
  }
  await page.goto(list)
  await revoke()
  await page.getByRole('heading', { level: 1, name: 'Revoke invitation?' }).waitFor()
  await page.getByRole('link', { name: 'Cancel' }).click()
  expect(page.url()).toBe(list)
  await revoke()
  await page.getByRole('button', { name: 'Revoke invitation' }).click()
  await page.locator('.notice').waitFor()
  expect([page.url(), tab.complaints]).toEqual([list, []])
  const { status } = await service.database.prisma.invitation.findUniqueOrThrow({ where: { id: parameters['invitation'] ?? '' } })
  expect(status).toBe('revoked')
})

test.each(Object.entries(sizes))('with JavaScript, the confirmation is a dialog (%s)', async (_, viewport) => {
  const { person, other, team } = await seedSite(service, names.plain)
  const tab = await openTab(browser, service, { viewport })
  const { page, complaints } = tab
  await signInAt(tab, service, person.email)
  await page.goto(`${service.url}/teams/${team.slug}/members/${other.id}`)
  const [link, dialog] = [page.getByRole('link', { name: 'Remove…' }), page.getByRole('dialog', { name: 'Remove from the team?' })]
  const closings = [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('link', { name: 'Cancel' }).click(),
    () => page.mouse.click(3, 3),
  ]
  for (const close of closings) {
    await link.focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    expect(await dialog.getByRole('link', { name: 'Cancel' }).evaluate((element) => element.matches(':focus'))).toBe(true)
    await close()
    await dialog.waitFor({ state: 'hidden' })
    expect(await link.evaluate((element) => element.matches(':focus'))).toBe(true)
  }
  const { width = 0, x = 0 } = (await link.click().then(() => dialog.boundingBox())) ?? {}
  expect([x >= 0, x + width <= viewport.width]).toEqual([true, true])
  await dialog.getByRole('button', { name: 'Remove from the team' }).click()
  await page.locator('.notice').waitFor()
  expect([new URL(page.url()).pathname, complaints]).toEqual([`/teams/${team.slug}/members`, []])
})
