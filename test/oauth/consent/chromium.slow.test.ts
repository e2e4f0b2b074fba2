import { describe, expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { expectAccessibleInBothThemes, expectFits, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { authorizationUrl, createClient, createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const browser = useChromium()

describe('the consent page in Chromium', () => {
  test.each([
    ['on a phone', sizes.phone, true],
    ['on a desktop without JavaScript', sizes.desktop, false],
  ] as const)(
    'warns while all teams are selected, and requires a team only to allow access: %s',
    async (_, viewport, javaScriptEnabled) => {
      const user = await createPerson(database)
      for (const name of ['Acme', 'Ladies who launch rockets on long weekends, GmbH & Co. KG'])
        await join(database, await createTeam(database, { name }), user, 'owner')
      const client = await createClient(database, {
        name: 'Ledger',
        description: 'Keeps the books of your teams.',
        team: 'optional',
        optionalScopes: ['profile', 'email', 'acct:team:read', 'acct:team:write', 'acct:team:members:write'],
      })
      const { url } = authorizationUrl(service, client, {
        scope: 'openid profile email acct:team:read acct:team:write acct:team:members:write',
      })
      const tab = await openTab(browser, service, { viewport, javaScriptEnabled })
      const { page } = tab
      await signInAt(tab, service, user.email)

      await page.goto(url.href)
      const warning = page.getByText('Ledger will have access to every team you belong to')
      const select = page.getByLabel('Team', { exact: true })
      expect([await select.inputValue(), await warning.isVisible()]).toEqual(['', false])
      if (javaScriptEnabled) await expectFits(page)
      // The browser itself refuses a form without a team.
      await page.getByRole('button', { name: 'Allow access' }).click()
      expect([new URL(page.url()).pathname.split('/')[3], await page.getByRole('alert').count()]).toEqual(['interaction', 0])
      await select.selectOption('*')
      expect(await warning.isVisible()).toBe(true)
      if (javaScriptEnabled) await expectAccessibleInBothThemes(page)
      await select.selectOption({ index: 1 })
      expect(await warning.isVisible()).toBe(false)
      await select.selectOption('')
      const redirect = page.waitForRequest((request) => request.url().startsWith(client.redirectUri))
      await page.getByRole('button', { name: 'Deny' }).click()
      expect(new URL((await redirect).url()).searchParams.get('error')).toBe('access_denied')
    },
  )
})
