import { describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import type { Scope } from '../../../schema/core/scopes.ts'
import { heading } from '../../support/account-site/page-content.ts'
import { enableTotp } from '../../support/data/second-factor.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { allowForm, grantsOf, openConsent, teamOptionsOf } from '../../support/oauth/consent-page.ts'
import { authorize, authorizationUrl, createClient, createPerson, exchangeCode, post, refresh } from '../../support/oauth/oauth.ts'
import type { Authorized, ClientOptions, TestClient } from '../../support/oauth/oauth.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// A user without the two-factor authentication that a team requires, after the grace period:
// docs/decisions/permissions.md#required-two-factor-authentication.

const service = useService()
const { database, clock } = service
const { prisma } = database

const hour = 3_600_000
/** Requires two-factor authentication, from the given time on. */
const requireFrom = ({ id }: Team, milliseconds = 0) =>
  prisma.team.update({ where: { id }, data: { twoFactorRequiredAt: new Date(clock.now().getTime() + milliseconds) } })
const turnOn = async (user: User) => enableTotp({ service, principal: await sessionOf(service, user) })
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

/** An owner of the team and of another one, who authorizes a client for the team. */
async function authorized(client: ClientOptions = {}) {
  const user = await createPerson(database)
  const [team, other] = [await createTeam(database), await createTeam(database)]
  for (const each of [team, other]) await join(database, each, user, 'owner')
  const optionalScopes: Scope[] = ['offline_access', 'teams', 'acct:team:members:read', 'acct:team:write']
  const registered = await createClient(database, { team: 'required', optionalScopes, ...client })
  const scope = ['openid', ...optionalScopes].join(' ')
  const choices = { ...(registered.team === 'none' ? {} : { team: team.slug }), scope: optionalScopes }
  const begin = () => authorize(service, registered, user, { choices, changes: { scope } })
  return { user, team, other, client: registered, begin }
}
const tokensOf = async (client: TestClient, authorization: Authorized) => (await exchangeCode(service, client, authorization)).body

describe('a grant for a team that requires two-factor authentication', () => {
  test('is refused at the token endpoint once the grace period is over, and works again after the user turned it on', async () => {
    const { user, team, client, begin } = await authorized()
    const [first, unused] = [await begin(), await begin()]
    const { refresh_token: token } = await tokensOf(client, first)
    await requireFrom(team, hour)
    const during = await refresh(service, client, token)
    expect([during.status, during.body.team]).toEqual([200, team.slug])
    clock.advance(hour)
    expect(await refresh(service, client, during.body.refresh_token)).toMatchObject(invalidGrant)
    expect(await exchangeCode(service, client, unused)).toMatchObject(invalidGrant)
    await turnOn(user)
    expect((await refresh(service, client, during.body.refresh_token)).status).toBe(200)
  })

  test('reaches nothing at REST and GraphQL, neither this team nor another, and changes nothing', async () => {
    const { team, other, client, begin } = await authorized()
    const { access_token: token } = await tokensOf(client, await begin())
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}/members`, { token })).status).toBe(200)
    await requireFrom(team)
    const get = (path: string) => request(service, 'GET', `/api/v1${path}`, { token })
    expect(await get('/teams')).toMatchObject({ status: 200, body: { data: [] } })
    expect(await get('/user')).toMatchObject({ status: 200, body: { team: null, teams: [] } })
    for (const path of ['', '/members', '/apps', '/invoices', '/tokens'])
      expect([path, (await get(`/teams/${team.slug}${path}`)).body.code]).toEqual([path, 'two_factor_required'])
    expect((await get(`/teams/${other.slug}`)).body.code).toBe('team_forbidden')
    const patch = await request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name: 'Evil' } })
    expect([patch.status, patch.body.code]).toEqual([403, 'two_factor_required'])
    const { data } = await graphql(service, token, '{ viewer { teamSlug teamSlugs } teams { slug } }')
    expect(data).toEqual({ viewer: { teamSlug: null, teamSlugs: [] }, teams: [] })
    const input = `team: "${team.slug}"`
    for (const source of [
      `{ team(slug: "${team.slug}") { name } }`,
      `{ team(slug: "${team.slug}") { members { total } } }`,
      `mutation { updateTeam(input: { ${input}, name: "Evil" }) { team { name } } }`,
    ])
      expect((await graphql(service, token, source)).errors[0]?.extensions?.code).toBe('two_factor_required')
    expect((await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).name).toBe(team.name)
  })
})

test('a grant for all teams keeps those that do not require it, also after a refresh', async () => {
  const { team, other, client, begin } = await authorized({ team: 'none' })
  const tokens = await tokensOf(client, await begin())
  await requireFrom(team)
  const renewed = await refresh(service, client, tokens.refresh_token)
  expect(renewed.status).toBe(200)
  const { body } = await request(service, 'GET', '/api/v1/teams', { token: renewed.body.access_token })
  expect(body.data.map(({ slug }: Team) => slug)).toEqual([other.slug])
})

describe('the consent page', () => {
  test('does not offer the team, names it, and refuses it in a form that was shown before', async () => {
    const { user, teams, browser, page, reopen } = await openConsent(service, { team: 'required' })
    const [team, other] = teams
    await requireFrom(team)
    const { action, values } = allowForm(page)
    values.set('team', team.slug)
    const stale = await browser.send(page, action, values)
    expect([stale.status, teamOptionsOf(stale)]).toEqual([409, [other.slug]])
    const current = allowForm(stale)
    current.values.set('team', team.slug)
    expect((await browser.send(stale, current.action, current.values)).status).toBe(403)
    expect(await grantsOf(database, user.id)).toEqual([])
    const opened = await reopen()
    expect(teamOptionsOf(opened)).toEqual([other.slug])
    expect(opened.text).toContain(`You cannot choose ${team.name}: two-factor authentication is required there.`)
  })

  test('only lets the user deny when every team requires it', async () => {
    const { teams, browser, reopen } = await openConsent(service, { team: 'required' })
    for (const team of teams) await requireFrom(team)
    const page = await reopen()
    expect(heading(page)).toEqual([200, 'Example App needs a team'])
    expect(page.root.querySelectorAll('button[name=decision]').map((button) => button.getAttribute('value'))).toEqual(['deny'])
    const { url } = await browser.press(page, 'Deny')
    expect(url.searchParams.get('error')).toBe('access_denied')
  })

  test('is required again: prompt=none does not continue with a grant for the team', async () => {
    const { team, client, begin } = await authorized()
    const { browser, ...authorization } = await begin()
    await tokensOf(client, { browser, ...authorization })
    await requireFrom(team)
    const { url } = authorizationUrl(service, client, { prompt: 'none', scope: 'openid teams' })
    const silent = (await browser.open(url)).url.searchParams
    expect(silent.get('error')).toMatch(/consent_required|interaction_required/)
  })
})

test('introspection names no team for the access token of such a grant', async () => {
  const { team, client, begin } = await authorized()
  const tokens = await tokensOf(client, await begin())
  await requireFrom(team)
  const { body } = await post(service, '/api/oauth/introspect', client, { token: tokens.access_token })
  expect(body).toMatchObject({ active: true, team: null })
})
