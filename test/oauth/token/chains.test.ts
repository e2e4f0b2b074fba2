import { describe, expect, test } from 'vitest'
import { request } from '../../support/http/request.ts'
import { formOf } from '../../support/oauth/authorization.ts'
import { connectClient, invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import { authorizationUrl, authorize, exchangeCode, post, refresh } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { travel } from '../../support/service/clock.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const reuseMail = expect.objectContaining({ kind: 'refresh-token-reuse' })
const { database } = service
const { prisma } = database

interface Tokens {
  access_token: string
  refresh_token: string
}

/** Connects two devices of one user to one client: two authorizations of the same grant. */
async function connectTwoDevices() {
  const { user, client, authorization, browser, tokens: phone } = await connectClient(service)
  const { body: laptop } = await exchangeCode(service, client, await authorize(service, client, user, { browser }))
  const { id: grantId } = await prisma.oAuthGrant.findFirstOrThrow({ where: { userId: user.id } })
  return { user, client, browser, grantId, phone, laptop, phoneAuthorization: authorization }
}
const revoke = (client: TestClient, token: string) => post(service, '/api/oauth/revoke', client, { token })
const accountStatus = async ({ access_token: token }: Tokens) => (await request(service, 'GET', '/api/v1/user', { token })).status
const scopesOf = async ({ access_token: token }: Tokens) =>
  (await request(service, 'GET', '/api/v1/user', { token })).body.scopes.toSorted()

/** Whether the access token and the refresh token of a device work. Uses the refresh token. */
async function states(client: TestClient, device: Tokens) {
  const account = await accountStatus(device)
  const { status } = await refresh(service, client, device.refresh_token)
  return [account, status]
}
const works = [200, 200]
const ended = [401, 400]

describe('two devices of one user at one client', () => {
  test('share a grant and have a chain of tokens each', async () => {
    const { user, client, grantId, phone, laptop } = await connectTwoDevices()
    expect(await prisma.oAuthGrant.count({ where: { userId: user.id } })).toBe(1)
    const chains = await prisma.tokenChain.findMany({ where: { grantId }, select: { scopes: true, revokedAt: true } })
    const chain = { scopes: expect.arrayContaining(['openid', 'offline_access', 'acct:team:read']), revokedAt: null }
    expect(chains).toEqual([chain, chain])
    expect([await states(client, phone), await states(client, laptop)]).toEqual([works, works])
  })

  test.each(['first', 'current'] as const)('lose only the chain whose %s refresh token the client revokes', async (which) => {
    const { client, grantId, phone, laptop } = await connectTwoDevices()
    const { body: next } = await refresh(service, client, phone.refresh_token)
    expect((await revoke(client, which === 'first' ? phone.refresh_token : next.refresh_token)).status).toBe(200)
    expect([await accountStatus(phone), await states(client, next), await states(client, laptop)]).toEqual([401, ended, works])
    expect((await prisma.oAuthGrant.findUniqueOrThrow({ where: { id: grantId } })).revokedAt).toBeNull()
    expect(service.mails).not.toContainEqual(reuseMail)
  })

  test('lose only the access token that the client revokes', async () => {
    const { client, phone, laptop } = await connectTwoDevices()
    await revoke(client, phone.access_token)
    expect([await states(client, phone), await states(client, laptop)]).toEqual([[401, 200], works])
  })

  test('lose only the chain of the refresh token that is reused', async () => {
    const { client, phone, laptop } = await connectTwoDevices()
    const { body: next } = await refresh(service, client, phone.refresh_token)
    travel(11_000)
    expect((await refresh(service, client, phone.refresh_token)).body).toEqual(invalidGrant)
    expect([await states(client, next), await states(client, laptop)]).toEqual([ended, works])
  })

  test('lose only the chain of the authorization code that is used again', async () => {
    const { client, phone, laptop, phoneAuthorization } = await connectTwoDevices()
    expect((await exchangeCode(service, client, phoneAuthorization)).body).toEqual(invalidGrant)
    expect([await states(client, phone), await states(client, laptop)]).toEqual([ended, works])
  })

  test('keep their tokens when the user signs out in the browser', async () => {
    const { client, browser, phone, laptop } = await connectTwoDevices()
    await browser.press(await browser.open('/login/oauth/logout'), 'Sign out')
    expect((await browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)).url.searchParams.get('error')).toBe(
      'login_required',
    )
    expect([await states(client, phone), await states(client, laptop)]).toEqual([works, works])
  })

  test('lose both chains when the user revokes the grant', async () => {
    const { user, client, grantId, phone, laptop } = await connectTwoDevices()
    const revokeGrant = 'mutation ($id: ID!) { revokeGrant(input: { id: $id }) { grant { id: grantId } } }'
    await executeAs(service, await sessionOf(service, user), revokeGrant, { id: grantId })
    expect([await states(client, phone), await states(client, laptop)]).toEqual([ended, ended])
  })
})

