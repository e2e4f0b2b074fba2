import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { createTeam, unique } from '../support/team.ts'
import { alertOf, enter, heading, noticeOf, sessionCookie, signedIn } from './shown.ts'
import { contentOf, inTeam, rowsOf, teamLinks, wrongOf } from './team-of.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database

describe('creating a team', () => {
  const open = async () => {
    const { browser, user } = await signedIn(service)
    return { browser, user, page: await browser.open('/teams/new') }
  }

  test('makes its creator the owner, and leads to it in a session with a new identifier', async () => {
    const { browser, user, page } = await open()
    const before = sessionCookie(browser)
    expect([page.url.pathname, heading(page)]).toEqual(['/teams/new', [200, 'Create a team']])
    const slug = unique('crew')
    const created = await browser.press(page, 'Create the team', { Name: ' <Crew> ', Slug: slug, Timezone: 'Europe/Kyiv' })
    expect([created.url.pathname, noticeOf(created)]).toEqual([`/teams/${slug}/members`, [200, 'The team was created. You own it.']])
    expect(rowsOf(created)).toMatchObject([['Ada (you)', user.email, 'Owner', 'All applications', expect.any(String)]])
    expect(await prisma.team.findUnique({ where: { slug } })).toMatchObject({ name: '<Crew>', timezone: 'Europe/Kyiv' })
    expect(sessionCookie(browser)).not.toBe(before)
    const stolen = new Browser(service.url)
    stolen.cookies.set('session /', { name: 'session', value: before ?? '', path: '/' })
    expect(heading(await stolen.open(`/teams/${slug}/members`))).toEqual([200, 'Sign in'])
  })

  test('says what is wrong beside the field, keeps what was typed, and creates nothing', async () => {
    const { browser, page } = await open()
    const { slug: taken } = await createTeam(database)
    const count = await prisma.team.count()
    const attempts = [
      [{ Name: '' }, 'name', 'The name field is required.'],
      [{ Slug: 'ab' }, 'slug', 'The slug field must be at least 3 characters.'],
      [{ Slug: 'new' }, 'slug', 'The slug is reserved.'],
      [{ Slug: taken }, 'slug', 'The slug has already been taken.'],
      [{ Timezone: 'Mars/Olympus' }, 'timezone', 'The selected timezone is invalid.'],
    ] as const
    for (const [fields, name, message] of attempts) {
      const given = { Name: 'Crew', Slug: unique('crew'), ...fields }
      const refused = await browser.press(page, 'Create the team', given)
      expect([alertOf(refused), wrongOf(refused, name)]).toEqual([[422, message], message])
      const kept = ['name', 'slug'].map((field) => refused.root.querySelector(`#field-${field}`)?.getAttribute('value'))
      expect(kept).toEqual([given.Name, given['Slug']])
    }
    expect(await prisma.team.count()).toBe(count)
  })

  test('is not for somebody whose address is not verified, nor for a visitor', async () => {
    const { browser, user, page } = await open()
    await prisma.user.update({ where: { id: user.id }, data: { emailVerified: false } })
    const refused = await browser.press(page, 'Create the team', { Name: 'Crew', Slug: unique('crew') })
    expect(alertOf(refused)).toEqual([422, 'Verify your email address before you create a team.'])
    expect(heading(await new Browser(service.url).open('/teams/new'))).toEqual([200, 'Sign in'])
  })

  test('is refused past twenty a day, until the day is over', async () => {
    const { browser, user, page } = await open()
    const entry = {
      action: 'createTeam',
      actorKind: 'user',
      actorUserId: user.id,
      actorName: '',
      via: 'session',
      subject: '',
      requestId: '',
    }
    await prisma.auditEntry.createMany({ data: Array.from({ length: 20 }, () => ({ ...entry, at: clock.now() })) })
    const another = () => browser.press(page, 'Create the team', { Name: 'Crew', Slug: unique('crew') })
    const refused = await another()
    expect([alertOf(refused), refused.headers.get('retry-after')]).toEqual([[429, 'Too Many Attempts.'], '86400'])
    clock.advance(86_400_000)
    expect(heading(await another())).toEqual([200, 'Members'])
  })
})

