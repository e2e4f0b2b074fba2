import { describe, expect, test } from 'vitest'
import { beginAt } from '../support/authorization.ts'
import { travel } from '../support/clock.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, post, refresh, signIn } from '../support/oauth.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createTeam, join } from '../support/team.ts'

const service = await startService()
const { database } = service
const { prisma } = database
const invalidGrant = { error: 'invalid_grant', error_description: 'grant request is invalid' }

async function connected(options: Parameters<typeof createClient>[1] = {}, choices = {}) {
  const person = await createPerson(database)
  const client = await createClient(database, options)
  const authorized = await authorize(service, client, person, { choices })
  return { person, client, browser: authorized.browser, authorized, tokens: (await exchangeCode(service, client, authorized)).body }
}

describe('staying connected', () => {
  test('ends when the person no longer allows it', async () => {
    const { client, browser, tokens } = await connected()
    const page = await browser.open(authorizationUrl(service, client, { prompt: 'consent' }).url)
    await browser.press(page, 'Allow access', { scope: ['acct:team:read'] })
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })

  test('ends when the client is no longer registered for it', async () => {
    const { client, tokens } = await connected()
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { optionalScopes: ['acct:team:read'] } })
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })
})

describe('a client that is registered for less', () => {
  test('has the lesser scopes in introspection, and no access without a team where one became required', async () => {
    const { client, tokens } = await connected({ team: 'optional' })
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { optionalScopes: ['offline_access'] } })
    const { body } = await post(service, '/api/oauth/introspect', client, { token: tokens.access_token })
    expect([body.active, body.scope]).toEqual([true, 'openid offline_access'])
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { team: 'required' } })
    expect((await request(service, 'GET', '/api/v1/user', { token: tokens.access_token })).status).toBe(401)
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })

  test('gets no code at a redirect URI that was taken away while the person signed in', async () => {
    const client = await createClient(database)
    const { browser, page } = await beginAt(service, client, {})
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { redirectUris: ['https://app.example/other'] } })
    const refused = await signIn(browser, page, await createPerson(database))
    expect([refused.status, refused.url.origin]).toEqual([400, service.url])
  })
})

describe('prompt=none', () => {
  test('asks for consent again where the person left the team, and never goes on with another', async () => {
    const person = await createPerson(database)
    const client = await createClient(database, { team: 'required' })
    const teams = [await createTeam(database), await createTeam(database)]
    for (const team of teams) await join(database, team, person, 'member')
    const first = await authorize(service, client, person, { choices: { Team: teams[0]?.slug ?? '' } })
    const { browser } = await authorize(service, client, person, { browser: first.browser, choices: { Team: teams[1]?.slug ?? '' } })
    const silent = async () => (await browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)).url.searchParams
    expect((await silent()).has('code')).toBe(true)
    await prisma.member.deleteMany({ where: { userId: person.id, teamId: teams[1]?.id ?? '' } })
    expect((await silent()).get('error')).toBe('consent_required')
  })
})

describe('a code', () => {
  test('used again after its minute revokes what it gave', async () => {
    const { client, authorized, tokens } = await connected()
    travel(61_000)
    expect((await exchangeCode(service, client, authorized)).body).toEqual(invalidGrant)
    expect((await refresh(service, client, tokens.refresh_token)).body).toEqual(invalidGrant)
  })

  test('late in the year extends its grant: its refresh tokens live for a year of their own', async () => {
    const { person, client } = await connected()
    travel(360 * 86_400_000)
    const { body } = await exchangeCode(service, client, await authorize(service, client, person))
    travel(20 * 86_400_000)
    expect((await refresh(service, client, body.refresh_token)).status).toBe(200)
  })
})
