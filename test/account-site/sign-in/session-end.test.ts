import { describe, expect, test } from 'vitest'
import { isSignedIn } from '../../support/oauth/authorization.ts'
import type { Browser } from '../../support/browser/browser.ts'
import { travel } from '../../support/service/clock.ts'
import { authorizationUrl, createClient, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { heading, signedIn } from '../../support/account-site/page-content.ts'

const service = useService()
const { database } = service
const { prisma } = database
const day = 86_400_000

const hasSession = async (browser: Browser) => heading(await browser.open('/security'))[1] === 'Sign-in and security'

describe('a session', () => {
  test('ends 90 days after the sign-in, however often it is used, also by authorization requests and changed identifiers', async () => {
    const client = await createClient(database)
    const { user, browser } = await signedIn(service)
    for (let round = 0; round < 8; round++) {
      travel(11 * day)
      expect(heading(await browser.open('/security'))).toEqual([200, 'Sign-in and security'])
      expect((await browser.open(authorizationUrl(service, client).url)).text).toContain(`Signed in as ${user.email}`)
    }
    const { expiresAt } = await prisma.oidcModel.findFirstOrThrow({
      where: { kind: 'Session', uidHash: { not: null }, expiresAt: { gt: new Date() } },
      orderBy: { expiresAt: 'desc' },
    })
    expect(Math.round((expiresAt.getTime() - Date.now()) / day)).toBe(2)
    travel(2 * day + 60_000)
    expect([await hasSession(browser), await isSignedIn(service, browser)]).toEqual([false, false])
  })

  test('lasts another 90 days after the user confirms the password', async () => {
    const { browser } = await signedIn(service)
    for (let round = 0; round < 8; round++) {
      travel(11 * day)
      expect(await hasSession(browser)).toBe(true)
    }
    const page = await browser.open('/confirm?return_to=/security')
    expect(heading(await browser.press(page, 'Continue', { Password: password }))).toEqual([200, 'Sign-in and security'])
    travel(13 * day)
    expect(await hasSession(browser)).toBe(true)
  })
})
