import { expect, test } from 'vitest'
import { contentOf, noticeOf, openAs } from '../../support/account-site/page-content.ts'
import { inTeam, teamLinks, wrongOf } from '../../support/account-site/team.ts'
import { join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// The section "Support access" of the settings of a team: docs/decisions/staff.md#support-sessions.

const service = useService()
const { prisma } = service.database

test('an owner opens support access for some hours, sees until when and by whom, and ends it', async () => {
  const { browser, team, page } = await inTeam(service, 'owner', '/settings')
  expect(contentOf(page)).toContain('Staff of Team accounts cannot read the pages of the team.')
  const opened = await browser.press(page, 'Open support access', { '4 hours': '4' })
  expect(noticeOf(opened)).toEqual([200, 'Staff of Team accounts can read the pages of the team for 4 hours.'])
  expect(contentOf(opened)).toMatch(/Staff of Team accounts can read the pages of the team until .*UTC ?\. ?Opened by Ada/)
  const { openedAt, expiresAt } = await prisma.supportSession.findFirstOrThrow({ where: { teamId: team.id } })
  expect((expiresAt.getTime() - openedAt.getTime()) / 3_600_000).toBeCloseTo(4, 1)
  const ended = await browser.press(opened, 'End access now')
  expect(noticeOf(ended)).toEqual([200, 'Staff of Team accounts can no longer read the pages of the team.'])
  const log = contentOf(await browser.open(`/teams/${team.slug}/audit-trail`))
  expect(log).toContain('opened the pages to staff of the service until')
  expect(log).toContain('ended the access of staff of the service to the pages')
})

test('an owner whose sign-in is not recent confirms it, and can end the access without', async () => {
  const { browser, team, person, page } = await inTeam(service, 'owner', '/settings')
  const opened = await browser.press(page, 'Open support access')
  await prisma.session.updateMany({ where: { userId: person.id }, data: { authenticatedAt: new Date(0) } })
  expect(noticeOf(await browser.press(opened, 'End access now'))[0]).toBe(200)
  const asked = await browser.press(page, 'Open support access')
  expect(asked.url.pathname).toBe('/confirm')
  expect(await prisma.supportSession.count({ where: { teamId: team.id, endedAt: null } })).toBe(0)
})

test('a form without a time, or with another one, says so', async () => {
  const { browser, page } = await inTeam(service, 'owner', '/settings')
  page.root.querySelectorAll('input[name=hours]').forEach((input) => input.remove())
  const refused = await browser.press(page, 'Open support access')
  expect([refused.status, wrongOf(refused, 'hours')]).toEqual([422, 'Choose for how long.'])
})

test('other members see neither the section nor a form, and still have the page', async () => {
  const { team, page } = await inTeam(service, 'member', '/settings')
  const billing = await createPerson(service.database)
  await join(service.database, team, billing, 'billing')
  const { page: ofBilling } = await openAs(service, billing, `/teams/${team.slug}/settings`)
  for (const shown of [page, ofBilling])
    expect([shown.status, contentOf(shown).includes('Support access'), teamLinks(shown).includes('Settings')]).toEqual([200, false, true])
})
