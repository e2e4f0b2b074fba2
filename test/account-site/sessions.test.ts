import { expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { createSession } from '../support/session-row.ts'
import { enter, heading, noticeOf, signedIn } from './shown.ts'

const service = await startService()
const { database } = service
const { prisma } = database

const rows = ({ root }: Page) =>
  root
    .querySelectorAll('#sessions li')
    .map((row) => [row.querySelector('strong')?.text, row.querySelector('.hint span')?.text, row.querySelector('.badge')?.text])
/** The button of the first session in the list that can be signed out, as it would be sent. */
const firstForm = ({ root }: Page) => {
  const inputs = root.querySelector('#sessions form')?.querySelectorAll('input') ?? []
  return new URLSearchParams(inputs.map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']))
}
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

test('sessions are listed with device, address and last use, and signed out one by one or all at once', async () => {
  const { user, browser } = await signedIn(service)
  await createSession(database, user, { address: '2001:db8::1' })
  const another = await signedIn(service)
  const second = new Browser(service.url)
  second.headers = { 'user-agent': iPhone }
  const there = await enter(second, user)
  expect(rows(there)).toEqual(
    expect.arrayContaining([
      ['Firefox on Linux', '2001:db8::1', undefined],
      ['Safari on iPhone', '127.0.0.1', 'This browser'],
      ['Unknown device', '127.0.0.1', undefined],
    ]),
  )
  const values = firstForm(there)
  expect(noticeOf(await second.send(there, '/security', values))).toEqual([200, 'The browser was signed out.'])
  // The page was left open: there is nothing to end any more.
  expect((await second.send(there, '/security', values)).status).toBe(404)
  const others = await second.press(await second.open('/security'), 'Sign out all others')
  expect([noticeOf(others), rows(others)]).toEqual([
    [200, 'All other browsers were signed out.'],
    [['Safari on iPhone', '127.0.0.1', 'This browser']],
  ])
  expect(others.text).not.toContain('Sign out all others')
  expect(heading(await browser.open('/security'))).toEqual([200, 'Sign in'])
  expect(heading(await another.browser.open('/security'))).toEqual([200, 'Security'])
})

test('a session that is signed out opens nothing from the next request on', async () => {
  const { user, browser } = await signedIn(service)
  const second = new Browser(service.url)
  await enter(second, user)
  const page = await browser.open('/security')
  expect(noticeOf(await browser.send(page, '/security', firstForm(page)))).toEqual([200, 'The browser was signed out.'])
  expect(heading(await second.open('/security'))).toEqual([200, 'Sign in'])
})

test('a session of somebody else is not theirs to end', async () => {
  const [mine, theirs] = [await signedIn(service), await signedIn(service)]
  const session = await prisma.session.findFirstOrThrow({ where: { userId: theirs.user.id } })
  await createSession(database, mine.user)
  const page = await mine.browser.open('/security')
  const values = firstForm(page)
  for (const id of [session.id, 'x', '\0', '']) {
    values.set('id', id)
    expect(heading(await mine.browser.send(page, '/security', values))).toEqual([404, 'There is nothing here'])
  }
  expect(heading(await theirs.browser.open('/security'))).toEqual([200, 'Security'])
})
