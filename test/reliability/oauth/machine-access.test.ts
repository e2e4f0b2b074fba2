import { expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { createTeam } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { createAssertion, createClientKey, keySetOf, postWithAssertion } from '../../support/oauth/clients/client-keys.ts'
import { createTeamClient, requestMachineToken } from '../../support/oauth/clients/machines.ts'
import { post } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { usePair } from '../../support/processes/service-pair.ts'

// Nothing about a client, its keys and its tokens is kept in a process beyond a request: what ends access at one process ends it at the
// other with the next request.

const pair = usePair()
const { prisma } = pair.database
const grant = { grant_type: 'client_credentials' }

interface Context {
  team: Team
  client: TestClient
  token: string
}
type Cause = (context: Context) => Promise<unknown>
const changeClient =
  (data: Prisma.OAuthClientUncheckedUpdateInput): Cause =>
  ({ client: { id } }) =>
    prisma.oAuthClient.update({ where: { id }, data })
const changeToken =
  (data: Prisma.OidcModelUncheckedUpdateInput): Cause =>
  ({ token }) =>
    prisma.oidcModel.update({ where: { idHash: sha256(token) }, data })

const causes: [name: string, code: string, cause: Cause][] = [
  ['the client is disabled', 'unauthenticated', changeClient({ disabledAt: new Date() })],
  ['the client is deleted', 'unauthenticated', ({ client: { id } }) => prisma.oAuthClient.delete({ where: { id } })],
  ['the client loses the grant', 'unauthenticated', changeClient({ grantTypes: ['authorization_code'] })],
  ['the client belongs to no team', 'unauthenticated', changeClient({ ownerTeamId: null })],
  ['the client becomes public', 'unauthenticated', changeClient({ confidential: false })],
  ['the client loses the scope', 'insufficient_scope', changeClient({ optionalScopes: ['acct:team:read'] })],
  ['the team is deleted', 'unauthenticated', ({ team: { id } }) => prisma.team.update({ where: { id }, data: { deletedAt: new Date() } })],
  ['the team is erased', 'unauthenticated', ({ team: { id } }) => prisma.team.delete({ where: { id } })],
  ['the token is revoked', 'unauthenticated', ({ client, token }) => post(pair, '/api/oauth/revoke', client, { token })],
  ['the token is consumed', 'unauthenticated', changeToken({ consumedAt: new Date() })],
  ['the token has expired', 'unauthenticated', changeToken({ expiresAt: new Date() })],
]

/** Calls a function at each process. */
async function atBoth<Result>(call: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const slot of [0, 1] as const) {
    await pair.useOnly(slot)
    results.push(await call())
  }
  return results
}

test.each(causes)('a token is refused by both processes with the next request after %s', async (_, code, cause) => {
  const team = await createTeam(pair.database)
  const client = await createTeamClient(pair.database, team)
  const { body } = await requestMachineToken(pair, client)
  const token = String(body.access_token)
  const members = () => request(pair, 'GET', `/api/v1/teams/${team.slug}/members`, { token })
  expect((await atBoth(members)).map(({ status }) => status)).toEqual([200, 200])
  await pair.useOnly(0)
  await cause({ team, client, token })
  expect((await atBoth(members)).map((response) => response.body.code)).toEqual([code, code])
})

test.each<[string, Prisma.OAuthClientUncheckedUpdateInput]>([
  ['the key is replaced', { jwks: keySetOf(createClientKey()) }],
  ['the client is disabled', { disabledAt: new Date() }],
  ['the client becomes public', { confidential: false }],
])('an assertion is refused by both processes with the next request after %s', async (_, data) => {
  const key = createClientKey()
  const client = await createTeamClient(pair.database, await createTeam(pair.database), { jwks: keySetOf(key) })
  const authenticate = async () => {
    const { status, body } = await postWithAssertion(pair, '/api/oauth/token', await createAssertion(pair, client, key), grant)
    return [status, body.error]
  }
  expect(await atBoth(authenticate)).toEqual([
    [200, undefined],
    [200, undefined],
  ])
  await prisma.oAuthClient.update({ where: { id: client.id }, data })
  expect(await atBoth(authenticate)).toEqual([
    [401, 'invalid_client'],
    [401, 'invalid_client'],
  ])
})

test('a secret is refused by both processes after the client demands a key', async () => {
  const client = await createTeamClient(pair.database, await createTeam(pair.database), { jwks: keySetOf(createClientKey()) })
  const statusOf = async () => (await requestMachineToken(pair, client)).status
  expect(await atBoth(statusOf)).toEqual([200, 200])
  await prisma.oAuthClient.update({ where: { id: client.id }, data: { requireKeyAuthentication: true } })
  expect(await atBoth(statusOf)).toEqual([401, 401])
})

test('an assertion that one process has accepted is refused by the other', async () => {
  const key = createClientKey()
  const client = await createTeamClient(pair.database, await createTeam(pair.database), { jwks: keySetOf(key) })
  const assertion = await createAssertion(pair, client, key)
  const responses = await atBoth(() => postWithAssertion(pair, '/api/oauth/token', assertion, grant))
  expect(responses.map(({ status, body }) => [status, body.error_description])).toEqual([
    [200, undefined],
    [401, 'the client assertion was used before'],
  ])
})
