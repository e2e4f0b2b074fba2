import { expect, test } from 'vitest'
import type { Page } from '../../support/browser/browser.ts'
import { heading, noticeOf, openAs } from '../../support/account-site/page-content.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

const ticked = ({ root }: Page) => root.querySelectorAll('main input[checked]').map((input) => input.getAttribute('value'))

/** The kinds of mail that can be switched off, in the order of the page. */
const kinds = [
  'ROLE_CHANGED',
  'REMOVED_FROM_TEAM',
  'INVITATION_ACCEPTED',
  'INVOICE_ISSUED',
  'INVOICE_OVERDUE',
  'TOKEN_EXPIRES',
  'WEBHOOK_FAILING',
  'WEBHOOK_DISABLED',
]

test('a user switches off the mails of single kinds, and those about security are not offered', async () => {
  const user = await createPerson(service.database)
  const { browser, page } = await openAs(service, user, '/account/notifications')
  expect([heading(page), ticked(page)]).toEqual([[200, 'Notifications'], kinds])
  const on = kinds.filter((kind) => kind !== 'ROLE_CHANGED' && kind !== 'TOKEN_EXPIRES')
  const saved = await browser.press(page, 'Save', { on })
  expect([noticeOf(saved), ticked(saved)]).toEqual([[200, 'Your notifications were saved.'], on])
  expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).mutedMails).toEqual(['role-changed', 'token-expires'])
})

test('a page from before a kind of mail existed does not switch it off', async () => {
  const user = await createPerson(service.database)
  const { browser, page } = await openAs(service, user, '/account/notifications')
  const values = new URLSearchParams(
    page.root
      .querySelectorAll('main input[type=hidden]')
      .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
  )
  values.set('shown', 'ROLE_CHANGED')
  expect(ticked(await browser.send(page, '/account/notifications', values))).toEqual(kinds.filter((kind) => kind !== 'ROLE_CHANGED'))
})

test.each(['NEW_DEVICE', 'new-device', ''])('the kind %j cannot be switched off', async (kind) => {
  const principal = await sessionOf(service, await createPerson(service.database))
  const document = `mutation { updateNotifications(input: { off: [${kind === '' ? '""' : kind.replace('-', '_')}] }) { notifications { kind } } }`
  await expect(executeAs(service, principal, document)).rejects.toThrow(/NotificationKind/)
  expect((await prisma.user.findUniqueOrThrow({ where: { id: principal.user.id } })).mutedMails).toEqual([])
})
