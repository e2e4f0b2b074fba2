import { describe, expect, test } from 'vitest'
import { connectClient, invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import { beginAt } from '../../support/oauth/authorization.ts'
import { travel } from '../../support/service/clock.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, post, refresh, signIn } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join } from '../../support/data/team.ts'

const service = useService()
const { database } = service
const { prisma } = database

describe('a refresh token', () => {
  test('stays valid when the user declines offline_access in a later authorization, which gets none', async () => {
    const { client, browser, tokens } = await connectClient(service)
    const { url, verifier } = authorizationUrl(service, client, { prompt: 'consent' })
    const page = await browser.press(await browser.open(url), 'Allow access', { scope: ['acct:team:read'] })
    const { body } = await exchangeCode(service, client, { code: page.url.searchParams.get('code') ?? '', verifier })
    expect([body.scope, body.refresh_token]).toEqual(['acct:team:read openid', undefined])
    expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
  })

  test('is invalid when the client is no longer registered for offline_access', async () => {
    const { client, tokens } = await connectClient(service)
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { optionalScopes: ['acct:team:read'] } })
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })
})

describe('a client whose registration is reduced', () => {
  test('loses the removed scopes, and loses grants without a team when a team becomes required', async () => {
    const { client, tokens } = await connectClient(service, { team: 'optional' })
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { optionalScopes: ['offline_access'] } })
    const { body } = await post(service, '/api/oauth/introspect', client, { token: tokens.access_token })
    expect([body.active, body.scope]).toEqual([true, 'openid offline_access'])
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { team: 'required' } })
    expect((await request(service, 'GET', '/api/v1/user', { token: tokens.access_token })).status).toBe(401)
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })

  test('receives no code at a redirect URI that is removed while the user signs in', async () => {
    const client = await createClient(database)
    const { browser, page } = await beginAt(service, client, {})
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { redirectUris: ['https://app.example/other'] } })
    const refused = await signIn(browser, page, await createPerson(database))
    expect([refused.status, refused.url.origin]).toEqual([400, service.url])
  })
})

describe('an authorization request with prompt=none', () => {
  test('returns consent_required when the user left the team of the grant, although a grant for another team exists', async () => {
    const user = await createPerson(database)
    const client = await createClient(database, { team: 'required' })
    const teams = [await createTeam(database), await createTeam(database)]
    for (const team of teams) await join(database, team, user, 'member')
    const first = await authorize(service, client, user, { choices: { Team: teams[0]?.slug ?? '' } })
    const { browser } = await authorize(service, client, user, { browser: first.browser, choices: { Team: teams[1]?.slug ?? '' } })
    const silent = async () => (await browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)).url.searchParams
    expect((await silent()).has('code')).toBe(true)
    await prisma.member.deleteMany({ where: { userId: user.id, teamId: teams[1]?.id ?? '' } })
    expect((await silent()).get('error')).toBe('consent_required')
  })
})

describe('an authorization code', () => {
  test('that is used again after it expired ends its chain', async () => {
    const { client, authorization, tokens } = await connectClient(service)
    travel(61_000)
    expect((await exchangeCode(service, client, authorization)).body).toEqual(invalidGrant)
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })

  test('extends an existing grant: new refresh tokens are valid for a year from the new authorization', async () => {
    const { user, client } = await connectClient(service)
    travel(360 * 86_400_000)
    const { body } = await exchangeCode(service, client, await authorize(service, client, user))
    travel(20 * 86_400_000)
    expect((await refresh(service, client, body.refresh_token)).status).toBe(200)
  })
})
