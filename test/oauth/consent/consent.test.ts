import { describe, expect, test } from 'vitest'
import {
  checkboxesOf,
  allowForm,
  grantsOf,
  hasCode,
  openConsent,
  rejectedForm,
  selectedTeamOf,
  teamOptionsOf,
} from '../../support/oauth/consent-page.ts'
import { useService } from '../../support/service/service.ts'
import { heading } from '../../support/account-site/page-content.ts'

const service = useService()
const { database } = service
const { prisma } = database

describe('the consent page', () => {
  test('names the client, the user, the requested scopes and the host of the redirect URI', async () => {
    const { user, page } = await openConsent(
      service,
      { name: 'Ledger', description: 'Keeps books.', requiredScopes: ['teams'], optionalScopes: ['openid', 'email'] },
      'email openid teams',
    )
    expect(heading(page)).toEqual([200, 'Allow Ledger to access your account?'])
    for (const text of ['Keeps books.', `Signed in as ${user.email}`, 'You will be redirected to app.example.'])
      expect(page.text).toContain(text)
    // In the order of schema/core/scopes.ts; `openid` can never be declined.
    expect(page.root.querySelectorAll('main ul li').map(({ text }) => text)).toEqual(['See your teams and their names', 'Sign you in'])
    expect(page.root.querySelectorAll('.choice').map(({ text }) => text.trim())).toEqual(['See your email address'])
    expect([checkboxesOf(page), teamOptionsOf(page)]).toEqual([[['email', true]], []])
  })

  test.each([
    ['optional', ['*']],
    ['required', []],
  ] as const)('offers the teams of the user when a team is %s, preselects none, and stores the selected one', async (team, last) => {
    const { user, teams, browser, page } = await openConsent(service, { team })
    const slugs = teams.map(({ slug }) => slug).toSorted()
    expect(teamOptionsOf(page)).toEqual(['', ...slugs, ...last])
    expect([selectedTeamOf(page), page.root.querySelectorAll('select[name=team][required]').length]).toEqual(['', 1])
    const callback = await browser.press(page, 'Allow access', { Team: teams[1].slug, scope: ['teams'] })
    expect(hasCode(callback)).toBe(true)
    expect(await grantsOf(database, user.id)).toEqual([
      { teamId: teams[1].id, scopes: expect.arrayContaining(['openid', 'teams']), declinedScopes: ['acct:team:members:read'] },
    ])
  })

  test.each([
    ['Safe \u202E', 'Safe'],
    ['צוות', '\u2068צוות\u2069'],
  ])('shows a team named %j so that the text direction of its slug does not change', async (name, shown) => {
    const { teams, reopen } = await openConsent(service, { team: 'required' })
    const [{ id, slug }] = teams
    await database.prisma.team.update({ where: { id }, data: { name } })
    const texts = (await reopen()).root.querySelectorAll('select[name=team] option').map(({ text }) => text)
    expect(texts).toContain(`${shown} (${slug})`)
  })

  test('of a native client names its custom URI scheme and redirects there', async () => {
    const { user, browser, page } = await openConsent(service, { confidential: false, redirectUris: ['com.example.app:/callback'] })
    expect(page.text).toContain('You will be redirected to com.example.app.')
    expect((await browser.press(page, 'Allow access')).url.href).toMatch(/^com\.example\.app:\/callback\?code=/)
    expect((await grantsOf(database, user.id)).length).toBe(1)
  })

  test('stores a grant without a team for all teams, and warns about it', async () => {
    const { user, browser, page } = await openConsent(service, { team: 'optional' })
    expect(page.text).toContain('Example App will have access to every team you belong to, including teams that you join later.')
    expect(hasCode(await browser.press(page, 'Allow access', { Team: '*' }))).toBe(true)
    expect((await grantsOf(database, user.id)).map(({ teamId }) => teamId)).toEqual([null])
  })

  test.each([
    ['optional', 0, '*'],
    ['required', 1, 'slug'],
    ['optional', 1, ''],
  ] as const)('preselects a team only if it is the only possibility: %s, %i teams', async (team, count, expected) => {
    const { user, teams, reopen } = await openConsent(service, { team })
    await prisma.member.deleteMany({ where: { userId: user.id, ...(count === 1 && { teamId: teams[0].id }) } })
    expect(selectedTeamOf(await reopen())).toBe(expected === 'slug' ? teams[1].slug : expected)
  })

  test('preselects the team of an earlier consent and ticks no declined scope', async () => {
    const { teams, browser, page, reopen } = await openConsent(service, { team: 'optional' })
    await browser.press(page, 'Allow access', { Team: teams[1].slug, scope: ['teams'] })
    const second = await reopen()
    expect([selectedTeamOf(second), checkboxesOf(second)]).toEqual([
      teams[1].slug,
      [
        ['teams', true],
        ['acct:team:members:read', false],
      ],
    ])
  })

  test('never ticks a scope that allows changes, also if it was granted before', async () => {
    const optionalScopes = ['acct:team:read', 'acct:team:write', 'acct:team:members:write', 'acct:team:access:write'] as const
    const scope = ['openid', ...optionalScopes].join(' ')
    const { user, browser, page, reopen } = await openConsent(service, { optionalScopes: [...optionalScopes] }, scope)
    const ticked = optionalScopes.map((each) => [each, each === 'acct:team:read'])
    expect(checkboxesOf(page)).toEqual(ticked)
    expect(page.text).toContain('Permissions to make changes are not selected.')
    expect(hasCode(await browser.press(page, 'Allow access', { scope: ['acct:team:write'] }))).toBe(true)
    expect((await grantsOf(database, user.id))[0]?.scopes.toSorted()).toEqual(['acct:team:write', 'openid'])
    const again = await reopen()
    expect(checkboxesOf(again)).toEqual(optionalScopes.map((each) => [each, false]))
    expect([page, again].map(({ text }) => text.split('Granted before').length - 1)).toEqual([0, 1])
    expect(again.text.split('Can make changes')).toHaveLength(4)
  })

  test('offers only Deny to a user without a team when a team is required', async () => {
    const { user, teams, browser, page, reopen } = await openConsent(service, { team: 'required' })
    await prisma.member.deleteMany({ where: { userId: user.id } })
    const withoutTeam = await reopen()
    expect([withoutTeam.status, withoutTeam.root.querySelector('h1')?.text]).toEqual([200, 'Example App needs a team'])
    expect(withoutTeam.root.querySelectorAll('button').map(({ text }) => text)).toEqual(['Use another account', 'Deny'])
    const { action, values } = allowForm(withoutTeam)
    for (const team of ['', '*', teams[0].slug]) {
      values.set('team', team)
      expect(heading(await browser.send(withoutTeam, action, values))).toEqual(rejectedForm)
    }
    values.delete('team')
    expect(heading(await browser.send(withoutTeam, action, values))).toEqual(rejectedForm)
    expect((await browser.press(withoutTeam, 'Deny')).url.searchParams.get('error')).toBe('access_denied')
    // The form that was opened before the change is rejected too.
    expect(heading(await browser.send(page, allowForm(page).action, allowForm(page).values))).toEqual([409, 'Example App needs a team'])
    expect(await grantsOf(database, user.id)).toEqual([])
  })
})
