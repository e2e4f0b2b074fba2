import { describe, expect, test } from 'vitest'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, refresh } from '../../support/oauth/oauth.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

const reduceScopes =
  'mutation ($id: ID!, $scopes: [String!]!) { reduceGrantScopes(input: { id: $id, scopes: $scopes }) { grant { scopes fixedScopes declinedScopes } } }'
const grantById = 'query ($id: ID!) { viewer { grant(id: $id) { id: grantId fixedScopes } } }'
const unknownId = '00000000-0000-4000-8000-000000000000'
const scopes = ['openid', 'email', 'teams', 'acct:team:read'] as const

/** A user with a grant for four scopes, of which the client requires `openid`, and an access token of the grant. */
async function createGrantedClient() {
  const user = await createUser(database)
  const grant = await createGrant(database, user, { scopes, declinedScopes: ['profile'] })
  return { user, grant, token: await accessToken(database, grant), session: await sessionOf(service, user) }
}
const findScopes = async (id: string) => {
  const { scopes, declinedScopes } = await prisma.oAuthGrant.findUniqueOrThrow({ where: { id } })
  return { scopes, declinedScopes }
}
const unchangedScopes = { scopes: [...scopes], declinedScopes: ['profile'] }
const scopesOf = async (token: string) => (await request(service, 'GET', '/api/v1/user', { token })).body.scopes.toSorted()

