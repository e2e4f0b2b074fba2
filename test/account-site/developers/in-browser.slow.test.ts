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
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const browser = useChromium()

async function createOwner() {
  const [team, owner] = [await createTeam(database), await createPerson(database, { name: 'Olga' })]
  await join(database, team, owner, 'owner')
  return { team, owner }
}

test.each([
  ['Web app with a server', 'https://app.example/callback'],
  ['Single-page, mobile, desktop or command-line app', 'com.example.app:/callback'],
])(
  'a new developer signs in, creates an app (%s) and runs its code flow without an operator or a command line',
  { timeout: 60_000 },
  async (kind, redirectUri) => {
    const { team, owner } = await createOwner()
    const tab = await openTab(browser, service)
    const { page, complaints } = tab
    await signInAt(tab, service, owner.email)
    await page.goto(`${service.url}/teams/${team.slug}`)
    await page.getByRole('link', { name: 'Apps', exact: true }).click()
    await page.getByText('Create one to get a client ID').waitFor()
    await page.getByRole('link', { name: 'New app' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Dealer Portal')
    await page.getByLabel(kind).check()
    await page.getByLabel('Redirect URIs').fill(redirectUri)
    await expectAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Create app' }).click()
    if (kind.startsWith('Web')) {
      await page.getByRole('heading', { name: 'Copy the client secret' }).waitFor()
      await expectAccessibleInBothThemes(page)
      await page.getByRole('link', { name: 'Continue to the app' }).click()
    }
    await page.getByRole('heading', { name: 'Dealer Portal' }).waitFor()
    await expectAccessibleInBothThemes(page)

    await page.getByRole('button', { name: 'Connect my account' }).click()
    await page.getByText('is a draft of the team').waitFor()
    await page.getByRole('button', { name: 'Allow access' }).click()
    await page.getByText('The app works: your account is connected.').waitFor()
    expect(page.url()).toBe(`${service.url}/developers/try`)
    const shown = async (name: string) => JSON.parse(await page.getByRole('region', { name, exact: true }).innerText())
    const tokens = await shown('Token response')
    expect(tokens).toMatchObject({ token_type: 'Bearer', team: team.slug, access_token: expect.stringMatching(/^.{6}…$/) })
    expect(tokens.scope.split(' ').toSorted()).toEqual(['acct:team:read', 'email', 'offline_access', 'openid', 'profile'])
    expect(await shown('Claims of the ID token')).toMatchObject({ iss: service.url, sub: owner.id })
    expect(await shown('UserInfo')).toMatchObject({ sub: owner.id, name: 'Olga', email: owner.email })
    expect(await shown('Account information')).toMatchObject({ kind: 'oauth', id: owner.id, team: team.slug })
    await expectAccessibleInBothThemes(page)
    await page.setViewportSize(sizes.phone)
    await expectFitsResized(page)
    await page.setViewportSize(sizes.desktop)
    expect(await evaluateInPage(page, ({ sessionStorage }) => sessionStorage.getItem('try-app'))).toBeNull()
    await page.reload()
    await page.getByText('Nothing was tried yet').waitFor()
    expect(await page.getByRole('link', { name: 'Back to the app' }).isVisible()).toBe(false)
    await page.goBack()

    await page.goto(`${service.url}/teams/${team.slug}/developers`)
    await page.getByRole('link', { name: 'Dealer Portal' }).click()
    await page.getByText('1 account has connected the app.').waitFor()
    if (kind.startsWith('Web')) {
      await page.getByRole('link', { name: 'Settings' }).last().click()
      await page.getByRole('button', { name: 'Rotate secret' }).click()
      await page.getByRole('heading', { name: 'Copy the client secret' }).waitFor()
      await page.getByRole('link', { name: 'Continue to the app' }).click()
      await page.getByRole('heading', { name: 'Dealer Portal' }).waitFor()
    }
    expect(complaints).toEqual([])
  },
)

test('an app that its developer does not allow says so, and leads back', { timeout: 60_000 }, async () => {
  const { team, owner } = await createOwner()
  const tab = await openTab(browser, service, { viewport: sizes.phone })
  const { page, complaints } = tab
  await signInAt(tab, service, owner.email)
  await page.goto(`${service.url}/teams/${team.slug}/developers/new`)
  await page.getByLabel('Name', { exact: true }).fill('Portal')
  await page.getByLabel('Single-page, mobile').check()
  await page.getByLabel('Redirect URIs').fill('https://app.example/callback')
  await page.getByRole('button', { name: 'Create app' }).click()
  await expectFits(page)
  await page.getByText('Node.js', { exact: true }).click()
  await expectFitsResized(page)
  const tabs = page.getByRole('navigation', { name: 'Portal' })
  await tabs.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Name', { exact: true }).waitFor()
  expect(await page.title()).toBe('Settings · Portal · Team accounts')
  await expectFits(page)
  await expectAccessibleInBothThemes(page)
  await tabs.getByRole('link', { name: 'Quick start' }).click()
  await page.getByRole('button', { name: 'Connect my account' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('access_denied').waitFor()
  await page.getByRole('link', { name: 'Back to the app' }).click()
  await page.getByRole('heading', { name: 'Portal' }).waitFor()
  expect(complaints).toEqual([])
})
