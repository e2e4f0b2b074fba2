import { beforeAll, describe, expect, test } from 'vitest'
import type { ClientState } from '../../../prisma/generated/client/enums.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { createDraftUsers, isMember } from '../../support/oauth/clients/draft-users.ts'
import type { DraftUsers, Relation } from '../../support/oauth/clients/draft-users.ts'
import { authorize, createClient, exchangeCode, post, refresh } from '../../support/oauth/oauth.ts'
import { accessToken } from '../../support/oauth/oauth-rows.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'

// What a grant to a client of a team is good for, in the present state of the client and its user: docs/decisions/clients.md#drafts.

const service = useService()
const { database } = service
const { prisma } = database

let people: DraftUsers
beforeAll(async () => {
  people = await createDraftUsers(service)
})

/** A grant of a user to a listed client, with an access token and a resource server that can look at it. */
async function connect(relation: Relation) {
  const { team, users } = people
  const client = await createClient(database, { ownerTeamId: team.id, state: 'listed' })
  const { id: userId } = users[relation]
  const scopes = ['openid', 'teams', 'offline_access']
  const data = { oauthClientId: client.id, userId, scopes, expiresAt: new Date(Date.now() + 86_400_000) }
  const grant = await prisma.oAuthGrant.create({ data, include: { client: true } })
  return { client, token: await accessToken(database, grant) }
}

type Connected = Awaited<ReturnType<typeof connect>>

/** Whether a use of the access token works. */
const uses: Record<string, (connected: Connected) => Promise<boolean>> = {
  'a REST request': async ({ token }) => (await request(service, 'GET', '/api/v1/teams', { token })).status === 200,
  'a GraphQL request': async ({ token }) =>
    (await request(service, 'POST', '/graphql', { token, body: { query: '{ teams { slug } }' } })).status === 200,
  'a UserInfo request': async ({ token }) => (await request(service, 'GET', '/api/oauth/userinfo', { token })).status === 200,
  introspection: async ({ client, token }) => (await post(service, '/api/oauth/introspect', client, { token })).body.active === true,
}

const rows = Object.keys(uses).flatMap((use) =>
  (['owner', 'member', 'former member', 'outsider', 'staff'] as const).flatMap((relation) =>
    (['draft', 'rejected', 'listed'] as const).map((state) => {
      const works = state === 'listed' || isMember(relation)
      return [use, relation, state, works ? 'works' : 'is refused', works] as const
    }),
  ),
)

test.each(rows)('%s with the token of the %s for a client that is %s now %s', async (use, relation, state, _, works) => {
  const connected = await connect(relation)
  const run = uses[use]
  if (!run) throw new Error('no such use')
  expect(await run(connected)).toBe(true)
  await prisma.oAuthClient.update({ where: { id: connected.client.id }, data: { state } })
  expect(await run(connected)).toBe(works)
})

describe('at the token endpoint', () => {
  const setState = (id: string, state: ClientState) => prisma.oAuthClient.update({ where: { id }, data: { state } })

  test.each([
    ['outsider', 'rejected', 400],
    ['outsider', 'draft', 400],
    ['member', 'rejected', 200],
    ['outsider', 'listed', 200],
  ] as const)('a code of the %s for a client that is %s now returns %i', async (relation, state, status) => {
    const client = await createClient(database, { ownerTeamId: people.team.id })
    const authorized = await authorize(service, client, people.users[relation])
    await setState(client.id, state)
    expect((await exchangeCode(service, client, authorized)).status).toBe(status)
  })

  test.each([
    ['outsider', 'rejected', 400],
    ['outsider', 'submitted', 400],
    ['owner', 'rejected', 200],
    ['outsider', 'listed', 200],
  ] as const)('a refresh token of the %s for a client that is %s now returns %i', async (relation, state, status) => {
    const client = await createClient(database, { ownerTeamId: people.team.id })
    const { body } = await exchangeCode(service, client, await authorize(service, client, people.users[relation]))
    await setState(client.id, state)
    const refreshed = await refresh(service, client, body.refresh_token)
    expect([refreshed.status, refreshed.body.error]).toEqual([status, status === 200 ? undefined : 'invalid_grant'])
  })

  test('a refresh token of a member of a draft is refused after they left, and works again when they return', async () => {
    await people.setFormer(true)
    const client = await createClient(database, { ownerTeamId: people.team.id, state: 'draft' })
    const { body } = await exchangeCode(service, client, await authorize(service, client, people.users['former member']))
    await people.setFormer(false)
    expect((await refresh(service, client, body.refresh_token)).status).toBe(400)
    await people.setFormer(true)
    expect((await refresh(service, client, body.refresh_token)).status).toBe(200)
    await people.setFormer(false)
    expect(await prisma.oidcModel.count({ where: { idHash: sha256(body.refresh_token) } })).toBe(1)
  })
})
