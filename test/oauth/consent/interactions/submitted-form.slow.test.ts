import { describe, expect, test } from 'vitest'
import {
  checkboxesOf,
  allowForm,
  grantsOf,
  hasCode,
  openConsent,
  rejectedForm,
  selectedTeamOf,
} from '../../../support/oauth/consent-page.ts'
import { useService } from '../../../support/service/service.ts'
import { heading } from '../../../support/account-site/page-content.ts'
import { createTeam } from '../../../support/data/team.ts'

const service = useService()
const { database } = service
const { prisma } = database

describe('a submitted consent form', () => {
  test.each([
    ['a team that the user is not in', (values: URLSearchParams, other: string) => values.set('team', other)],
    ['all teams when a team is required', (values: URLSearchParams) => values.set('team', '*')],
    ['no team field', (values: URLSearchParams) => values.delete('team')],
    ['several teams', (values: URLSearchParams) => values.append('team', '*')],
    ['a team that does not exist', (values: URLSearchParams) => values.set('team', 'no\0team')],
    [
      'no team and a scope that was not requested',
      (values: URLSearchParams) => {
        values.set('team', '')
        values.append('scope', 'acct:team:read')
      },
    ],
    ['a scope that was not requested', (values: URLSearchParams) => values.append('scope', 'acct:team:read')],
    ['a required scope', (values: URLSearchParams) => values.append('scope', 'openid')],
    ['an unknown scope', (values: URLSearchParams) => values.append('scope', 'toString')],
    ['no decision', (values: URLSearchParams) => values.delete('decision')],
    ['two decisions', (values: URLSearchParams) => values.append('decision', 'deny')],
  ])('with %s is rejected and creates no grant', async (_, change) => {
    const { user, teams, browser, page } = await openConsent(service, { team: 'required' })
    const { action, values } = allowForm(page)
    values.set('team', teams[0].slug)
    change(values, (await createTeam(database)).slug)
    expect(heading(await browser.send(page, action, values))).toEqual(rejectedForm)
    expect(await grantsOf(database, user.id)).toEqual([])
  })

  test('of a client without a team is rejected with a team', async () => {
    const { user, teams, browser, page } = await openConsent(service)
    const { action, values } = allowForm(page)
    for (const team of ['*', teams[0].slug]) {
      values.set('team', team)
      expect(heading(await browser.send(page, action, values))).toEqual(rejectedForm)
    }
    expect(await grantsOf(database, user.id)).toEqual([])
  })

  test.each(['optional', 'required'] as const)('without a chosen team is shown again with a message at the field: %s', async (team) => {
    const { user, teams, browser, page } = await openConsent(service, { team })
    const { action, values } = allowForm(page)
    values.delete('scope')
    values.append('scope', 'acct:team:members:read')
    const shownAgain = await browser.send(page, action, values)
    const field = shownAgain.root.querySelector('select[name=team]')
    const message = shownAgain.root.querySelector(`#${field?.getAttribute('aria-describedby')?.split(' ')[0]}`)?.text
    expect([shownAgain.status, field?.getAttribute('aria-invalid'), message, selectedTeamOf(shownAgain)]).toEqual([
      422,
      'true',
      'Choose a team.',
      '',
    ])
    expect(shownAgain.root.querySelector('title')?.text).toMatch(/^Error: /)
    expect(shownAgain.root.querySelectorAll('[role=alert]')).toHaveLength(1)
    // The other choices of the user are kept.
    expect(checkboxesOf(shownAgain)).toEqual([
      ['teams', false],
      ['acct:team:members:read', true],
    ])
    expect(await grantsOf(database, user.id)).toEqual([])
    expect(hasCode(await browser.press(shownAgain, 'Allow access', { Team: teams[0].slug }))).toBe(true)
    expect(await grantsOf(database, user.id)).toMatchObject([{ teamId: teams[0].id, declinedScopes: ['teams'] }])
  })

  test('is rejected when it is submitted again for another team', async () => {
    const { user, teams, browser, page, reopen } = await openConsent(service, { team: 'required' })
    const { values: first } = allowForm(page)
    expect(hasCode(await browser.press(page, 'Allow access', { Team: teams[0].slug }))).toBe(true)
    first.set('team', teams[1].slug)
    expect((await browser.send(page, allowForm(page).action, first)).status).toBe(400)
    const second = await reopen()
    expect(heading(await browser.send(second, allowForm(second).action, first))).toEqual(rejectedForm)
    expect((await grantsOf(database, user.id)).map(({ teamId }) => teamId)).toEqual([teams[0].id])
  })

  test.each([
    [
      'the user left a team',
      ({ teams, user }: Context) => prisma.member.delete({ where: { teamId_userId: { teamId: teams[0].id, userId: user.id } } }),
    ],
    ['a team was renamed', ({ teams }: Context) => prisma.team.update({ where: { id: teams[0].id }, data: { name: 'Renamed' } })],
    ['the client was renamed', ({ client }: Context) => prisma.oAuthClient.update({ where: { id: client.id }, data: { name: 'Renamed' } })],
    [
      'an optional scope became required',
      ({ client }: Context) => prisma.oAuthClient.update({ where: { id: client.id }, data: { requiredScopes: ['openid', 'teams'] } }),
    ],
  ])('is shown again with a notice when %s, and is accepted the second time', async (_, change) => {
    const context = await openConsent(service, { team: 'optional' })
    const { user, browser, page, teams } = context
    await change(context)
    const shownAgain = await browser.press(page, 'Allow access', { Team: teams[0].slug })
    expect([shownAgain.status, shownAgain.root.querySelector('[role=alert]')?.text]).toEqual([
      409,
      'Something changed in the meantime. Check the details again.',
    ])
    expect(await grantsOf(database, user.id)).toEqual([])
    expect(hasCode(await browser.press(shownAgain, 'Allow access', { Team: teams[1].slug }))).toBe(true)
    expect((await grantsOf(database, user.id)).map(({ teamId }) => teamId)).toEqual([teams[1].id])
  })

  test('that declines every scope returns access_denied', async () => {
    const { user, browser, page } = await openConsent(service, { requiredScopes: [] }, 'teams acct:team:members:read')
    const denied = await browser.press(page, 'Allow access', { scope: [] })
    expect(denied.url.searchParams.get('error')).toBe('access_denied')
    expect(await grantsOf(database, user.id)).toEqual([])
  })
})

type Context = Awaited<ReturnType<typeof openConsent>>
