import { describe, expect, test } from 'vitest'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { heading, noticeOf } from '../../support/account-site/page-content.ts'
import { contentOf, inTeam, rowsOf } from '../../support/account-site/team.ts'
import { createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

/** A team with Grace, who uses two-factor authentication, a personal token and an app, and was active two hours ago. */
async function teamOfGrace(role: 'owner' | 'billing' | 'member') {
  const context = await inTeam(service, role, '/members')
  const grace = await createUser(database, { name: 'Grace' })
  await join(database, context.team, grace, 'member', ['deploy'])
  const data = { totpSecret: Buffer.alloc(20), lastActiveAt: new Date(clock.now().getTime() - 2 * 3_600_000) }
  await prisma.user.update({ where: { id: grace.id }, data })
  await personalToken(database, grace, { name: 'Laptop' })
  await createGrant(database, grace, { scopes: ['openid', 'teams'], team: context.team })
  await teamToken(database, context.team)
  return { ...context, grace, open: () => context.browser.open(`${context.address}/${grace.id}`) }
}

describe('the page of a member', () => {
  test('shows owners the activity, the two-factor authentication, and the tokens and apps with access to the team', async () => {
    const { grace, open } = await teamOfGrace('owner')
    const elsewhere = await createTeam(database)
    await join(database, elsewhere, grace, 'member')
    await createGrant(database, grace, { scopes: ['teams'], team: elsewhere })
    const page = await open()
    expect(contentOf(page)).toMatch(
      /^G Email address \S+ Role Member Products Deployments Joined \d+ \w+ \d{4} Joined through Not recorded Managed by Owners Last active 2 hours ago Two-factor authentication On Activity of this member Role and products /,
    )
    expect(contentOf(page)).toContain('Save 2 tokens and apps ')
    const names: unknown[] = [
      'Dashboard Connected app',
      expect.stringMatching(/^Laptop Write access Personal token pat_….{4}, all their teams$/),
    ]
    expect(rowsOf(page).map(([name]) => name)).toEqual(expect.arrayContaining(names))
  })

  test.each(['member', 'billing'] as const)('shows none of that to the role %s', async (role) => {
    const { open } = await teamOfGrace(role)
    const page = await open()
    expect(heading(page)).toEqual([200, 'Grace'])
    expect(contentOf(page)).toMatch(/^G Email address \S+ Role Member Products Deployments Joined \d+ \w+ \d{4}$/)
  })

  test('revokes the access of one token, after a confirmation', async () => {
    const { browser, grace, team, open } = await teamOfGrace('owner')
    const { root, url } = await open()
    const link = root.querySelectorAll('.rows a.confirm').find(({ text }) => text.includes('Laptop'))
    const asked = await browser.open(url.pathname + link?.getAttribute('href'))
    expect(contentOf(asked)).toContain('The token loses access to this team. It keeps its other teams.')
    const done = await browser.press(asked, 'Revoke access')
    expect([noticeOf(done), rowsOf(done).length]).toEqual([[200, 'The access of Laptop was revoked.'], 1])
    expect(await prisma.accessToken.findFirst({ where: { userId: grace.id } })).toMatchObject({ revokedTeamIds: [team.id] })
  })

  test('leads back to the list as it was, also after a change, which stays on the page', async () => {
    const { browser, address } = await teamOfGrace('owner')
    const list = await browser.open(`${address}?search=gra&sort=-name&size=10`)
    const page = await browser.open(list.root.querySelector('.rows tbody th a')?.getAttribute('href') ?? '')
    const saved = await browser.press(page, 'Save', { role: 'BILLING' })
    expect(saved.url.href).toBe(page.url.href)
    for (const { root } of [page, saved]) {
      const back = root.querySelectorAll('.breadcrumbs a')[1]
      const href = `${address}?search=gra&sort=-name&size=10`
      expect([back?.text, back?.getAttribute('href')?.replaceAll('&amp;', '&')]).toEqual(['Members', href])
    }
  })
})
