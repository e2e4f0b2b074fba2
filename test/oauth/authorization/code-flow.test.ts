import { describe, expect, test } from 'vitest'
import { request } from '../../support/http/request.ts'
import { Browser } from '../../support/browser/browser.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join } from '../../support/data/team.ts'

const service = useService()
const { database } = service

describe('a confidential client', () => {
  test('receives a code after sign-in and consent, and exchanges it for access, refresh and ID tokens', async () => {
    const user = await createPerson(database)
    const client = await createClient(database)
    const { url, verifier, state } = authorizationUrl(service, client)
    const browser = new Browser(service.url)
    const signInPage = await browser.open(url)
    expect(signInPage.status).toBe(200)
    expect(signInPage.text).toContain('Example App')
    const consent = await signIn(browser, signInPage, user)
    expect(consent.status).toBe(200)
    const callback = await browser.press(consent, 'Allow access')
    expect(callback.url.href.startsWith('https://app.example/callback?')).toBe(true)
    expect(callback.url.searchParams.get('state')).toBe(state)
    expect(callback.url.searchParams.get('iss')).toBe(service.url)
    const { status, headers, body } = await exchangeCode(service, client, { code: callback.url.searchParams.get('code') ?? '', verifier })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toContain('no-store')
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'acct:team:read openid offline_access',
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      team: null,
    })
  })

  test('receives only the scopes that the user did not decline, and the next authorization shows no consent page', async () => {
    const user = await createPerson(database)
    const client = await createClient(database)
    const team = await createTeam(database)
    await join(database, team, user, 'member')
    const scope = 'openid teams acct:team:members:read'
    const authorization = await authorize(service, client, user, { choices: { scope: ['teams'] }, changes: { scope } })
    const { body } = await exchangeCode(service, client, authorization)
    expect(body.scope).toBe('teams openid')
    const listed = await request(service, 'GET', '/api/v1/teams', { token: body.access_token })
    expect(listed.body.data.map(({ slug }: { slug: string }) => slug)).toEqual([team.slug])
    const forbidden = await request(service, 'GET', `/api/v1/teams/${team.slug}/members`, { token: body.access_token })
    expect([forbidden.status, forbidden.body.code]).toEqual([403, 'insufficient_scope'])
    const again = await authorization.browser.open(authorizationUrl(service, client, { scope }).url)
    expect(again.url.searchParams.has('code')).toBe(true)
  })
})

describe('a public client without offline_access', () => {
  test('receives no refresh token', async () => {
    const user = await createPerson(database)
    const client = await createClient(database, { confidential: false })
    const authorization = await authorize(service, client, user, { changes: { scope: 'teams' } })
    const { status, body } = await exchangeCode(service, client, authorization)
    expect([status, Object.keys(body).sort()]).toEqual([200, ['access_token', 'expires_in', 'scope', 'team', 'token_type']])
  })
})

describe('a client that requires a team', () => {
  test('receives a separate grant for each team, and revoking one keeps the other', async () => {
    const user = await createPerson(database)
    const client = await createClient(database, { team: 'required' })
    const teams = [await createTeam(database), await createTeam(database)]
    for (const team of teams) await join(database, team, user, 'owner')
    const browser = new Browser(service.url)
    const tokens: any[] = []
    for (const team of teams) {
      const authorization = await authorize(service, client, user, { browser, choices: { Team: team.slug } })
      tokens.push((await exchangeCode(service, client, authorization)).body)
    }
    expect(tokens.map(({ team }) => team)).toEqual(teams.map(({ slug }) => slug))
    const first = await request(service, 'GET', '/api/v1/teams', { token: tokens[0].access_token })
    expect(first.body.data.map(({ slug }: { slug: string }) => slug)).toEqual([teams[0]?.slug])
    await database.prisma.oAuthGrant.updateMany({ where: { teamId: teams[0]?.id ?? '' }, data: { revokedAt: new Date() } })
    expect((await request(service, 'GET', '/api/v1/teams', { token: tokens[0].access_token })).status).toBe(401)
    expect((await request(service, 'GET', '/api/v1/teams', { token: tokens[1].access_token })).status).toBe(200)
  })
})
