import { expect, test } from 'vitest'
import { names, seedSite } from '../../support/account-site/seed.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { expectAccessibleInBothThemes, expectFits, expectFitsResized, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { createAccountSupportSession, createSupportSession } from '../../support/data/support-session.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()

test('pages in a support session fit a desktop and a phone, and are accessible in the light and the dark theme', async () => {
  const { prisma } = service.database
  const seeded = await seedSite(service, names.long)
  await createSupportSession(service.database, seeded.team, seeded.person, { now: service.clock.now() })
  await createAccountSupportSession(service.database, seeded.person, { now: service.clock.now() })
  const staff = await createPerson(service.database, { name: 'Grace', staffRole: 'reader' })
  const tab = await openTab(browser, service)
  const { page, complaints } = tab
  await signInAt(tab, service, staff.email)
  await prisma.session.updateMany({ where: { userId: staff.id }, data: { provedTwoFactor: true } })
  const ofTeam = ['', '/settings', '/members', '/tokens/new', '/settings?confirm=delete'].map((path) => `/teams/${seeded.team.slug}${path}`)
  const ofAccount = ['/account', '/security', '/security/sessions', '/tokens'].map(
    (path) => `/staff/users/${seeded.person.id}/pages${path}`,
  )
  for (const path of [...ofTeam, ...ofAccount]) {
    const response = await page.goto(service.url + path)
    expect([path, response?.status(), await page.locator('main .banner', { hasText: 'read-only' }).count()]).toEqual([path, 200, 1])
    await expectFits(page)
    await expectAccessibleInBothThemes(page)
    await page.setViewportSize(sizes.phone)
    await expectFitsResized(page)
    await page.setViewportSize(sizes.desktop)
  }
  expect(complaints).toEqual([])
})
