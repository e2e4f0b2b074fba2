import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, unique } from '../../support/data/team.ts'
import { alertOf, enter, heading, noticeOf, sessionCookie, signedIn } from '../../support/account-site/page-content.ts'
import { contentOf, inTeam, rowsOf, wrongOf } from '../../support/account-site/team.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

describe('creating a team', () => {
  const open = async () => {
    const { browser, user } = await signedIn(service)
    return { browser, user, page: await browser.open('/teams/new') }
  }

  test('makes the user its owner and renews the session identifier', async () => {
    const { browser, user, page } = await open()
    const before = sessionCookie(browser)
    const stolen = browser.copy()
    expect([page.url.pathname, heading(page)]).toEqual(['/teams/new', [200, 'Create your team']])
    const slug = unique('crew')
    const created = await browser.press(page, 'Create team', { Name: ' <Crew> ', Slug: slug, 'Time zone': 'Europe/Kyiv' })
    expect([created.url.pathname, noticeOf(created)]).toEqual([`/teams/${slug}`, [200, 'The team “<Crew>” was created.']])
    expect(heading(await browser.open('/teams/new'))).toEqual([200, 'Create a team'])
    expect(rowsOf(await browser.open(`/teams/${slug}/members`))).toEqual([expect.arrayContaining([`A Ada (you) ${user.email}`, 'Owner'])])
    expect(await prisma.team.findUnique({ where: { slug } })).toMatchObject({ name: '<Crew>', timezone: 'Europe/Kyiv' })
    expect(sessionCookie(browser)).not.toBe(before)
    expect(heading(await stolen.open(`/teams/${slug}/members`))).toEqual([200, 'Sign in'])
  })

  test('shows errors at their fields and keeps the submitted values', async () => {
    const { browser, page } = await open()
    const { slug: taken } = await createTeam(database)
    const count = await prisma.team.count()
    const attempts = [
      [{ Name: '' }, 'name', 'Enter a name.'],
      [{ Slug: 'ab' }, 'slug', 'Slug must be at least 3 characters.'],
      [{ Slug: 'new' }, 'slug', 'Slug is reserved.'],
      [{ Slug: taken }, 'slug', 'Slug is already taken.'],
      [{ 'Time zone': 'Mars/Olympus' }, 'timezone', 'Enter a valid time zone.'],
    ] as const
    for (const [fields, name, message] of attempts) {
      const submitted = { Name: 'Crew', Slug: unique('crew'), ...fields }
      const refused = await browser.press(page, 'Create team', submitted)
      expect([alertOf(refused), wrongOf(refused, name)]).toEqual([[422, message], message])
      const shown = ['name', 'slug'].map((field) => refused.root.querySelector(`#field-${field}`)?.getAttribute('value'))
      expect(shown).toEqual([submitted.Name, submitted['Slug']])
    }
    expect(await prisma.team.count()).toBe(count)
  })

  test('requires a session and a verified email address', async () => {
    const { browser, user, page } = await open()
    await prisma.user.update({ where: { id: user.id }, data: { emailVerified: false } })
    const refused = await browser.press(page, 'Create team', { Name: 'Crew', Slug: unique('crew') })
    expect(alertOf(refused)).toEqual([422, 'Verify your email address before you create a team.'])
    expect(heading(await new Browser(service.url).open('/teams/new'))).toEqual([200, 'Sign in'])
  })

  test('is limited to twenty teams a day', async () => {
    const { browser, user, page } = await open()
    const entry = {
      action: 'createTeam',
      actorKind: 'user',
      actorUserId: user.id,
      actorName: '',
      authenticationMethod: 'session',
      subject: '',
      requestId: '',
    }
    await prisma.auditEntry.createMany({ data: Array.from({ length: 20 }, () => ({ ...entry, at: clock.now() })) })
    const another = () => browser.press(page, 'Create team', { Name: 'Crew', Slug: unique('crew') })
    const refused = await another()
    expect([alertOf(refused), refused.headers.get('retry-after')]).toEqual([[429, 'Too many attempts. Try again in 24 hours.'], '86400'])
    clock.advance(86_400_000)
    expect(noticeOf(await another())).toEqual([200, 'The team “Crew” was created.'])
  })
})