describe('a scope that the user declines in a later authorization', () => {
  const declineOnTablet = async () => {
    const connected = await connectTwoDevices()
    const { client, browser } = connected
    const { url, verifier } = authorizationUrl(service, client, { prompt: 'consent' })
    const page = await browser.press(await browser.open(url), 'Allow access', { scope: ['offline_access'] })
    const { body: declined } = await exchangeCode(service, client, { code: page.url.searchParams.get('code') ?? '', verifier })
    return { ...connected, declined }
  }

  test('is missing in the new chain and stays in the others', async () => {
    const { client, phone, laptop, declined } = await declineOnTablet()
    expect(await Promise.all([phone, laptop, declined].map(scopesOf))).toEqual([
      ['acct:team:read', 'offline_access', 'openid'],
      ['acct:team:read', 'offline_access', 'openid'],
      ['offline_access', 'openid'],
    ])
    expect([declined.scope, (await refresh(service, client, phone.refresh_token)).body.scope]).toEqual([
      'openid offline_access',
      'acct:team:read openid offline_access',
    ])
  })

  test('is missing in the new chain although another tab has granted it before the browser follows the redirect', async () => {
    const { user, client, browser } = await connectTwoDevices()
    const { url, verifier } = authorizationUrl(service, client, { prompt: 'consent' })
    const page = await browser.open(url)
    const { action, values } = formOf(page, 'Allow access')
    values.delete('scope')
    values.append('scope', 'offline_access')
    const cookies = [...browser.cookies.values()].filter(({ path }) => action.startsWith(path))
    const headers = { origin: service.url, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
    const answer = await fetch(new URL(action, page.url), { method: 'POST', body: values, headers, redirect: 'manual' })
    await authorize(service, client, user, { changes: { prompt: 'consent' }, choices: { scope: ['offline_access', 'acct:team:read'] } })
    const callback = await browser.open(answer.headers.get('location') ?? '')
    const { body } = await exchangeCode(service, client, { code: callback.url.searchParams.get('code') ?? '', verifier })
    expect(body.scope).toBe('openid offline_access')
  })

  test('is not requested again, and the grant lists it until the user removes it', async () => {
    const { user, client, browser, phone } = await declineOnTablet()
    const { url, verifier } = authorizationUrl(service, client)
    const code = (await browser.open(url)).url.searchParams.get('code') ?? ''
    expect((await exchangeCode(service, client, { code, verifier })).body.scope).toBe('openid offline_access')
    const session = await sessionOf(service, user)
    const findGrant = '{ viewer { grants { nodes { scopes declinedScopes } } } }'
    const granted = async () => (await executeAs(service, session, findGrant)).data.viewer.grants.nodes
    expect(await granted()).toEqual([{ scopes: expect.arrayContaining(['acct:team:read']), declinedScopes: [] }])
    await reduceScopes(user, ['openid', 'offline_access'])
    expect(await granted()).toEqual([{ scopes: expect.not.arrayContaining(['acct:team:read']), declinedScopes: ['acct:team:read'] }])
    expect(await scopesOf(phone)).toEqual(['offline_access', 'openid'])
  })
})

describe('a scope that the user removes from the grant', () => {
  test('is missing in every chain, also after a later authorization grants it again', async () => {
    const { user, client, browser, phone, laptop } = await connectTwoDevices()
    await reduceScopes(user, ['openid', 'offline_access'])
    const { url, verifier } = authorizationUrl(service, client, { prompt: 'consent' })
    const page = await browser.press(await browser.open(url), 'Allow access', { scope: ['offline_access', 'acct:team:read'] })
    const { body: again } = await exchangeCode(service, client, { code: page.url.searchParams.get('code') ?? '', verifier })
    expect(again.scope).toBe('acct:team:read openid offline_access')
    for (const device of [phone, laptop]) {
      expect(await scopesOf(device)).toEqual(['offline_access', 'openid'])
      expect((await refresh(service, client, device.refresh_token)).body.scope).toBe('openid offline_access')
    }
  })

  test('is missing in the tokens of a code that was issued before', async () => {
    const { user, client, browser } = await connectTwoDevices()
    const { url, verifier } = authorizationUrl(service, client)
    const code = (await browser.open(url)).url.searchParams.get('code') ?? ''
    await reduceScopes(user, ['openid', 'offline_access'])
    expect((await exchangeCode(service, client, { code, verifier })).body.scope).toBe('openid offline_access')
  })
})

async function reduceScopes(user: Parameters<typeof sessionOf>[1], scopes: string[]): Promise<void> {
  const { id } = await prisma.oAuthGrant.findFirstOrThrow({ where: { userId: user.id } })
  const reduce =
    'mutation ($id: ID!, $scopes: [String!]!) { reduceGrantScopes(input: { id: $id, scopes: $scopes }) { grant { id: grantId } } }'
  expect((await executeAs(service, await sessionOf(service, user), reduce, { id, scopes })).refusal).toBeNull()
}
