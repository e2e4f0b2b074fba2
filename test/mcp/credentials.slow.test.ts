import { describe, expect, test } from 'vitest'
import { personalToken, createOwnedTeam, createTeam, createUser, join, teamToken } from '../support/data/team.ts'
import type { OwnedTeam } from '../support/data/team.ts'
import { signedIn } from '../support/account-site/page-content.ts'
import { resourceMetadataOf } from '../support/http/resource-metadata.ts'
import { callMessage, post } from '../support/mcp/client.ts'
import { algorithms } from '../support/oauth/dpop.ts'
import { accessToken, createGrant } from '../support/oauth/oauth-rows.ts'
import type { GrantWithClient } from '../support/oauth/oauth-rows.ts'
import { useService } from '../support/service/service.ts'

const service = useService({ rateLimitApi: 10_000 })
const { database } = service
const { prisma } = database
const metadata = resourceMetadataOf(service.url, 'mcp')
const readScopes =
  'teams acct:team:apps:read acct:team:invoices:read acct:team:members:read acct:team:tokens:read acct:team:events:read acct:team:webhooks:read flow:rules:read'
const past = () => new Date(Date.now() - 60_000)

type Owned = Pick<OwnedTeam, 'team' | 'owner'>
/** Creates a credential for a team, and returns the header fields that send it. */
type Credential = (owned: Owned) => Promise<Record<string, string>>
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** Returns a credential: an access token of a grant of the owner, after a change. */
const oauth =
  (change: (grant: GrantWithClient, owned: Owned) => Promise<unknown>, token: { aud?: string; jkt?: string } = {}): Credential =>
  async (owned) => {
    const grant = await createGrant(database, owned.owner)
    const value = await accessToken(database, grant, token)
    await change(grant, owned)
    return bearer(value)
  }
const unchanged = () => Promise.resolve()

