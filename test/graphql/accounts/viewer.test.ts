import { describe, expect, test } from 'vitest'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database } = service
const everyField = `{ viewer {
  kind id: userId name email clientId expiresAt teamSlug teamSlugs scopes
  user { id: userId name email emailVerified disabledAt createdAt } team { slug name }
} }`

describe('the viewer', () => {
  test('of a personal token is its user, with the scopes of the token and the current teams', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const expiresAt = new Date(Date.now() + 86_400_000)
    const token = await personalToken(database, owner, { scopes: ['teams', 'flow:rules:read'], expiresAt })
    const { id, name, email } = owner
    const { data, errors } = await graphql(service, token, everyField)
    expect([errors, data.viewer]).toEqual([
      [],
      {
        kind: 'PERSONAL_TOKEN',
        id,
        name,
        email,
        clientId: null,
        expiresAt: expiresAt.toISOString(),
        teamSlug: null,
        teamSlugs: [team.slug],
        scopes: ['teams', 'flow:rules:read'],
        team: null,
        user: { id, name, email, emailVerified: true, disabledAt: null, createdAt: owner.createdAt.toISOString() },
      },
    ])
    await join(database, await createTeam(database, { slug: 'aaa' }), owner, 'member')
    expect((await graphql(service, token, '{ viewer { teamSlugs } }')).data.viewer.teamSlugs).toEqual(['aaa', team.slug])
  })

  test('of a team token is its team without a user', async () => {
    const team = await createTeam(database)
    const { data } = await graphql(service, await teamToken(database, team, { scopes: [] }), everyField)
    expect(data.viewer).toEqual({
      kind: 'TEAM_TOKEN',
      id: null,
      name: null,
      email: null,
      clientId: null,
      expiresAt: null,
      user: null,
      teamSlug: team.slug,
      teamSlugs: [team.slug],
      scopes: [],
      team: { slug: team.slug, name: 'Acme' },
    })
  })

  test('of a session lists the user’s own tokens without values, newest first', async () => {
    const { owner } = await createOwnedTeam(database)
    const value = await personalToken(database, owner)
    const session = await sessionOf(service, owner)
    const { data } = await executeAs(service, session, '{ viewer { kind tokens { total nodes { hint name createdAt } } } }')
    expect(data.viewer).toMatchObject({
      kind: 'SESSION',
      tokens: { total: 2, nodes: [{ hint: `pat_…${value.slice(-4)}` }, { name: 'test' }] },
    })
    const dates = data.viewer.tokens.nodes.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(dates).toEqual(dates.toSorted().toReversed())
    const other = await sessionOf(service, await createUser(database))
    expect((await executeAs(service, other, '{ viewer { tokens { nodes { id: tokenId } } } }')).data.viewer.tokens.nodes).toEqual([])
    const second = '{ viewer { tokens(page: 2, perPage: 1) { nodes { name } total page lastPage } } }'
    const { tokens } = (await executeAs(service, session, second)).data.viewer
    expect(tokens).toEqual({ nodes: [{ name: 'test' }], total: 2, page: 2, lastPage: 2 })
  })
})

describe('the operator', () => {
  test('can list and find users with their tokens', async () => {
    const user = await createUser(database, { email: 'aaa@example.test' })
    await personalToken(database, user, { scopes: ['teams'] })
    const list =
      'query ($page: Int) { users(page: $page, perPage: 1) { total lastPage page nodes { id: userId email tokens { total nodes { scopes } } } } }'
    const { data } = await executeAs(service, operator, list, {})
    const total = await database.prisma.user.count()
    expect(data.users).toEqual({
      total,
      lastPage: total,
      page: 1,
      nodes: [{ id: user.id, email: user.email, tokens: { total: 1, nodes: [{ scopes: ['teams'] }] } }],
    })
    expect((await executeAs(service, operator, list, { page: total + 1 })).data.users).toMatchObject({ total, nodes: [] })
    const single = await executeAs(service, operator, '{ user(email: " AAA@example.test") { id: userId } }')
    expect(single.data.user).toEqual({ id: user.id })
    for (const email of ['unknown@example.test', 'invalid', '\0', '\ud800'])
      expect(
        (await executeAs(service, operator, 'query ($email: String!) { user(email: $email) { id: userId } }', { email })).refusal?.code,
      ).toBe('validation_failed')
  })

  test('can read every team as an owner', async () => {
    const { slug } = await createTeam(database)
    const document = 'query ($slug: String!) { team(slug: $slug) { slug tokens { total } members { total } invitations { total } } }'
    expect((await executeAs(service, operator, document, { slug })).data.team).toEqual({
      slug,
      tokens: { total: 0 },
      members: { total: 0 },
      invitations: { total: 0 },
    })
    expect((await executeAs(service, operator, '{ teams { slug } }')).data.teams).toContainEqual({ slug })
    for (const unknown of ['no-such-team', '\0', '\ud800', 'A'.repeat(500)])
      expect((await executeAs(service, operator, document, { slug: unknown })).refusal?.code).toBe('team_forbidden')
  })
})
