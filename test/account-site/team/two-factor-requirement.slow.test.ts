import { expect, test } from 'vitest'
import { evaluateInPage, openTab, signInAt } from '../../support/browser/tab.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'
import { contentOf, heading } from '../../support/account-site/page-content.ts'
import { inTeam } from '../../support/account-site/team.ts'

const service = useService()
const chromium = useChromium()
const { clock } = service
const { prisma } = service.database

test('a member without two-factor authentication sees a banner, then an error page that leads to where it is turned on', async () => {
  const { browser, team, address } = await inTeam(service, 'member', '/members')
  const requireFrom = (milliseconds: number) =>
    prisma.team.update({ where: { id: team.id }, data: { twoFactorRequiredAt: new Date(clock.now().getTime() + milliseconds) } })
  await requireFrom(86_400_000)
  for (const path of [address, '/account']) expect(contentOf(await browser.open(path))).toContain('requires two-factor authentication from')
  await requireFrom(0)
  const refused = await browser.open(address)
  expect(heading(refused)).toEqual([403, 'Two-factor authentication required'])
  expect(refused.root.querySelector('main a')?.getAttribute('href')).toBe('/security/two-factor')
  const security = await browser.open('/security')
  expect([security.status, contentOf(security).includes('requires two-factor authentication')]).toEqual([200, true])
  expect((await browser.open('/')).url.pathname).toBe('/account/teams')
})

test('the banner is on the pages of its team and of the account, not in other teams, and keeps its distance', async () => {
  const { team, person, address } = await inTeam(service, 'member', '/members')
  const other = await createTeam(service.database)
  await join(service.database, other, person, 'member')
  const twoFactorRequiredAt = new Date(clock.now().getTime() + 86_400_000)
  await prisma.team.update({ where: { id: team.id }, data: { twoFactorRequiredAt } })
  const tab = await openTab(chromium, service)
  await signInAt(tab, service, person.email)
  const bannersAt = async (path: string) => {
    await tab.page.goto(service.url + path)
    return evaluateInPage(tab.page, ({ document }) =>
      [...document.querySelectorAll('.banner')].map((banner) => {
        const gap = banner.nextElementSibling.getBoundingClientRect().top - banner.getBoundingClientRect().bottom
        return [gap >= 16, banner.querySelector('time').title]
      }),
    )
  }
  for (const path of [address, '/account']) expect([path, await bannersAt(path)]).toEqual([path, [[true, '']]])
  expect(await bannersAt(`/teams/${other.slug}/members`)).toEqual([])
})
