import { expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { lockWaiters } from '../support/lock-waiters.ts'
import { startService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import { enter, heading, noticeOf, signedIn } from './shown.ts'

const service = await startService()
const { database, url } = service
const { prisma, pool } = database

test('a browser in use while all others are signed out waits for that, and neither fails', async () => {
  const { user, browser } = await signedIn(service)
  const inUse = new Browser(url)
  await enter(inUse, user)
  const page = await browser.open('/security')
  // Long enough ago for its next request to note that it is in use.
  const other = await prisma.session.findFirstOrThrow({ where: { userId: user.id }, orderBy: { createdAt: 'desc' } })
  await prisma.session.update({ where: { id: other.id }, data: { lastUsedAt: new Date(Date.now() - 120_000) } })
  const holder = await pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM oauth_artifacts WHERE uid_hash = $1 FOR UPDATE', [other.uidHash])
  const ended = browser.press(page, 'Sign out all others')
  await waitFor(async () => (await lockWaiters(pool)) === 1)
  const used = inUse.open('/security')
  await waitFor(async () => (await lockWaiters(pool)) === 2)
  await holder.query('COMMIT')
  holder.release()
  expect([noticeOf(await ended), heading(await used)]).toEqual([
    [200, 'All other browsers were signed out.'],
    [200, 'Security'],
  ])
  expect(heading(await inUse.open('/security'))).toEqual([200, 'Sign in'])
})
