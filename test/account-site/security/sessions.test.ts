import { expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'
import { createSession } from '../../support/data/session-row.ts'
import { enter, heading, noticeOf, signedIn } from '../../support/account-site/page-content.ts'

const service = useService()
const { database } = service
const { prisma } = database

const sessionRows = ({ root }: Page) =>
  root
    .querySelectorAll('#sessions li')
    .map((row) => [row.querySelector('strong')?.text, row.querySelector('.hint span')?.text, row.querySelector('.badge')?.text])
/** Returns the form values that sign out the first session in the list. */
const firstFormValues = ({ root }: Page) => {
  const inputs = root.querySelector('#sessions form')?.querySelectorAll('input') ?? []
  return new URLSearchParams(inputs.map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']))
}
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

test('the session list shows device, address and last use, and signs out one session or all others', async () => {
  const { user, browser } = await signedIn(service)
  await createSession(database, user, { address: '2001:db8::1' })
  const another = await signedIn(service)
  const second = new Browser(service.url)
  second.headers = { 'user-agent': iPhone }
  const listPage = await enter(second, user, '/security/sessions')
  expect(sessionRows(listPage)).toEqual(
    expect.arrayContaining([
      ['Firefox on Linux', 'IP address 2001:db8::1', undefined],
      ['Safari on iPhone', 'IP address 127.0.0.1, a local connection', 'This browser'],
      ['Unknown device', 'IP address 127.0.0.1, in the same network as this browser', undefined],
    ]),
  )
  const values = firstFormValues(listPage)
  expect(noticeOf(await second.send(listPage, '/security/sessions', values))).toEqual([
    200,
    'The browser “Firefox on Linux” was signed out.',
  ])
  // The form of the stale page refers to a session that has ended.
  expect((await second.send(listPage, '/security/sessions', values)).status).toBe(404)
  const others = await second.press(await second.open('/security/sessions'), 'Sign out all other browsers')
  expect([noticeOf(others), sessionRows(others)]).toEqual([
    [200, 'All other browsers were signed out.'],
    [['Safari on iPhone', 'IP address 127.0.0.1, a local connection', 'This browser']],
  ])
  expect(others.text).not.toContain('Sign out all other browsers')
  expect(heading(await browser.open('/security/sessions'))).toEqual([200, 'Sign in'])
  expect(heading(await another.browser.open('/security/sessions'))).toEqual([200, 'Sessions'])
})

test('a session is refused from the first request after it is signed out', async () => {
  const { user, browser } = await signedIn(service)
  const second = new Browser(service.url)
  await enter(second, user)
  const page = await browser.open('/security/sessions')
  expect(noticeOf(await browser.send(page, '/security/sessions', firstFormValues(page)))).toEqual([
    200,
    'The browser “Unknown device” was signed out.',
  ])
  expect(heading(await second.open('/security/sessions'))).toEqual([200, 'Sign in'])
})

test('a user cannot sign out a session of another user', async () => {
  const [mine, theirs] = [await signedIn(service), await signedIn(service)]
  const session = await prisma.session.findFirstOrThrow({ where: { userId: theirs.user.id } })
  await createSession(database, mine.user)
  const page = await mine.browser.open('/security/sessions')
  const values = firstFormValues(page)
  for (const id of [session.id, 'x', '\0', '']) {
    values.set('id', id)
    expect(heading(await mine.browser.send(page, '/security/sessions', values))).toEqual([404, 'Page not found'])
  }
  expect(heading(await theirs.browser.open('/security/sessions'))).toEqual([200, 'Sessions'])
})
