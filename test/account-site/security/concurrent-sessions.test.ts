import { expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { holdLocks, lockWaiters } from '../../support/processes/locks.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'
import { enter, heading, noticeOf, signedIn } from '../../support/account-site/page-content.ts'

const service = useService()
const { database, url } = service
const { prisma, pool } = database

test('a request waits while another browser signs out its session, and neither request fails', async () => {
  const { user, browser } = await signedIn(service)
  const otherBrowser = new Browser(url)
  await enter(otherBrowser, user)
  const page = await browser.open('/security/sessions')
  // Backdates the last use so that the next request of the session updates it.
  const session = await prisma.session.findFirstOrThrow({ where: { userId: user.id }, orderBy: { createdAt: 'desc' } })
  await prisma.session.update({ where: { id: session.id }, data: { lastUsedAt: new Date(Date.now() - 120_000) } })
  const lock = await holdLocks(pool, 'SELECT FROM oidc_models WHERE uid_hash = $1 FOR UPDATE', [session.uidHash])
  const signOutRequest = browser.press(page, 'Sign out all other browsers')
  await waitFor(async () => (await lockWaiters(pool)) === 1)
  const pageRequest = otherBrowser.open('/security')
  await waitFor(async () => (await lockWaiters(pool)) === 2)
  await lock.commit()
  expect([noticeOf(await signOutRequest), heading(await pageRequest)]).toEqual([
    [200, 'All other browsers were signed out.'],
    [200, 'Sign-in and security'],
  ])
  expect(heading(await otherBrowser.open('/security'))).toEqual([200, 'Sign in'])
})
