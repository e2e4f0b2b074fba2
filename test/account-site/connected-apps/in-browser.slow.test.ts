import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { expectAccessibleInBothThemes, expectFits, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const browser = useChromium()

test.each([
  ['on a phone', sizes.phone, true],
  ['on a desktop without JavaScript', sizes.desktop, false],
] as const)(
  'a connected app shows its permissions on demand and loses access after a confirmation: %s',
  async (_, viewport, javaScriptEnabled) => {
    const person = await createPerson(database)
    const team = await createTeam(database, { name: 'Ladies who launch rockets on long weekends' })
    await join(database, team, person, 'owner')
    const { id } = await createGrant(database, person, { team, scopes: ['openid', 'teams', 'acct:team:write'] })
    const tab = await openTab(browser, service, { viewport, javaScriptEnabled })
    const { page, complaints } = tab
    await signInAt(tab, service, person.email)
    await page.goto(`${service.url}/applications`)
    if (javaScriptEnabled) await expectFits(page)
    const row = page.locator('.rows tbody tr')
    const permission = row.getByText('Team settings: write')
    expect(await permission.isVisible()).toBe(false)
    if (viewport === sizes.phone) await row.locator('th > details > summary').click()
    await row.getByText('3 permissions').click()
    expect(await permission.isVisible()).toBe(true)
    if (javaScriptEnabled) await expectAccessibleInBothThemes(page)
    await row.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    await page.getByRole('link', { name: 'Revoke access…' }).click()
    await page.getByText(`Dashboard immediately loses access to your account and the team ${team.name}, on every device.`).waitFor()
    await page.getByRole('button', { name: 'Revoke access' }).click()
    await page.getByText('The access of “Dashboard” was revoked.').waitFor()
    const grant = await database.prisma.oAuthGrant.findUniqueOrThrow({ where: { id } })
    expect([grant.revokedAt !== null, complaints]).toEqual([true, []])
    await page.context().close()
  },
)
