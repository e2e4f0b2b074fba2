import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import {
  evaluateInPage,
  expectAccessibleInBothThemes,
  expectFits,
  expectFitsResized,
  openTab,
  signInAt,
  sizes,
} from '../../support/browser/tab.ts'
import { createOwnedTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { scim, verifyDomain } from '../../support/scim/directory.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()
const { database, url } = service

test.each(['phone', 'desktop'] as const)(
  'an owner creates the token of the directory, sees it once, and rotates it (%s)',
  { timeout: 90_000 },
  async (size) => {
    const { team } = await createOwnedTeam(database)
    await verifyDomain(service, team, `${team.slug}.example`)
    const owner = await createPerson(database)
    await join(database, team, owner, 'owner')
    const tab = await openTab(browser, service, { viewport: sizes[size], permissions: ['clipboard-read', 'clipboard-write'] })
    const { page, complaints } = tab
    await signInAt(tab, service, owner.email)
    await page.goto(`${url}/teams/${team.slug}/sign-in`)
    await page.getByRole('link', { name: 'View the directory' }).press('Enter')
    await page.getByRole('heading', { name: 'Directory', exact: true }).waitFor()
    await page.getByText('Set up Microsoft Entra ID').click()
    await page.getByText('Set up Okta').click()
    await expectFitsResized(page)
    await expectAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Copy URL' }).click()
    await page.getByText('Copied.').waitFor()
    const clipboard = () => evaluateInPage<string>(page, ({ navigator }) => navigator.clipboard.readText())
    expect(await clipboard()).toBe(`${url}/scim/v2`)
    await page.getByRole('button', { name: 'Create token' }).press('Enter')
    await page.getByRole('heading', { name: 'Copy your token' }).waitFor()
    await expectFits(page)
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText('Copied.').waitFor()
    const token = await clipboard()
    const user = { userName: `ada@${team.slug}.example`, displayName: 'Ada Moreau' }
    const statuses = [await scim(service, token, 'POST', '/Users', user), await scim(service, token, 'POST', '/Users', user)]
    expect(statuses.map(({ status }) => status)).toEqual([201, 409])
    await page.getByRole('link', { name: 'Done' }).press('Enter')
    await page.getByText('exists already.').waitFor()
    expect(await page.content()).not.toContain(token)
    await expectFits(page)
    await expectAccessibleInBothThemes(page)
    await page.getByText('Rotate token').first().click()
    await page.getByLabel('Immediately').check()
    await page.getByRole('button', { name: 'Rotate token' }).press('Enter')
    await page.getByRole('heading', { name: 'Copy your token' }).waitFor()
    const rotated = (await page.locator('#value').textContent())?.trim() ?? ''
    expect(rotated).not.toBe(token)
    expect((await scim(service, token, 'GET', '/Users')).status).toBe(401)
    expect((await scim(service, rotated, 'GET', '/Users')).status).toBe(200)
    await page.getByRole('link', { name: 'Done' }).press('Enter')
    await page.getByRole('link', { name: 'Ada Moreau' }).press('Enter')
    await page.getByRole('heading', { name: 'Remove from the team' }).waitFor()
    await expectFits(page)
    expect(complaints).toEqual([])
  },
)
