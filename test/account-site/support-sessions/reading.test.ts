import { describe, expect, test } from 'vitest'
import { contentOf, heading, openAs } from '../../support/account-site/page-content.ts'
import { createSupportScene } from '../../support/account-site/support-reader.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { queryInSession } from '../../support/graphql/session-request.ts'
import { useService } from '../../support/service/service.ts'

// Staff read the pages of a team that an owner has opened to them: docs/decisions/staff.md#support-sessions.

const service = useService()
const { prisma } = service.database
const readings = ({ id }: { id: string }) =>
  prisma.auditEntry.findMany({ where: { teamId: id, action: 'readInSupportSession' }, orderBy: { at: 'asc' } })

describe('staff in a support session', () => {
  test('see the pages as an owner sees them, with a banner that says so', async () => {
    const { team, browser } = await createSupportScene(service)
    const page = await browser.open(`/teams/${team.slug}/audit-trail`)
    expect(heading(page)).toEqual([200, 'Audit log'])
    expect(page.root.querySelector('main .banner')?.structuredText.replace(/\s+/g, ' ')).toMatch(
      /^You see this page of Acme as an owner of the team, read-only, until .* The team’s owners see each page that you open\.$/,
    )
    expect(page.root.querySelector('.switcher button')?.text).toContain('Acme')
    expect((await browser.open(`/teams/${team.slug}/settings`)).text).not.toContain('Only owners')
  })

  test('leave an audit entry for each page, without the values of the query, which the owners see', async () => {
    const { team, owner, staff, browser } = await createSupportScene(service)
    const member = await browser.open(`/teams/${team.slug}/members/${owner.id}`)
    expect(member.status).toBe(200)
    await browser.open(`/teams/${team.slug}/members?search=ada@example.test`)
    expect(await readings(team)).toMatchObject(
      [`/teams/${team.slug}/members/${owner.id}`, `/teams/${team.slug}/members`].map((path) => ({
        actorKind: 'staff',
        authenticationMethod: 'session',
        actorUserId: staff.id,
        actorName: 'Grace',
        subject: team.slug,
        subjectName: 'Acme',
        after: { path },
        before: null,
        reason: null,
      })),
    )
    const { page } = await openAs(service, owner, `/teams/${team.slug}/audit-trail?action=READ_IN_SUPPORT_SESSION`)
    expect(contentOf(page)).toContain(`, staff of the service, opened the page /teams/${team.slug}/members`)
  })

  test('write the entry before the page is read, and for a page that does not exist, too', async () => {
    const { team, browser } = await createSupportScene(service)
    const id = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
    expect((await browser.open(`/teams/${team.slug}/tokens/${id}`)).status).toBe(404)
    expect(await readings(team)).toMatchObject([{ after: { path: `/teams/${team.slug}/tokens/${id}` } }])
  })

  test('can open neither files nor GraphQL of the team, and no other team', async () => {
    const { team, browser } = await createSupportScene(service)
    const other = await createTeam(service.database)
    for (const path of ['/members.csv', '/invoices.csv', '/invoices.zip', '/invoice-totals.csv'])
      expect([path, (await browser.open(`/teams/${team.slug}${path}`)).status]).toEqual([path, 403])
    expect((await browser.open(`/teams/${other.slug}`)).status).toBe(403)
    const { errors } = await queryInSession(browser, `{ team(slug: "${team.slug}") { name } }`)
    expect(errors?.[0]?.extensions.code).toBe('team_forbidden')
    const { data } = await queryInSession(browser, '{ viewer { teamSlugs staffRole } teams { slug } }')
    expect(data).toEqual({ viewer: { teamSlugs: [], staffRole: 'READER' }, teams: [] })
    expect(await readings(team)).toEqual([])
  })

  test('do not have the team as their current one afterwards', async () => {
    const { team, staff, browser } = await createSupportScene(service)
    await browser.open(`/teams/${team.slug}`)
    const page = await browser.open('/account')
    expect(page.text).not.toContain(team.slug)
    expect(await prisma.user.findUniqueOrThrow({ where: { id: staff.id } })).toMatchObject({ lastTeamId: null })
  })

  test('can still choose a theme and sign out', async () => {
    const { team, browser } = await createSupportScene(service)
    const page = await browser.open(`/teams/${team.slug}`)
    const dark = await browser.press(page, 'Dark')
    expect([dark.status, dark.url.pathname]).toEqual([200, `/teams/${team.slug}`])
    expect((await browser.press(dark, 'Sign out')).url.pathname).toBe('/sign-in')
  })

  test('who are members use their own membership, without a banner or an entry', async () => {
    const { team, staff, browser } = await createSupportScene(service)
    await join(service.database, team, staff, 'member')
    const page = await browser.open(`/teams/${team.slug}/audit-trail`)
    expect(page.status).toBe(403)
    expect((await browser.open(`/teams/${team.slug}/members`)).text).not.toContain('read-only')
    expect(await readings(team)).toEqual([])
  })

  test('open a team that requires two-factor authentication and another sign-in of its members', async () => {
    const { team, browser } = await createSupportScene(service)
    await prisma.team.update({ where: { id: team.id }, data: { twoFactorRequiredAt: new Date(0) } })
    expect((await browser.open(`/teams/${team.slug}/members`)).status).toBe(200)
  })
})

test('a page that was open when the support session ended cannot be opened again', async () => {
  const { team, owner, browser } = await createSupportScene(service)
  const { browser: ofOwner, page } = await openAs(service, owner, `/teams/${team.slug}/settings`)
  expect((await browser.open(`/teams/${team.slug}`)).status).toBe(200)
  await ofOwner.press(page, 'End access now')
  expect((await browser.open(`/teams/${team.slug}`)).status).toBe(403)
  expect(await readings(team)).toHaveLength(1)
})
