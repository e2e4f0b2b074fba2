import { describe, expect, test } from 'vitest'
import { heading } from '../../support/account-site/page-content.ts'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { allowForm, grantsOf, hasCode, rejectedForm, selectedTeamOf } from '../../support/oauth/consent-page.ts'
import { formOf } from '../../support/oauth/authorization.ts'
import { authorizationUrl, createClient, createPerson, exchangeCode, signIn } from '../../support/oauth/oauth.ts'
import type { ClientOptions } from '../../support/oauth/oauth.ts'
import { Browser } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'

// What an earlier grant decides in a later authorization: docs/decisions/oauth.md#teams.

const service = useService()
const { database } = service
const { prisma } = database

const allowApp = [200, 'Allow Example App to access your account?']

/** Connects a client for the first of the user's teams. */
async function connect(teamCount: number, options: ClientOptions = {}) {
  const user = await createPerson(database)
  const teams: Team[] = []
  for (let count = 0; count < teamCount; count++) teams.push(await createTeam(database))
  for (const team of teams) await join(database, team, user, 'member')
  const client = await createClient(database, { team: 'required', ...options })
  const enter = async () => {
    const browser = new Browser(service.url)
    await signIn(browser, await browser.open('/sign-in'), user)
    return browser
  }
  const browser = await enter()
  const request = (changes: Record<string, string> = {}, within = browser) => within.open(authorizationUrl(service, client, changes).url)
  const page = await request()
  const callback = await browser.press(page, 'Allow access', { Team: teams[0]?.slug ?? '*' })
  if (!hasCode(callback)) throw new Error(callback.text)
  const leave = (index: number) => prisma.member.deleteMany({ where: { userId: user.id, teamId: teams[index]?.id ?? '' } })
  return { user, teams, client, browser, enter, request, leave, slugs: teams.map(({ slug }) => slug) }
}

describe('a repeated request of a client that needs a team, of a user with one team,', () => {
  test('receives a code for this team without a page, also for fewer scopes and in another browser', async () => {
    const { client, browser, enter, slugs } = await connect(1)
    for (const [within, scope] of [
      [browser, 'openid offline_access acct:team:read'],
      [browser, 'openid'],
      [await enter(), 'openid acct:team:read'],
    ] as const) {
      const { url, verifier } = authorizationUrl(service, client, { scope })
      const page = await within.open(url)
      expect(hasCode(page)).toBe(true)
      const { body } = await exchangeCode(service, client, { code: page.url.searchParams.get('code') ?? '', verifier })
      expect([body.team, body.scope.split(' ').toSorted()]).toEqual([slugs[0], scope.split(' ').toSorted()])
    }
  })

  test.each([
    ['with prompt=consent', { prompt: 'consent' }],
    ['with prompt=select_account', { prompt: 'select_account' }],
    ['for more scopes', { scope: 'openid email acct:team:read' }],
  ])('sees the page with the team preselected %s, and gets nothing before the click', async (_, changes) => {
    const { user, request, browser, slugs } = await connect(1)
    const before = await grantsOf(database, user.id)
    const page = await request(changes)
    expect([...heading(page), selectedTeamOf(page)]).toEqual([...allowApp, slugs[0]])
    expect(await grantsOf(database, user.id)).toEqual(before)
    expect(hasCode(await browser.press(page, 'Allow access'))).toBe(true)
  })

  test.each([
    ['a public client on the device', { confidential: false, redirectUris: ['http://127.0.0.1/callback'] }],
    ['a client for which all teams are possible, too,', { team: 'optional' }],
  ] satisfies [string, ClientOptions][])('sees the page of %s', async (_, options) => {
    const user = await createPerson(database)
    const team = await createTeam(database)
    await join(database, team, user, 'member')
    const client = await createClient(database, { team: 'required', ...options })
    const browser = new Browser(service.url)
    const page = await signIn(browser, await browser.open(authorizationUrl(service, client).url), user)
    await browser.press(page, 'Allow access', { Team: team.slug })
    const again = await browser.open(authorizationUrl(service, client).url)
    expect([...heading(again), selectedTeamOf(again)]).toEqual([...allowApp, team.slug])
  })

  test('sees the page after the user or an owner revoked the access, and after the user joined another team', async () => {
    for (const isByOwner of [false, true]) {
      const { user, teams, request } = await connect(1)
      const data = isByOwner ? { revokedTeamIds: teams.map(({ id }) => id) } : { revokedAt: new Date() }
      await prisma.oAuthGrant.updateMany({ where: { userId: user.id }, data })
      expect(heading(await request())).toEqual(allowApp)
    }
    const { user, request, slugs } = await connect(1)
    await join(database, await createTeam(database), user, 'member')
    const page = await request()
    expect([...heading(page), selectedTeamOf(page)]).toEqual([...allowApp, slugs[0]])
  })

  test('gets no code for a team that the user has left for another one', async () => {
    const { user, request, leave, browser } = await connect(1)
    await leave(0)
    expect(heading(await request())).toEqual([200, 'Example App needs a team'])
    const next = await createTeam(database)
    await join(database, next, user, 'member')
    const page = await request()
    expect([...heading(page), selectedTeamOf(page)]).toEqual([...allowApp, next.slug])
    expect(hasCode(await browser.press(page, 'Allow access'))).toBe(true)
    expect((await grantsOf(database, user.id)).at(-1)?.teamId).toBe(next.id)
  })

  test('gets no code of a grant for all teams, which the client got before it had to choose a team', async () => {
    const { user, client, request } = await connect(1, { team: 'optional' })
    await prisma.oAuthGrant.updateMany({ where: { userId: user.id }, data: { teamId: null } })
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { team: 'required' } })
    expect(heading(await request())).toEqual(allowApp)
    expect((await request({ prompt: 'none' })).url.searchParams.get('error')).toBe('consent_required')
  })
})

