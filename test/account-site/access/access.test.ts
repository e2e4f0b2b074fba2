import { describe, expect, test } from 'vitest'
import type { Page } from '../../support/browser/browser.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join, personalToken, teamToken } from '../../support/data/team.ts'
import { contentOf, heading, noticeOf, openAs, valuesOf } from '../../support/account-site/page-content.ts'

const service = useService()
const { database } = service
const { prisma } = database

/** Creates a team with a token, and a member with a token and an application. Opens the access page as the owner. */
async function teamWithAccess() {
  const team = await createTeam(database)
  const owner = await createPerson(database)
  await join(database, team, owner, 'owner')
  const member = await createPerson(database, { name: 'Grace' })
  await join(database, team, member, 'member')
  const ofTeam = await teamToken(database, team)
  const ofMember = await personalToken(database, member)
  const grant = await createGrant(database, member, { scopes: ['openid', 'teams'] })
  const ofClient = await accessToken(database, grant)
  const path = `/teams/${team.slug}/access`
  return { team, owner, member, ofTeam, ofMember, ofClient, path, ...(await openAs(service, owner, path)) }
}

const statusOf = async (slug: string, token: string) => (await request(service, 'GET', `/api/v1/teams/${slug}`, { token })).status
/** The rows of the three tables. */
const rowsOf = (page: Page) =>
  page.root
    .querySelectorAll('main section')
    .map((section) => section.querySelectorAll('tbody tr').map((row) => row.querySelector('th')?.text))
/** Submits the form of the only row of a table. */
const cutOff = ({ browser, page, path }: Awaited<ReturnType<typeof teamWithAccess>>, section: number) =>
  browser.send(page, path, valuesOf(page, 0, `main section:nth-of-type(${section + 1})`))

describe('the access page of a team', () => {
  test('lists team tokens, personal tokens of members and applications with their last use', async () => {
    const { member, page, ofTeam, ofMember } = await teamWithAccess()
    expect(heading(page)).toEqual([200, 'Who can touch this team'])
    expect(rowsOf(page)).toEqual([
      [`testtat_…${ofTeam.slice(-4)} `],
      [`testpat_…${ofMember.slice(-4)} Of ${member.name}`],
      [`Dashboard For ${member.name}, with no team in particular`],
    ])
    const used = await prisma.accessToken.findMany({ where: { userId: member.id } })
    expect(used).toHaveLength(1)
    expect(contentOf(page)).toMatch(
      /Dashboard For Grace , with no team in particular see your teams and their names know who you are never/,
    )
  })

  test('omits revoked and expired access', async () => {
    const { team, member, browser, path } = await teamWithAccess()
    const past = new Date(service.clock.now().getTime() - 1000)
    await prisma.accessToken.updateMany({ where: { teamId: team.id }, data: { revokedAt: past } })
    await prisma.accessToken.updateMany({ where: { userId: member.id }, data: { expiresAt: past } })
    await prisma.oAuthGrant.updateMany({ where: { userId: member.id }, data: { revokedAt: past } })
    const page = await browser.open(path)
    expect(page.root.querySelectorAll('.empty').map((each) => each.text)).toEqual([
      'The team has no token that works.',
      'No member has a personal token that reaches the team.',
      'No application reaches the team.',
    ])
  })

  test.each([
    [0, 'ofTeam', 401, 'The team token is revoked. It opens nothing any more.'],
    [1, 'ofMember', 403, 'The personal token reaches this team no longer.'],
    [2, 'ofClient', 403, 'The application reaches this team no longer.'],
  ] as const)('revokes access at once (table %i, %s)', async (section, credential, status, notice) => {
    const all = await teamWithAccess()
    const { team, member } = all
    const other = await createTeam(database)
    await join(database, other, member, 'owner')
    const credentials = [all.ofTeam, all.ofMember, all.ofClient]
    const after = await cutOff(all, section)
    expect([after.url.pathname, noticeOf(after)]).toEqual([all.path, [200, notice]])
    expect(rowsOf(after).map((rows) => rows.length)).toEqual([0, 1, 2].map((each) => (each === section ? 0 : 1)))
    for (const token of credentials) expect(await statusOf(team.slug, token)).toBe(token === all[credential] ? status : 200)
    if (section > 0) expect(await statusOf(other.slug, all[credential])).toBe(200)
    // A second submission, from a page that another owner opened before, gets 404.
    if (section > 0) expect(heading(await cutOff(all, section))).toEqual([404, 'Page not found'])
  })

  test('shows the member that their token lost access to the team', async () => {
    const all = await teamWithAccess()
    const { browser } = await openAs(service, all.member, '/tokens')
    const cards = async (path: string) => contentOf(await browser.open(path))
    expect(await cards('/tokens')).not.toContain('Cut off')
    await cutOff(all, 1)
    expect(await cards('/tokens')).toContain(`Cut off by an owner of ${all.team.slug} Rotate or revoke`)
    const { id } = await prisma.accessToken.findFirstOrThrow({ where: { userId: all.member.id } })
    expect(await cards(`/tokens/${id}`)).toContain(`Cut off by an owner of ${all.team.slug}`)
  })

  test('can be opened by owners only', async () => {
    const { member, path } = await teamWithAccess()
    const { page } = await openAs(service, member, path)
    expect(heading(page)).toEqual([403, 'You don’t have access'])
  })

  test('has pages for each of its tables', async () => {
    const { member, team, browser, path } = await teamWithAccess()
    for (let i = 0; i < 50; i++) {
      await teamToken(database, team)
      await personalToken(database, member)
    }
    const first = await browser.open(path)
    const links = first.root.querySelectorAll('.pages')
    expect(links.map((each) => [each.getAttribute('aria-label'), each.text])).toEqual([
      ['Pages of team tokens', 'Page 1 of 2Next page'],
      ['Pages of personal tokens', 'Page 1 of 2Next page'],
    ])
    const second = await browser.open(links[1]?.querySelector('a')?.getAttribute('href') ?? '')
    expect(rowsOf(second).map((rows) => rows.length)).toEqual([50, 1, 1])
    const both = await browser.open(second.root.querySelector('.pages a')?.getAttribute('href') ?? '')
    expect(rowsOf(both).map((rows) => rows.length)).toEqual([1, 1, 1])
    // After revoking access the same pages of all tables are shown.
    const after = await browser.press(both, 'Yes, cut it off')
    expect([after.url.href, noticeOf(after)[1]]).toEqual([both.url.href, 'The team token is revoked. It opens nothing any more.'])
    expect(rowsOf(after).map((rows) => rows.length)).toEqual([0, 1, 1])
    expect(after.root.querySelector('main section .empty')?.text).toBe('There is nothing on this page. Go to the first page.')
  })
})
