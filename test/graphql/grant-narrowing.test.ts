import { describe, expect, test } from 'vitest'
import { graphql } from '../support/graphql.ts'
import { executeAs, operator, sessionOf } from '../support/in-process.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, refresh } from '../support/oauth.ts'
import { accessToken, createGrant } from '../support/oauth-rows.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createUser, personalToken, teamToken } from '../support/team.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database

const narrow =
  'mutation ($id: ID!, $scopes: [String!]!) { narrowGrant(input: { id: $id, scopes: $scopes }) { grant { scopes fixedScopes declinedScopes } } }'
const one = 'query ($id: ID!) { viewer { grant(id: $id) { id fixedScopes } } }'
const nobody = '00000000-0000-4000-8000-000000000000'
const scopes = ['openid', 'email', 'teams', 'acct:team:read'] as const

/** A person with a grant for four scopes, of which the client requires `openid`, and what came of it. */
async function connected() {
  const user = await createUser(database)
  const grant = await createGrant(database, user, { scopes, declinedScopes: ['profile'] })
  return { user, grant, token: await accessToken(database, grant), session: await sessionOf(service, user) }
}
const stored = async (id: string) => {
  const { scopes, declinedScopes } = await prisma.oAuthGrant.findUniqueOrThrow({ where: { id } })
  return { scopes, declinedScopes }
}
const untouched = { scopes: [...scopes], declinedScopes: ['profile'] }
const scopesOf = async (token: string) => (await request(service, 'GET', '/api/v1/user', { token })).body.scopes.toSorted()

describe('narrowGrant', () => {
  test('takes scopes from the access token at the next request, and lists them as declined', async () => {
    const { grant, token, session } = await connected()
    const kept = ['openid', 'teams']
    const { data } = await executeAs(service, session, narrow, { id: grant.id, scopes: kept })
    const declinedScopes = ['profile', 'email', 'acct:team:read']
    expect(data.narrowGrant.grant).toEqual({ scopes: kept, fixedScopes: ['openid'], declinedScopes })
    expect(await stored(grant.id)).toEqual({ scopes: kept, declinedScopes })
    expect(await scopesOf(token)).toEqual(kept)
  })

  test('goes by the next refresh, and is not asked about again', async () => {
    const person = await createPerson(database)
    const client = await createClient(database)
    const { browser, ...authorized } = await authorize(service, client, person, {})
    const tokens = (await exchangeCode(service, client, authorized)).body
    const { id } = await prisma.oAuthGrant.findFirstOrThrow({ where: { userId: person.id } })
    const { refusal } = await executeAs(service, await sessionOf(service, person), narrow, { id, scopes: ['openid', 'offline_access'] })
    expect(refusal).toBeNull()
    const refreshed = await refresh(service, client, tokens.refresh_token)
    expect([refreshed.status, refreshed.body.scope]).toEqual([200, 'openid offline_access'])
    expect(await scopesOf(refreshed.body.access_token)).toEqual(['offline_access', 'openid'])
    const { url, verifier } = authorizationUrl(service, client)
    const code = (await browser.open(url)).url.searchParams.get('code') ?? ''
    expect((await exchangeCode(service, client, { code, verifier })).body.scope).toBe('openid offline_access')
  })

  test('without `offline_access` ends staying connected', async () => {
    const person = await createPerson(database)
    const client = await createClient(database)
    const tokens = (await exchangeCode(service, client, await authorize(service, client, person))).body
    const { id } = await prisma.oAuthGrant.findFirstOrThrow({ where: { userId: person.id } })
    await executeAs(service, await sessionOf(service, person), narrow, { id, scopes: ['openid', 'acct:team:read'] })
    const refused = await refresh(service, client, tokens.refresh_token)
    expect([refused.status, refused.body]).toEqual([400, { error: 'invalid_grant', error_description: 'grant request is invalid' }])
    expect(await scopesOf(tokens.access_token)).toEqual(['acct:team:read', 'openid'])
  })

  test.each([
    [['openid', 'flow:rules:read'], { 'scopes.1': ['The selected scopes.1 is invalid.'] }],
    [['openid', 'profile'], { 'scopes.1': ['The selected scopes.1 is invalid.'] }],
    [['openid', 'nope\0'], { 'scopes.1': ['The scopes.1 field contains characters that cannot be stored.'] }],
    [['email'], { scopes: ['The scopes field must contain openid, which the client requires.'] }],
    [[], { scopes: ['The scopes field must have at least 1 items.'] }],
  ])('to %j is refused and changes nothing', async (kept, errors) => {
    const { grant, session, token } = await connected()
    const { refusal } = await executeAs(service, session, narrow, { id: grant.id, scopes: kept })
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', errors])
    expect([await stored(grant.id), await scopesOf(token)]).toEqual([untouched, expect.arrayContaining([...scopes])])
  })

  test('never takes `openid`, which no person declines, nor what the client came to require meanwhile', async () => {
    const { grant, session } = await connected()
    await prisma.oAuthClient.update({
      where: { id: grant.client.id },
      data: { requiredScopes: ['email'], optionalScopes: ['openid', 'teams'] },
    })
    const { refusal } = await executeAs(service, session, narrow, { id: grant.id, scopes: ['teams'] })
    expect(refusal?.details.errors).toEqual({ scopes: ['The scopes field must contain openid, email, which the client requires.'] })
  })

  test('again, at once too, takes nothing more', async () => {
    const { grant, session } = await connected()
    const { id } = grant
    const without = (scope: string) => scopes.filter((each) => each !== scope)
    await Promise.all([
      executeAs(service, session, narrow, { id, scopes: without('email') }),
      executeAs(service, session, narrow, { id, scopes: without('email') }),
    ])
    expect(await stored(id)).toEqual({ scopes: without('email'), declinedScopes: ['profile', 'email'] })
  })

  test('of another’s grant, or one that is over, is refused as of none', async () => {
    const { grant, session } = await connected()
    const stranger = await connected()
    const over = await createGrant(database, stranger.user, { expiresAt: clock.now() })
    const revoked = await createGrant(database, stranger.user)
    await prisma.oAuthGrant.update({ where: { id: revoked.id }, data: { revokedAt: clock.now() } })
    for (const id of [grant.id, over.id, revoked.id, nobody, 'x', '\0', '\ud800']) {
      expect((await executeAs(service, stranger.session, narrow, { id, scopes: ['openid'] })).refusal?.code).toBe('not_found')
      expect((await executeAs(service, stranger.session, one, { id })).refusal?.code).toBe('not_found')
    }
    expect(await stored(grant.id)).toEqual(untouched)
    expect((await executeAs(service, session, one, { id: grant.id })).data.viewer.grant).toEqual({ id: grant.id, fixedScopes: ['openid'] })
  })

  test('is done with a personal token and by the operator, by no client and no team token', async () => {
    const { user, grant, token } = await connected()
    const { team } = await createOwnedTeam(database)
    const variables = { id: grant.id, scopes: ['openid', 'email', 'teams'] }
    for (const each of [token, await teamToken(database, team)])
      expect((await graphql(service, each, narrow, variables)).errors[0]?.extensions?.code).toBe('insufficient_scope')
    expect(await stored(grant.id)).toEqual(untouched)
    const own = await personalToken(database, user, { scopes: ['acct:team:members:write'] })
    expect((await graphql(service, own, narrow, variables)).errors).toEqual([])
    expect((await executeAs(service, operator, narrow, { id: grant.id, scopes: ['openid'] })).refusal).toBeNull()
    expect(await scopesOf(token)).toEqual(['openid'])
  })
})