const reads = [
  ['tools/list', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  ['a read', 'list_members'],
  ['a write', 'update_team'],
] as const
const paths = ['/mcp', '/mcp/readonly']

const messageOf = (what: (typeof reads)[number][1], { slug }: OwnedTeam['team']) =>
  typeof what === 'string' ? callMessage(what, { team_slug: slug, ...(what === 'update_team' && { name: 'Changed' }) }) : what

/** Sends the three messages to both endpoints, checks that nothing changed, and returns the responses. */
async function sendAll(credential: Credential, of: Promise<Owned> = createOwnedTeam(database)) {
  const owned = await of
  const headers = await credential(owned)
  const stored = () => Promise.all([prisma.team.findUnique({ where: { id: owned.team.id } }), prisma.auditEntry.count()])
  const before = await stored()
  const responses = []
  for (const path of paths)
    for (const [name, what] of reads) {
      const { status, headers: fields, body } = await post(service, null, messageOf(what, owned.team), { path, headers })
      responses.push({
        name: `${name} at ${path}`,
        status,
        body,
        type: fields.get('content-type'),
        cache: fields.get('cache-control'),
        challenge: fields.get('www-authenticate'),
      })
    }
  expect(await stored()).toEqual(before)
  return responses
}

const bearerChallenge = (parameters = '') => `Bearer realm="${service.url}"${parameters}, scope="${readScopes}", ${metadata}`
const none = bearerChallenge()
const invalid = bearerChallenge(', error="invalid_token"')
const elsewhere = bearerChallenge(', error="invalid_token", error_description="the token is for another resource"')
const bound = `DPoP error="invalid_token", algs="${algorithms.join(' ')}", ${metadata}, ${invalid}`

const unauthenticated: Record<string, [challenge: string, Credential]> = {
  'no credential': [none, () => Promise.resolve({})],
  'a session cookie alone': [
    none,
    async () => {
      const { browser } = await signedIn(service)
      return { Cookie: [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; '), Origin: service.url }
    },
  ],
  'another scheme': [none, () => Promise.resolve({ Authorization: `Basic ${btoa('client:secret')}` })],
  'a malformed token': [invalid, () => Promise.resolve(bearer('not a token'))],
  'an unknown token': [invalid, () => Promise.resolve(bearer('A'.repeat(43)))],
  'an expired personal token': [invalid, async ({ owner }) => bearer(await personalToken(database, owner, { expiresAt: past() }))],
  'a revoked personal token': [
    invalid,
    async ({ owner }) => {
      const token = await personalToken(database, owner)
      await prisma.accessToken.updateMany({ where: { userId: owner.id }, data: { revokedAt: past() } })
      return bearer(token)
    },
  ],
  'a revoked grant': [invalid, oauth(({ id }) => prisma.oAuthGrant.update({ where: { id }, data: { revokedAt: past() } }))],
  'an expired grant': [invalid, oauth(({ id }) => prisma.oAuthGrant.update({ where: { id }, data: { expiresAt: past() } }))],
  'a token of a disabled client': [
    invalid,
    oauth(({ client: { id } }) => prisma.oAuthClient.update({ where: { id }, data: { disabledAt: past() } })),
  ],
  'a token of a disabled user': [
    invalid,
    oauth((_, { owner: { id } }) => prisma.user.update({ where: { id }, data: { disabledAt: past() } })),
  ],
  'a draft client of another team': [
    invalid,
    oauth(async ({ client: { id } }) => {
      const { id: ownerTeamId } = await createTeam(database)
      await prisma.oAuthClient.update({ where: { id }, data: { state: 'draft', ownerTeamId } })
    }),
  ],
  'a team token of a deleted team': [
    invalid,
    async () => {
      const { team } = await createOwnedTeam(database)
      const token = await teamToken(database, team)
      await prisma.team.update({ where: { id: team.id }, data: { deletedAt: past() } })
      return bearer(token)
    },
  ],
  'a token for /api': [elsewhere, oauth(unchanged, { aud: `${service.url}/api` })],
  'a token for /graphql': [elsewhere, oauth(unchanged, { aud: `${service.url}/graphql` })],
  'a token for /mcp/readonly, which is no resource': [elsewhere, oauth(unchanged, { aud: `${service.url}/mcp/readonly` })],
  'a token that is bound to a key, without a proof': [bound, oauth(unchanged, { jkt: 'a'.repeat(43) })],
}

describe('a request is a 401 with', () => {
  test.each(Object.entries(unauthenticated))('%s', async (_, [challenge, credential]) => {
    for (const response of await sendAll(credential))
      expect(response).toEqual({
        name: response.name,
        status: 401,
        body: { message: 'Unauthenticated.', code: 'unauthenticated', request_id: expect.any(String) },
        type: 'application/json',
        cache: 'no-store',
        challenge,
      })
  })
})

const outsiders: Record<string, Credential> = {
  'a grant for another team': async ({ owner }) => {
    const other = await createTeam(database)
    await join(database, other, owner, 'owner')
    return bearer(await accessToken(database, await createGrant(database, owner, { team: other })))
  },
  'a grant whose access to the team was revoked': oauth(({ id }, { team }) =>
    prisma.oAuthGrant.update({ where: { id }, data: { revokedTeamIds: [team.id] } }),
  ),
  'a token of a user who left the team': oauth(async (_, { owner, team }) => {
    await join(database, team, await createUser(database), 'owner')
    await prisma.member.deleteMany({ where: { userId: owner.id, teamId: team.id } })
  }),
  'a deleted team': oauth((_, { team: { id } }) => prisma.team.update({ where: { id }, data: { deletedAt: past() } })),
  'a team token of another team': async () => bearer(await teamToken(database, await createTeam(database))),
  'a personal token of another user': async () => bearer(await personalToken(database, await createUser(database))),
}

describe('a call is refused as in REST with', () => {
  test.each(Object.entries(outsiders))('%s', async (_, credential) => {
    for (const { name, status, body, challenge } of await sendAll(credential)) {
      expect([name, status, challenge]).toEqual([name, 200, null])
      if (name.startsWith('tools/list')) expect(JSON.stringify(body)).not.toContain('Acme')
      else if (name === 'a write at /mcp/readonly') expect(body.error).toEqual({ code: -32_602, message: 'Unknown tool: update_team' })
      else
        expect({ ...body.result, content: JSON.parse(body.result.content[0].text) }).toEqual({
          isError: true,
          content: { message: 'This action is unauthorized.', code: 'team_forbidden', request_id: expect.any(String) },
        })
    }
  })
})

const narrow: Record<string, Credential> = {
  'a personal token without the scope': async ({ owner }) => bearer(await personalToken(database, owner, { scopes: ['acct:team:read'] })),
  'a team token without the scope': async ({ team }) => bearer(await teamToken(database, team, { scopes: ['acct:team:read'] })),
  'an access token without the scope': async ({ owner }) =>
    bearer(await accessToken(database, await createGrant(database, owner, { scopes: ['openid', 'acct:team:read'] }))),
  'an access token with fewer scopes than its grant': async ({ owner }) =>
    bearer(await accessToken(database, await createGrant(database, owner), { scopes: ['openid', 'acct:team:read'] })),
}

describe('a call is a 403 that names the scope with', () => {
  test.each(Object.entries(narrow))('%s', async (_, credential) => {
    const refusals = (await sendAll(credential)).filter(({ status }) => status !== 200)
    const scopes = ['acct:team:members:read', 'acct:team:write', 'acct:team:members:read']
    const names = ['a read at /mcp', 'a write at /mcp', 'a read at /mcp/readonly']
    expect(refusals).toEqual(
      names.map((name, index) => ({
        name,
        status: 403,
        body: { message: 'This action is unauthorized.', code: 'insufficient_scope', request_id: expect.any(String) },
        type: 'application/json',
        cache: 'no-store',
        challenge: `Bearer error="insufficient_scope", scope="${scopes[index]}", ${metadata}`,
      })),
    )
  })
})