describe('reduceGrantScopes', () => {
  test('removes scopes from the access token on the next request and lists them as declined', async () => {
    const { grant, token, session } = await createGrantedClient()
    const remaining = ['openid', 'teams']
    const { data } = await executeAs(service, session, reduceScopes, { id: grant.id, scopes: remaining })
    const declinedScopes = ['profile', 'email', 'acct:team:read']
    expect(data.reduceGrantScopes.grant).toEqual({ scopes: remaining, fixedScopes: ['openid'], declinedScopes })
    expect(await findScopes(grant.id)).toEqual({ scopes: remaining, declinedScopes })
    expect(await scopesOf(token)).toEqual(remaining)
  })

  test('applies to the next refresh and does not request consent again', async () => {
    const user = await createPerson(database)
    const client = await createClient(database)
    const { browser, ...authorized } = await authorize(service, client, user, {})
    const tokens = (await exchangeCode(service, client, authorized)).body
    const { id } = await prisma.oAuthGrant.findFirstOrThrow({ where: { userId: user.id } })
    const { refusal } = await executeAs(service, await sessionOf(service, user), reduceScopes, { id, scopes: ['openid', 'offline_access'] })
    expect(refusal).toBeNull()
    const refreshed = await refresh(service, client, tokens.refresh_token)
    expect([refreshed.status, refreshed.body.scope]).toEqual([200, 'openid offline_access'])
    expect(await scopesOf(refreshed.body.access_token)).toEqual(['offline_access', 'openid'])
    const { url, verifier } = authorizationUrl(service, client)
    const code = (await browser.open(url)).url.searchParams.get('code') ?? ''
    expect((await exchangeCode(service, client, { code, verifier })).body.scope).toBe('openid offline_access')
  })

  test('without `offline_access` invalidates the refresh token', async () => {
    const user = await createPerson(database)
    const client = await createClient(database)
    const tokens = (await exchangeCode(service, client, await authorize(service, client, user))).body
    const { id } = await prisma.oAuthGrant.findFirstOrThrow({ where: { userId: user.id } })
    await executeAs(service, await sessionOf(service, user), reduceScopes, { id, scopes: ['openid', 'acct:team:read'] })
    const rejected = await refresh(service, client, tokens.refresh_token)
    expect([rejected.status, rejected.body]).toEqual([400, { error: 'invalid_grant', error_description: 'grant request is invalid' }])
    expect(await scopesOf(tokens.access_token)).toEqual(['acct:team:read', 'openid'])
  })

  test.each([
    [['openid', 'flow:rules:read'], { 'scopes.1': ['The selected scopes.1 is invalid.'] }],
    [['openid', 'profile'], { 'scopes.1': ['The selected scopes.1 is invalid.'] }],
    [['openid', 'nope\0'], { 'scopes.1': ['The scopes.1 field contains characters that cannot be stored.'] }],
    [['email'], { scopes: ['The scopes field must contain openid, which the client requires.'] }],
    [[], { scopes: ['The scopes field must have at least 1 items.'] }],
  ])('to %j is rejected and changes nothing', async (remaining, errors) => {
    const { grant, session, token } = await createGrantedClient()
    const { refusal } = await executeAs(service, session, reduceScopes, { id: grant.id, scopes: remaining })
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', errors])
    expect([await findScopes(grant.id), await scopesOf(token)]).toEqual([unchangedScopes, expect.arrayContaining([...scopes])])
  })

  test('cannot remove `openid` or a scope that the client has come to require', async () => {
    const { grant, session } = await createGrantedClient()
    await prisma.oAuthClient.update({
      where: { id: grant.client.id },
      data: { requiredScopes: ['email'], optionalScopes: ['openid', 'teams'] },
    })
    const { refusal } = await executeAs(service, session, reduceScopes, { id: grant.id, scopes: ['teams'] })
    expect(refusal?.details.errors).toEqual({ scopes: ['The scopes field must contain openid, email, which the client requires.'] })
  })

  test('removes the scopes once if it is executed several times at once', async () => {
    const { grant, session } = await createGrantedClient()
    const { id } = grant
    const without = (scope: string) => scopes.filter((each) => each !== scope)
    await Promise.all([
      executeAs(service, session, reduceScopes, { id, scopes: without('email') }),
      executeAs(service, session, reduceScopes, { id, scopes: without('email') }),
    ])
    expect(await findScopes(id)).toEqual({ scopes: without('email'), declinedScopes: ['profile', 'email'] })
  })

  test('returns not_found for the grant of another user and for an expired or revoked grant', async () => {
    const { grant, session } = await createGrantedClient()
    const other = await createGrantedClient()
    const expired = await createGrant(database, other.user, { expiresAt: clock.now() })
    const revoked = await createGrant(database, other.user)
    await prisma.oAuthGrant.update({ where: { id: revoked.id }, data: { revokedAt: clock.now() } })
    for (const id of [grant.id, expired.id, revoked.id, unknownId, 'x', '\0', '\ud800']) {
      expect((await executeAs(service, other.session, reduceScopes, { id, scopes: ['openid'] })).refusal?.code).toBe('not_found')
      expect((await executeAs(service, other.session, grantById, { id })).refusal?.code).toBe('not_found')
    }
    expect(await findScopes(grant.id)).toEqual(unchangedScopes)
    expect((await executeAs(service, session, grantById, { id: grant.id })).data.viewer.grant).toEqual({
      id: grant.id,
      fixedScopes: ['openid'],
    })
  })

  test('accepts a personal token and the operator, but not an OAuth client or a team token', async () => {
    const { user, grant, token } = await createGrantedClient()
    const { team } = await createOwnedTeam(database)
    const variables = { id: grant.id, scopes: ['openid', 'email', 'teams'] }
    for (const each of [token, await teamToken(database, team)])
      expect((await graphql(service, each, reduceScopes, variables)).errors[0]?.extensions?.code).toBe('session_required')
    expect(await findScopes(grant.id)).toEqual(unchangedScopes)
    const own = await personalToken(database, user, { scopes: ['acct:team:access:write'] })
    expect((await graphql(service, own, reduceScopes, variables)).errors).toEqual([])
    expect((await executeAs(service, operator, reduceScopes, { id: grant.id, scopes: ['openid'] })).refusal).toBeNull()
    expect(await scopesOf(token)).toEqual(['openid'])
  })
})
