import { describe, expect, test } from 'vitest'
import { graphql } from '../support/graphql.ts'
import { executeAs, sessionOf } from '../support/in-process.ts'
import { accessToken, createGrant } from '../support/oauth-rows.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/team.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database

const everyField = `id user { id name } client { clientId name description logoUri } teamSlug
  scopes declinedScopes createdAt lastUsedAt expiresAt`
const own = `{ viewer { grants { ${everyField} } } }`
const ofTeam = (slug: string, page = '') => `{ team(slug: "${slug}") { grants${page} { nodes { id } total page perPage lastPage } } }`
const one = 'query ($team: String!, $id: ID!) { team(slug: $team) { grant(id: $id) { id } } }'

/** Grants from which nothing comes any more. */
async function overGrants(user: Parameters<typeof createGrant>[1], options: Parameters<typeof createGrant>[2]) {
  const revoked = await createGrant(database, user, options)
  await prisma.oAuthGrant.update({ where: { id: revoked.id }, data: { revokedAt: clock.now() } })
  return [revoked, await createGrant(database, user, { ...options, expiresAt: clock.now() })]
}

describe('the viewer’s grants', () => {
  test('are what they allow at present, newest first, with all there is to tell', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const older = await createGrant(database, owner, { createdAt: new Date('2026-01-01') })
    const scopes = ['openid', 'teams'] as const
    const newer = await createGrant(database, owner, { team, scopes, declinedScopes: ['email'] })
    const lastUsedAt = new Date('2026-11-01T09:30:00Z')
    await prisma.oAuthGrant.update({ where: { id: newer.id }, data: { lastUsedAt } })
    const logo = { description: 'Shows charts.', logoUri: 'https://app.example/logo.svg' }
    await prisma.oAuthClient.update({ where: { id: newer.client.id }, data: logo })
    await overGrants(owner, {})
    await createGrant(database, await createUser(database), { team })

    const { data, errors } = await graphql(service, token, own)
    const { id, name } = owner
    expect([errors, data.viewer.grants]).toEqual([
      [],
      [
        {
          id: newer.id,
          user: { id, name },
          client: { clientId: newer.client.clientId, name: 'Dashboard', ...logo },
          teamSlug: team.slug,
          scopes,
          declinedScopes: ['email'],
          createdAt: newer.createdAt.toISOString(),
          lastUsedAt: lastUsedAt.toISOString(),
          expiresAt: newer.expiresAt.toISOString(),
        },
        {
          id: older.id,
          user: { id, name },
          client: { clientId: older.client.clientId, name: 'Dashboard', description: null, logoUri: null },
          teamSlug: null,
          scopes: older.scopes,
          declinedScopes: [],
          createdAt: '2026-01-01T00:00:00.000Z',
          lastUsedAt: null,
          expiresAt: older.expiresAt.toISOString(),
        },
      ],
    ])
    expect((await executeAs(service, await sessionOf(service, owner), own)).data.viewer.grants).toHaveLength(2)
  })

  test('are told to no team token and to no client, whatever it carries', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const client = await accessToken(database, await createGrant(database, owner, { team }))
    for (const token of [client, await teamToken(database, team)])
      expect((await graphql(service, token, own)).errors[0]?.extensions?.code).toBe('insufficient_scope')
  })
})

describe('the grants of a team', () => {
  test('are those that touch it, by whoever gave them', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const stranger = await createUser(database)
    const elsewhere = await createTeam(database)
    await join(database, elsewhere, member, 'owner')

    const touching = [
      await createGrant(database, owner, { team, scopes: ['openid'], createdAt: new Date('2026-01-03') }),
      await createGrant(database, member, { scopes: ['openid', 'flow:rules:read'], createdAt: new Date('2026-01-02') }),
      // Who left may come back, and the grant with them.
      await createGrant(database, stranger, { team, createdAt: new Date('2026-01-01') }),
    ]
    const cut = await createGrant(database, member)
    await prisma.oAuthGrant.update({ where: { id: cut.id }, data: { cutTeamIds: { push: team.id } } })
    const others = [
      await createGrant(database, member, { scopes: ['openid', 'profile', 'email', 'offline_access'] }),
      await createGrant(database, member, { team: elsewhere }),
      await createGrant(database, stranger),
      cut,
      ...(await overGrants(owner, { team })),
    ]

    for (const credential of [token, await teamToken(database, team, { scopes: ['acct:team:tokens:read'] })]) {
      const { data } = await graphql(service, credential, ofTeam(team.slug))
      const nodes = touching.map(({ id }) => ({ id }))
      expect(data.team.grants).toEqual({ nodes, total: 3, page: 1, perPage: 50, lastPage: 1 })
    }
    for (const { id } of touching) expect((await graphql(service, token, one, { team: team.slug, id })).data.team.grant).toEqual({ id })
    for (const id of [...others.map((grant) => grant.id), 'nobody', '\0', '\ud800'])
      expect((await graphql(service, token, one, { team: team.slug, id })).errors[0]?.extensions?.code).toBe('not_found')

    const second = await graphql(service, token, ofTeam(team.slug, '(page: 2, perPage: 2)'))
    expect(second.data.team.grants).toEqual({ nodes: [{ id: touching[2]?.id }], total: 3, page: 2, perPage: 2, lastPage: 2 })
    const refused = await graphql(service, token, ofTeam(team.slug, '(perPage: 101)'))
    expect(refused.errors[0]?.extensions).toEqual({
      code: 'validation_failed',
      errors: { perPage: ['The per page field must not be greater than 100.'] },
    })
  })

  test('are told to no client, and to owners alone', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const grant = await createGrant(database, owner, { team })
    const client = await accessToken(database, grant)
    const member = await createUser(database)
    await join(database, team, member, 'billing')
    const theirs = await personalToken(database, member)
    for (const [query, variables] of [[ofTeam(team.slug), {}] as const, [one, { team: team.slug, id: grant.id }] as const]) {
      expect((await graphql(service, client, query, variables)).errors[0]?.extensions?.code).toBe('insufficient_scope')
      expect((await graphql(service, theirs, query, variables)).errors[0]?.extensions?.code).toBe('role_required')
    }
  })
})