describe('the settings of a team', () => {
  test('are changed by an owner, and cleared', async () => {
    const { browser, team, page, address } = await inTeam(service, 'owner', '')
    expect([page.url.pathname, heading(page)]).toEqual([`${address}/settings`, [200, 'Settings']])
    expect([page.root.querySelector('main .initials')?.text, page.root.querySelectorAll('img').length]).toEqual(['AC', 0])
    const fields = { Name: 'New', Timezone: 'UTC', 'Avatar email': ' Crew@Example.com ' }
    const saved = await browser.press(page, 'Save', fields)
    expect([saved.url.pathname, noticeOf(saved)]).toEqual([`${address}/settings`, [200, 'The settings were saved.']])
    const stored = () => prisma.team.findUniqueOrThrow({ where: { id: team.id } })
    expect(await stored()).toMatchObject({ name: 'New', timezone: 'UTC', gravatarEmail: 'crew@example.com' })
    await browser.press(saved, 'Save', { Timezone: '', 'Avatar email': ' ' })
    expect(await stored()).toMatchObject({ name: 'New', timezone: null, gravatarEmail: null })
  })

  test.each([
    ['paris', 'Europe/Paris'],
    [' New  York ', 'America/New_York'],
    ['utc', 'UTC'],
    ['europe/KYIV', 'Europe/Kyiv'],
  ])('find the timezone that is meant by %j', async (typed, timezone) => {
    const { browser, team, page } = await inTeam(service, 'owner', '/settings')
    expect(noticeOf(await browser.press(page, 'Save', { Timezone: typed }))).toEqual([200, 'The settings were saved.'])
    expect(await prisma.team.findUnique({ where: { id: team.id } })).toMatchObject({ timezone })
  })

  test.each([
    ['istan', 'Several timezones are called so: Asia/Istanbul, Europe/Istanbul. Type more of the name.'],
    [
      'san',
      'Several timezones are called so: America/Argentina/San_Juan, America/Argentina/San_Luis, America/Santa_Isabel, America/Santarem, America/Santiago and others. Type more of the name.',
    ],
  ])('ask which timezone is meant by %j', async (typed, words) => {
    const { browser, team, page } = await inTeam(service, 'owner', '/settings')
    const refused = await browser.press(page, 'Save', { Timezone: typed })
    expect([refused.status, wrongOf(refused, 'timezone')]).toEqual([422, words])
    expect(await prisma.team.findUnique({ where: { id: team.id } })).toMatchObject({ timezone: null })
  })

  test('that cannot be are refused, each beside its field', async () => {
    const { browser, team, page } = await inTeam(service, 'owner', '/settings')
    const refused = await browser.press(page, 'Save', { Name: ' ', Timezone: 'Nowhere', 'Avatar email': 'nobody' })
    expect(alertOf(refused)).toEqual([422, 'The name field is required. (and 2 more errors)'])
    expect(['name', 'timezone', 'gravatarEmail'].map((name) => wrongOf(refused, name))).toEqual([
      'The name field is required.',
      'The selected timezone is invalid.',
      'The gravatar email field must be a valid email address.',
    ])
    expect(await prisma.team.findUnique({ where: { id: team.id } })).toMatchObject({ name: 'Acme & Co', timezone: null })
  })

  test.each(['member', 'billing'] as const)('are shown to the role %s without a form, and one that was kept is refused', async (role) => {
    const { browser, team, person, page, address } = await inTeam(service, 'owner', '/settings')
    await prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: person.id } }, data: { role } })
    expect(heading(await browser.press(page, 'Save', { Name: 'Evil' }))).toEqual([403, 'You cannot open this'])
    const shown = await browser.open(address)
    expect(shown.root.querySelectorAll('main form').length).toBe(0)
    expect(contentOf(shown)).toMatch(
      /^ACAcme & Co team-\S+ Created on \d+ \w+ \d{4}\. What its owners set Timezone None Avatar email None$/,
    )
    expect(await prisma.team.findUnique({ where: { id: team.id } })).toMatchObject({ name: 'Acme & Co' })
  })

  test('and every other page are closed to other teams, known or not, and ask a visitor to sign in', async () => {
    const { browser } = await signedIn(service)
    const { slug } = await createTeam(database)
    for (const page of ['', '/settings', '/members', '/invitations', '/apps', '/audit-trail']) {
      for (const team of [slug, 'no-such-team'])
        expect(heading(await browser.open(`/teams/${team}${page}`)), page).toEqual([403, 'You cannot open this'])
      const asked = await new Browser(service.url).open(`/teams/${slug}${page}`)
      expect([heading(asked), asked.url.searchParams.get('return_to')]).toEqual([[200, 'Sign in'], `/teams/${slug}${page}`])
    }
  })
})

test('the navigation leads to what the role opens, and nowhere else', async () => {
  const everybody = ['Settings', 'Members', 'Applications']
  const { page } = await inTeam(service, 'member', '/members')
  expect(teamLinks(page)).toEqual(everybody)
  const owned = await inTeam(service, 'owner', '/members')
  const all = ['Settings', 'Members', 'Invitations', 'Applications', 'Tokens', 'Invoices', 'Access', 'Audit trail']
  expect(teamLinks(owned.page)).toEqual(all)
  const paying = await inTeam(service, 'billing', '/members')
  expect(teamLinks(paying.page)).toEqual([...everybody, 'Invoices'])
  for (const closed of ['invitations', 'tokens', 'tokens/new', 'access', 'audit-trail']) {
    const { browser, team } = await inTeam(service, 'billing', '')
    expect(heading(await browser.open(`/teams/${team.slug}/${closed}`))).toEqual([403, 'You cannot open this'])
  }
})

describe('the applications of a team', () => {
  test('are listed with what they do and where they stand; none is said to be', async () => {
    const { browser, team, page, address } = await inTeam(service, 'member', '/apps')
    expect(contentOf(page)).toBe('Connected to the team No application is connected yet.')
    const app = { teamId: team.id, connectedAt: new Date('2026-01-02T03:04:05Z') }
    await prisma.connectedApp.createMany({
      data: [
        { ...app, application: 'deploy', name: 'Deploy', description: '<b>Ships</b>', url: 'https://deploy.example/acme' },
        { ...app, application: 'cert', name: 'Certs', status: 'suspended', url: 'javascript:alert(1)' },
      ],
    })
    const listed = await browser.open(address)
    expect(rowsOf(listed)).toEqual([
      ['Certs', 'Cert', 'Suspended', '2 Jan 2026'],
      ['Deploy <b>Ships</b>', 'Deploy', 'Active', '2 Jan 2026'],
    ])
    expect(listed.root.querySelectorAll('tbody a').map((link) => link.getAttribute('href'))).toEqual(['https://deploy.example/acme'])
  })
})

test('somebody who signs in comes back to the team’s page that they asked for', async () => {
  const { address, person } = await inTeam(service, 'member', '/members')
  expect((await enter(new Browser(service.url), person, address)).url.pathname).toBe(address)
})
