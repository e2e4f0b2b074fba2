import { describe, expect, test } from 'vitest'
import { contentOf, noticeOf, openAs, signedIn } from '../../support/account-site/page-content.ts'
import { createAccountSupportSession, createSupportSession } from '../../support/data/support-session.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// The section "Support access" of the account, and the banner while it is open: docs/decisions/staff.md#support-sessions.

const service = useService()
const { prisma } = service.database

test('a user opens support access for some hours, sees until when, and ends it without a recent sign-in', async () => {
  const { user, browser, page } = await signedIn(service)
  expect(contentOf(page)).toContain('Staff of Team accounts cannot read the pages of your account.')
  const opened = await browser.press(page, 'Open support access', { '8 hours': '8' })
  expect(noticeOf(opened)).toEqual([200, 'Staff of Team accounts can read the pages of your account for 8 hours.'])
  expect(contentOf(opened)).toMatch(/Staff of Team accounts can read the pages of your account until .*UTC/)
  const { openedAt, expiresAt, teamId } = await prisma.supportSession.findFirstOrThrow({ where: { userId: user.id } })
  expect([(expiresAt.getTime() - openedAt.getTime()) / 3_600_000, teamId]).toEqual([expect.closeTo(8, 1), null])
  await prisma.session.updateMany({ where: { userId: user.id }, data: { authenticatedAt: new Date(0) } })
  const ended = await browser.press(opened, 'End access now')
  expect(noticeOf(ended)).toEqual([200, 'Staff of Team accounts can no longer read the pages of your account.'])
  expect((await browser.press(ended, 'Open support access')).url.pathname).toBe('/confirm')
  expect(await prisma.supportSession.count({ where: { userId: user.id, endedAt: null } })).toBe(0)
})

describe('while support access is open', () => {
  const banner = 'View support access'

  test('the pages of the account say so, with a link, and not those of a team', async () => {
    const user = await createPerson(service.database)
    const team = await createTeam(service.database)
    await join(service.database, team, user, 'owner')
    const { id } = await createAccountSupportSession(service.database, user, { now: service.clock.now() })
    const { browser, page } = await openAs(service, user, '/account')
    const link = page.root.querySelectorAll('main .banner a').find(({ text }) => text === banner)
    expect([link?.getAttribute('href'), contentOf(page).includes('can read the pages of your account until')]).toEqual([
      '/security#support-access',
      true,
    ])
    expect(contentOf(await browser.open(`/teams/${team.slug}`))).not.toContain(banner)
    await prisma.supportSession.update({ where: { id }, data: { endedAt: service.clock.now() } })
    expect(contentOf(await browser.open('/account'))).not.toContain(banner)
  })

  test('the pages of a team say so to its owners, and not to other members', async () => {
    const [team, owner, member] = [
      await createTeam(service.database, { name: 'Acme' }),
      await createPerson(service.database),
      await createPerson(service.database),
    ]
    await join(service.database, team, owner, 'owner')
    await join(service.database, team, member, 'member')
    await createSupportSession(service.database, team, owner, { now: service.clock.now() })
    const path = `/teams/${team.slug}/members`
    const { page, browser } = await openAs(service, owner, path)
    const link = page.root.querySelectorAll('main .banner a').find(({ text }) => text === banner)
    expect(link?.getAttribute('href')).toBe(`/teams/${team.slug}/settings#support-access`)
    expect(contentOf(await browser.open(`/teams/${team.slug}/settings`))).not.toContain(banner)
    expect(contentOf((await openAs(service, member, path)).page)).not.toContain(banner)
    await prisma.member.updateMany({ where: { teamId: team.id }, data: { role: 'owner' } })
    await prisma.user.update({ where: { id: owner.id }, data: { disabledAt: service.clock.now() } })
    expect(contentOf((await openAs(service, member, path)).page)).not.toContain(banner)
  })
})