describe('a repeated request of a user with several teams', () => {
  test('shows the page with the team of the earlier grant preselected, which the user can change', async () => {
    const { user, teams, request, browser, enter, slugs } = await connect(3)
    for (const within of [browser, await enter()]) expect(selectedTeamOf(await request({}, within))).toBe(slugs[0])
    const page = await request()
    expect(page.text).toContain(`It already has access to ${teams[0]?.name}.`)
    expect(hasCode(await browser.press(page, 'Allow access', { Team: slugs[2] ?? '' }))).toBe(true)
    // The session continues with its last grant. Another one does not know which of the two teams the user means.
    expect(selectedTeamOf(await request())).toBe(slugs[2])
    expect(selectedTeamOf(await request({}, await enter()))).toBe('')
    expect((await grantsOf(database, user.id)).map(({ teamId }) => teamId)).toEqual([teams[0]?.id, teams[2]?.id])
  })

  test('preselects no team that the user has left, that was revoked, or that requires more than the user has', async () => {
    const left = await connect(3)
    await left.leave(0)
    expect(selectedTeamOf(await left.request())).toBe('')
    const revoked = await connect(3)
    await prisma.oAuthGrant.updateMany({ where: { userId: revoked.user.id }, data: { revokedAt: new Date() } })
    expect(selectedTeamOf(await revoked.request())).toBe('')
    const stricter = await connect(3)
    await prisma.team.update({ where: { id: stricter.teams[0]?.id ?? '' }, data: { twoFactorRequiredAt: new Date(0) } })
    expect(selectedTeamOf(await stricter.request())).toBe('')
  })

  test('authorizes no team that the form does not contain, although one is preselected', async () => {
    const { user, request, browser, slugs } = await connect(2)
    const before = await grantsOf(database, user.id)
    const page = await request({ scope: 'openid email' })
    expect(selectedTeamOf(page)).toBe(slugs[0])
    const { action, values } = allowForm(page)
    for (const [team, expected] of [
      ['', [422, allowApp[1]]],
      [null, rejectedForm],
      [(await createTeam(database)).slug, rejectedForm],
    ] as const) {
      if (team === null) values.delete('team')
      else values.set('team', team)
      expect([team, ...heading(await browser.send(page, action, values))]).toEqual([team, ...expected])
    }
    const unsigned = formOf(page, 'Allow access')
    unsigned.values.set('decision', 'allow')
    unsigned.values.delete('csrf')
    expect(heading(await browser.send(page, unsigned.action, unsigned.values))).toEqual(rejectedForm)
    expect(await grantsOf(database, user.id)).toEqual(before)
  })

  test('shows the page again if the user leaves the preselected team while it is open', async () => {
    const { user, request, browser, leave } = await connect(2)
    const page = await request({ scope: 'openid email' })
    await leave(0)
    const again = await browser.press(page, 'Allow access')
    expect([again.status, selectedTeamOf(again)]).toEqual([409, expect.any(String)])
    expect((await grantsOf(database, user.id)).flatMap(({ scopes }) => scopes)).not.toContain('email')
  })
})
