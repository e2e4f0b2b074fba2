import { describe, expect, test } from 'vitest'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

const everyField = `id: grantId user { id: userId name } client { clientId name description logoUri publisher verified clientUri policyUri tosUri } teamSlug
  scopes declinedScopes createdAt lastUsedAt expiresAt`
const viewerGrants = `{ viewer { grants { nodes { ${everyField} } } } }`
const teamGrants = (slug: string, page = '') =>
  `{ team(slug: "${slug}") { grants${page} { nodes { id: grantId } total page perPage lastPage } } }`
const grantById = 'query ($team: String!, $id: ID!) { team(slug: $team) { grant(id: $id) { id: grantId } } }'

/** Creates a revoked and an expired grant. */
async function createInactiveGrants(user: Parameters<typeof createGrant>[1], options: Parameters<typeof createGrant>[2]) {
  const revoked = await createGrant(database, user, options)
  await prisma.oAuthGrant.update({ where: { id: revoked.id }, data: { revokedAt: clock.now() } })
  return [revoked, await createGrant(database, user, { ...options, expiresAt: clock.now() })]
}

describe('the grants of the viewer', () => {
  test('are listed without the team while the viewer lacks the two-factor authentication that it requires', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    await createGrant(database, owner, { team, scopes: ['openid', 'teams'] })
    const query = '{ viewer { grants { nodes { teamSlug team { name } } } } }'
    const nodes = async () => (await graphql(service, token, query)).data.viewer.grants.nodes
    expect(await nodes()).toEqual([{ teamSlug: team.slug, team: { name: team.name } }])
    await prisma.team.update({ where: { id: team.id }, data: { twoFactorRequiredAt: clock.now() } })
    expect(await nodes()).toEqual([{ teamSlug: team.slug, team: null }])
  })

  test('are the active grants with every field, newest first', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const older = await createGrant(database, owner, { createdAt: new Date('2026-01-01') })
    const scopes = ['openid', 'teams'] as const
    const newer = await createGrant(database, owner, { team, scopes, declinedScopes: ['email'] })
    const lastUsedAt = new Date('2026-11-01T09:30:00Z')
    await prisma.oAuthGrant.update({ where: { id: newer.id }, data: { lastUsedAt } })
    const logo = {
      description: 'Shows charts.',
      logoUri: 'https://app.example/logo.svg',
      publisher: 'Example GmbH',
      verified: true,
      clientUri: 'https://app.example/',
      policyUri: 'https://app.example/privacy',
      tosUri: 'https://app.example/terms',
    }
    const unknown = { description: null, logoUri: null, publisher: null, verified: false, clientUri: null, policyUri: null, tosUri: null }
    await prisma.oAuthClient.update({ where: { id: newer.client.id }, data: logo })
    await createInactiveGrants(owner, {})
    await createGrant(database, await createUser(database), { team })

    const { data, errors } = await graphql(service, token, viewerGrants)
    const { id, name } = owner
    expect([errors, data.viewer.grants.nodes]).toEqual([
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
          client: { clientId: older.client.clientId, name: 'Dashboard', ...unknown },
          teamSlug: null,
          scopes: older.scopes,
          declinedScopes: [],
          createdAt: '2026-01-01T00:00:00.000Z',
          lastUsedAt: null,
          expiresAt: older.expiresAt.toISOString(),
        },
      ],
    ])
    expect((await executeAs(service, await sessionOf(service, owner), viewerGrants)).data.viewer.grants.nodes).toHaveLength(2)
  })

  test('cannot be read with a team token or by an OAuth client', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const client = await accessToken(database, await createGrant(database, owner, { team }))
    for (const token of [client, await teamToken(database, team)])
      expect((await graphql(service, token, viewerGrants)).errors[0]?.extensions?.code).toBe('session_required')
  })
})

describe('the grants of a team', () => {
  test('are all active grants that can reach the team', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const outsider = await createUser(database)
    const otherTeam = await createTeam(database)
    await join(database, otherTeam, member, 'owner')

    const teamReachingGrants = [
      await createGrant(database, owner, { team, scopes: ['openid'], createdAt: new Date('2026-01-03') }),
      await createGrant(database, member, { scopes: ['openid', 'flow:rules:read'], createdAt: new Date('2026-01-02') }),
      // The grant of a user who left is listed, because it becomes effective again if the user returns.
      await createGrant(database, outsider, { team, createdAt: new Date('2026-01-01') }),
    ]
    const withoutTeam = await createGrant(database, member)
    await prisma.oAuthGrant.update({ where: { id: withoutTeam.id }, data: { revokedTeamIds: { push: team.id } } })
    const others = [
      await createGrant(database, member, { scopes: ['openid', 'profile', 'email', 'offline_access'] }),
      await createGrant(database, member, { team: otherTeam }),
      await createGrant(database, outsider),
      withoutTeam,
      ...(await createInactiveGrants(owner, { team })),
    ]

    for (const credential of [token, await teamToken(database, team, { scopes: ['acct:team:access:read'] })]) {
      const { data } = await graphql(service, credential, teamGrants(team.slug))
      const nodes = teamReachingGrants.map(({ id }) => ({ id }))
      expect(data.team.grants).toEqual({ nodes, total: 3, page: 1, perPage: 50, lastPage: 1 })
    }
    for (const { id } of teamReachingGrants)
      expect((await graphql(service, token, grantById, { team: team.slug, id })).data.team.grant).toEqual({ id })
    for (const id of [...others.map((grant) => grant.id), 'unknown', '\0', '\ud800'])
      expect((await graphql(service, token, grantById, { team: team.slug, id })).errors[0]?.extensions?.code).toBe('not_found')

    const second = await graphql(service, token, teamGrants(team.slug, '(page: 2, perPage: 2)'))
    expect(second.data.team.grants).toEqual({ nodes: [{ id: teamReachingGrants[2]?.id }], total: 3, page: 2, perPage: 2, lastPage: 2 })
    const rejected = await graphql(service, token, teamGrants(team.slug, '(perPage: 101)'))
    expect(rejected.errors[0]?.extensions).toEqual({
      code: 'validation_failed',
      request_id: expect.any(String),
      errors: { perPage: ['The per page field must not be greater than 100.'] },
    })
  })

  test('can be read only by owners with the required scope', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const grant = await createGrant(database, owner, { team })
    const client = await accessToken(database, grant)
    const narrow = await accessToken(database, grant, { scopes: ['acct:team:tokens:read', 'acct:team:access:write'] })
    const member = await createUser(database)
    await join(database, team, member, 'billing')
    const billingToken = await personalToken(database, member)
    for (const [query, variables] of [[teamGrants(team.slug), {}] as const, [grantById, { team: team.slug, id: grant.id }] as const]) {
      expect((await graphql(service, client, query, variables)).errors).toEqual([])
      expect((await graphql(service, narrow, query, variables)).errors[0]?.extensions?.code).toBe('insufficient_scope')
      expect((await graphql(service, billingToken, query, variables)).errors[0]?.extensions?.code).toBe('role_required')
    }
  })
})
