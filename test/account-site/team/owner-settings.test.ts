import { describe, expect, test } from 'vitest'
import { useService } from '../../support/service/service.ts'
import { alertOf, contentOf, heading, noticeOf } from '../../support/account-site/page-content.ts'
import { inTeam, wrongOf } from '../../support/account-site/team.ts'

const service = useService()
const { prisma } = service.database
const address = 'Email address of the new owner'

describe('the settings of a team', () => {
  test('transfer the ownership, after which the section is gone', async () => {
    const { browser, team, owner, person, page } = await inTeam(service, 'owner', '/settings')
    await prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: owner.id } }, data: { role: 'member' } })
    const refused = await browser.press(page, 'Transfer ownership', { [address]: 'nobody@example.test' })
    expect([alertOf(refused)[0], wrongOf(refused, 'newOwner')]).toEqual([422, 'No member of the team has this email address.'])
    const done = await browser.press(refused, 'Transfer ownership', { [address]: owner.email })
    expect(noticeOf(done)).toEqual([200, `${owner.email} is now an owner. Your role is now Member.`])
    const roles = await prisma.member.findMany({ where: { teamId: team.id }, select: { userId: true, role: true } })
    expect(roles).toEqual(
      expect.arrayContaining([
        { userId: owner.id, role: 'owner' },
        { userId: person.id, role: 'member' },
      ]),
    )
    expect(contentOf(await browser.open(`/teams/${team.slug}/settings`))).not.toContain('Transfer ownership')
  })

  test('are separate from the page that requires two-factor authentication, counts its users and ends the requirement', async () => {
    const { browser, team, person, page } = await inTeam(service, 'owner', '/settings')
    expect(page.root.querySelector(`nav a[href="/teams/${team.slug}/two-factor"]`)).not.toBeNull()
    const shown = await browser.open(`/teams/${team.slug}/two-factor`)
    expect(contentOf(shown)).toContain('0 of 2 members use it')
    const button = 'Require two-factor authentication'
    expect(shown.root.querySelectorAll('main button').map(({ text }) => text)).not.toContain(button)
    expect(shown.root.querySelector('main .caution a')?.getAttribute('href')).toBe('/security/two-factor')
    await prisma.user.update({ where: { id: person.id }, data: { totpSecret: Buffer.alloc(20) } })
    await prisma.session.updateMany({ where: { userId: person.id }, data: { provedTwoFactor: true } })
    const offered = await browser.open(`/teams/${team.slug}/two-factor`)
    expect((await browser.press(offered, button, { 'Grace period in days': '' })).status).toBe(422)
    await prisma.user.update({ where: { id: person.id }, data: { totpSecret: null } })
    const refused = await browser.press(offered, button)
    expect([refused.status, refused.root.querySelector('main .caution a')?.getAttribute('href')]).toEqual([422, '/security/two-factor'])
    await prisma.user.update({ where: { id: person.id }, data: { totpSecret: Buffer.alloc(20) } })
    const required = await browser.press(offered, button)
    expect([noticeOf(required)[0], contentOf(required).includes('1 of 2 members use it')]).toEqual([200, true])
    const ended = await browser.press(required, 'Stop requiring it')
    expect(noticeOf(ended)).toEqual([200, 'Two-factor authentication is no longer required in “Acme & Co”.'])
    expect((await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).twoFactorRequiredAt).toBeNull()
  })

  test('show none of this to other members', async () => {
    const { browser, team, page } = await inTeam(service, 'member', '/settings')
    for (const text of ['Transfer ownership', 'Two-factor', 'Delete this team']) expect(contentOf(page)).not.toContain(text)
    expect((await browser.open(`/teams/${team.slug}/two-factor`)).status).toBe(403)
  })
})

test('an owner restores a deleted team on the page to which its deletion leads', async () => {
  const { browser, team, page } = await inTeam(service, 'owner', '/settings')
  const deleted = await browser.press(page, 'Delete this team', { 'Type the team’s slug to confirm': team.slug })
  expect([deleted.url.pathname, heading(deleted)]).toEqual(['/account/deleted-teams', [200, 'Deleted teams']])
  const restored = await browser.press(deleted, `Restore ${team.name}`)
  expect([restored.url.pathname, noticeOf(restored)[0]]).toEqual([`/teams/${team.slug}/settings`, 200])
  expect((await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).deletedAt).toBeNull()
  expect(contentOf(await browser.open('/account/deleted-teams'))).toContain(
    'No deleted teams Go to your teams Owners can restore a team for 14 days after its deletion.',
  )
})
