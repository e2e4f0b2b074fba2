import { describe, expect, test } from 'vitest'
import { request } from '../support/request.ts'
import { Browser } from '../support/browser.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, signIn } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { createTeam, join } from '../support/team.ts'

const service = await startService()
const { database } = service

describe('a confidential client that asks for openid, offline_access and product scopes', () => {
  test('gets a code after sign-in and consent, and tokens for it', async () => {
    const person = await createPerson(database)
    const client = await createClient(database)
    const { url, verifier, state } = authorizationUrl(service, client)
    const browser = new Browser(service.url)
    const signInPage = await browser.open(url)
    expect(signInPage.status).toBe(200)
    expect(signInPage.text).toContain('Example App')
    const consent = await signIn(browser, signInPage, person)
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

  test('leaves out what the person declined, and is not asked again', async () => {
    const person = await createPerson(database)
    const client = await createClient(database)
    const team = await createTeam(database)
    await join(database, team, person, 'member')
    const scope = 'openid teams acct:team:members:read'
    const authorized = await authorize(service, client, person, { choices: { scope: ['teams'] }, changes: { scope } })
    const { body } = await exchangeCode(service, client, authorized)
    expect(body.scope).toBe('teams openid')
    const listed = await request(service, 'GET', '/api/v1/teams', { token: body.access_token })
    expect(listed.body.data.map(({ slug }: { slug: string }) => slug)).toEqual([team.slug])
    const refused = await request(service, 'GET', `/api/v1/teams/${team.slug}/members`, { token: body.access_token })
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
    const again = await authorized.browser.open(authorizationUrl(service, client, { scope }).url)
    expect(again.url.searchParams.has('code')).toBe(true)
  })
})

describe('a public client without offline_access', () => {
  test('gets no refresh token', async () => {
    const person = await createPerson(database)
    const client = await createClient(database, { confidential: false })
    const authorized = await authorize(service, client, person, { changes: { scope: 'teams' } })
    const { status, body } = await exchangeCode(service, client, authorized)
    expect([status, Object.keys(body).sort()]).toEqual([200, ['access_token', 'expires_in', 'scope', 'team', 'token_type']])
  })
})

describe('a client whose grants may carry a team', () => {
  test('holds one grant a team, each revocable alone', async () => {
    const person = await createPerson(database)
    const client = await createClient(database, { team: 'required' })
    const teams = [await createTeam(database), await createTeam(database)]
    for (const team of teams) await join(database, team, person, 'owner')
    const browser = new Browser(service.url)
    const tokens: any[] = []
    for (const team of teams) {
      const authorized = await authorize(service, client, person, { browser, choices: { Team: team.slug } })
      tokens.push((await exchangeCode(service, client, authorized)).body)
    }
    expect(tokens.map(({ team }) => team)).toEqual(teams.map(({ slug }) => slug))
    const first = await request(service, 'GET', '/api/v1/teams', { token: tokens[0].access_token })
    expect(first.body.data.map(({ slug }: { slug: string }) => slug)).toEqual([teams[0]?.slug])
    await database.prisma.oAuthGrant.updateMany({ where: { teamId: teams[0]?.id ?? '' }, data: { revokedAt: new Date() } })
    expect((await request(service, 'GET', '/api/v1/teams', { token: tokens[0].access_token })).status).toBe(401)
    expect((await request(service, 'GET', '/api/v1/teams', { token: tokens[1].access_token })).status).toBe(200)
  })
})