describe('the settings of a team', () => {
  test('can be changed and cleared by an owner', async () => {
    const { browser, team, page, address } = await inTeam(service, 'owner', '/settings')
    expect([page.url.pathname, heading(page)]).toEqual([address, [200, 'Settings']])
    expect(page.root.querySelectorAll('img').length).toBe(0)
    const fields = { Name: 'New', 'Time zone': 'UTC', 'Avatar email': ' Crew@Example.com ' }
    const saved = await browser.press(page, 'Save', fields)
    expect([saved.url.pathname, noticeOf(saved)]).toEqual([address, [200, 'The details of “New” were saved.']])
    const stored = () => prisma.team.findUniqueOrThrow({ where: { id: team.id } })
    expect(await stored()).toMatchObject({ name: 'New', timezone: 'UTC', gravatarEmail: 'crew@example.com' })
    await browser.press(saved, 'Save', { 'Time zone': '', 'Avatar email': ' ' })
    expect(await stored()).toMatchObject({ name: 'New', timezone: null, gravatarEmail: null })
  })

  test.each([
    ['paris', 'Europe/Paris'],
    [' New  York ', 'America/New_York'],
    ['utc', 'UTC'],
    ['europe/KYIV', 'Europe/Kyiv'],
  ])('accept %j as part of a time zone', async (typed, timezone) => {
    const { browser, team, page } = await inTeam(service, 'owner', '/settings')
    expect(noticeOf(await browser.press(page, 'Save', { 'Time zone': typed }))).toEqual([200, 'The details of “Acme & Co” were saved.'])
    expect(await prisma.team.findUnique({ where: { id: team.id } })).toMatchObject({ timezone })
  })

  test.each([
    ['istan', 'Several time zones match: Asia/Istanbul, Europe/Istanbul. Enter more of the name.'],
    [
      'san',
      'Several time zones match: America/Argentina/San_Juan, America/Argentina/San_Luis, America/Santa_Isabel, America/Santarem, America/Santiago and others. Enter more of the name.',
    ],
  ])('list the matching time zones for the ambiguous text %j', async (typed, message) => {
    const { browser, team, page } = await inTeam(service, 'owner', '/settings')
    const refused = await browser.press(page, 'Save', { 'Time zone': typed })
    expect([refused.status, wrongOf(refused, 'timezone')]).toEqual([422, message])
    expect(await prisma.team.findUnique({ where: { id: team.id } })).toMatchObject({ timezone: null })
  })

  test('are refused with an error at each invalid field', async () => {
    const { browser, team, page } = await inTeam(service, 'owner', '/settings')
    const refused = await browser.press(page, 'Save', { Name: ' ', 'Time zone': 'Nowhere', 'Avatar email': 'nobody' })
    expect([refused.status, refused.root.querySelector('.alert')]).toEqual([422, null])
    expect(['name', 'timezone', 'gravatarEmail'].map((name) => wrongOf(refused, name))).toEqual([
      'Enter a name.',
      'Enter a valid time zone.',
      'Enter a valid email address.',
    ])
    expect(await prisma.team.findUnique({ where: { id: team.id } })).toMatchObject({ name: 'Acme & Co', timezone: null })
  })

  test.each(['member', 'billing'] as const)(
    'have no form for the role %s, and a form opened before the role changed is refused',
    async (role) => {
      const { browser, team, person, page, address } = await inTeam(service, 'owner', '/settings')
      await prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: person.id } }, data: { role } })
      expect(heading(await browser.press(page, 'Save', { Name: 'Evil' }))).toEqual([403, 'You don’t have access'])
      const shown = await browser.open(address)
      expect(shown.root.querySelectorAll('main form').length).toBe(0)
      expect(contentOf(shown)).toMatch(
        /^ACAcme & Co Slug team-\S+ Created \d+ \w+ \d{4} Only owners can change the settings of the team\. View the owners$/,
      )
      expect(await prisma.team.findUnique({ where: { id: team.id } })).toMatchObject({ name: 'Acme & Co' })
    },
  )

  test('are, like all pages of a team, forbidden to other users and redirect to the sign-in page without a session', async () => {
    const { browser } = await signedIn(service)
    const { slug } = await createTeam(database)
    for (const page of ['', '/settings', '/members', '/invitations', '/apps', '/audit-trail']) {
      for (const team of [slug, 'no-such-team'])
        expect(heading(await browser.open(`/teams/${team}${page}`)), page).toEqual([403, 'You don’t have access'])
      const signInPage = await new Browser(service.url).open(`/teams/${slug}${page}`)
      expect([heading(signInPage), signInPage.url.searchParams.get('return_to')]).toEqual([[200, 'Sign in'], `/teams/${slug}${page}`])
    }
  })
})

describe('the applications of a team', () => {
  test('are listed with description, status and date, or the page says that there are none', async () => {
    const { browser, team, person, page, address } = await inTeam(service, 'member', '/apps')
    expect(contentOf(page)).toBe('No products A product appears here when the team starts to use it.')
    const app = { teamId: team.id, connectedAt: new Date('2026-01-02T03:04:05Z') }
    await prisma.connectedApp.createMany({
      data: [
        { ...app, application: 'deploy', name: 'Deployments', description: '<b>Ships</b>', url: 'https://deploy.example/acme' },
        { ...app, application: 'cert', name: 'Certs', status: 'suspended', url: 'https://cert.example/acme' },
        { ...app, application: 'flow', name: 'Traffic rules', url: 'javascript:alert(1)' },
      ],
    })
    const listed = await browser.open(address)
    expect(rowsOf(listed)).toEqual([
      ['Certificates Certs', 'Suspended', '2 Jan 2026'],
      ['Deployments <b>Ships</b>', 'Active', '2 Jan 2026'],
      ['Traffic rules', 'Active', '2 Jan 2026'],
    ])
    expect(listed.root.querySelectorAll('tbody a').map((link) => link.getAttribute('href'))).toEqual(['https://deploy.example/acme'])
    const key = { teamId: team.id, userId: person.id }
    await prisma.member.update({ where: { teamId_userId: key }, data: { allApplications: false, applications: ['deploy'] } })
    const limited = await browser.open(address)
    expect(rowsOf(limited).map(([name, , mayUse]) => [name, mayUse])).toEqual([
      ['Deployments <b>Ships</b>', 'You can use it'],
      ['Certificates Certs', 'No access'],
      ['Traffic rules', 'No access'],
    ])
    await prisma.member.update({ where: { teamId_userId: key }, data: { applications: ['flow'] } })
    expect((await browser.open(address)).root.querySelectorAll('tbody a')).toEqual([])
  })
})

test('signing in returns to the requested page of a team', async () => {
  const { address, person } = await inTeam(service, 'member', '/members')
  expect((await enter(new Browser(service.url), person, address)).url.pathname).toBe(address)
})
