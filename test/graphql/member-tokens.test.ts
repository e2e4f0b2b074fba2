import { describe, expect, test } from 'vitest'
import { sha256 } from '../../schema/secret.ts'
import { graphql } from '../support/graphql.ts'
import { executeAs, sessionOf } from '../support/in-process.ts'
import { accessToken, createGrant } from '../support/oauth-rows.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/team.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database

const list = (slug: string, page = '') =>
  `{ team(slug: "${slug}") { personalTokens${page} { nodes { id user { id name } name hint scopes createdAt lastUsedAt expiresAt } total page perPage lastPage } } }`
const cut = 'mutation ($team: String!, $id: ID!) { cutTeamFromToken(input: { team: $team, tokenId: $id }) { token { id user { id } } } }'
const rotate =
  'mutation ($id: ID!) { rotateToken(input: { id: $id, overlapSeconds: 3600 }) { value token { ... on PersonalToken { id } } } }'
const nobody = '00000000-0000-4000-8000-000000000000'

const rowOf = (value: string) => prisma.accessToken.findUniqueOrThrow({ where: { hash: sha256(value) } })
const idOf = async (value: string) => (await rowOf(value)).id

/** A team of an owner and a member who has a token, and another team of the member's. */
async function surroundings() {
  const { team, owner, token: ofOwner } = await createOwnedTeam(database)
  const member = await createUser(database)
  await join(database, team, member, 'member')
  const other = await createTeam(database)
  await join(database, other, member, 'owner')
  const token = await personalToken(database, member)
  return { team, owner, ofOwner, member, other, token, id: await idOf(token) }
}

const outcomeOf = async (token: string, document: string, variables: Record<string, unknown> = {}) => {
  const { data, errors } = await graphql(service, token, document, variables)
  return errors[0]?.extensions?.code ?? data
}
const listed = async (token: string, slug: string) => {
  const { data } = await graphql(service, token, list(slug))
  return data.team.personalTokens.nodes.map(({ id }: { id: string }) => id)
}
const teamsOf = async (token: string) => {
  const { status, body } = await request(service, 'GET', '/api/v1/teams', { token })
  return status === 200 ? body.data.map(({ slug }: { slug: string }) => slug).toSorted() : status
}

describe('the personal tokens of a team', () => {
  test('are its members’ that open something now, newest first, with what an owner needs to judge them', async () => {
    const { team, owner, ofOwner, member, token, id } = await surroundings()
    const past = new Date(clock.now().getTime() - 1000)
    const revoked = await personalToken(database, member)
    await prisma.accessToken.update({ where: { id: await idOf(revoked) }, data: { revokedAt: past } })
    await personalToken(database, member, { expiresAt: past })
    await personalToken(database, await createUser(database))
    const disabled = await createUser(database, { disabledAt: past })
    await join(database, team, disabled, 'member')
    await personalToken(database, disabled)
    await prisma.accessToken.update({ where: { id }, data: { lastUsedAt: past, createdAt: new Date('2026-01-01') } })

    const { data } = await graphql(service, ofOwner, list(team.slug))
    const rows = [await rowOf(ofOwner), await rowOf(token)]
    const expected = [owner, member].map(({ id, name }, index) => ({
      id: rows[index]?.id,
      user: { id, name },
      name: 'test',
      hint: `pat_…${rows[index]?.lastFour}`,
      scopes: rows[index]?.scopes,
      createdAt: rows[index]?.createdAt.toISOString(),
      lastUsedAt: rows[index]?.lastUsedAt?.toISOString() ?? null,
      expiresAt: rows[index]?.expiresAt?.toISOString(),
    }))
    expect(data.team.personalTokens).toEqual({ nodes: expected, total: 2, page: 1, perPage: 50, lastPage: 1 })
    const second = await graphql(service, ofOwner, list(team.slug, '(page: 2, perPage: 1)'))
    expect(second.data.team.personalTokens).toEqual({ nodes: [expected[1]], total: 2, page: 2, perPage: 1, lastPage: 2 })
    await prisma.member.deleteMany({ where: { teamId: team.id, userId: member.id } })
    expect(await listed(ofOwner, team.slug)).toEqual([rows[0]?.id])
  })

  test('are told to owners with the scope for it alone, and to no client', async () => {
    const { team, owner, token, member } = await surroundings()
    const client = await accessToken(database, await createGrant(database, owner, { team }))
    expect(await outcomeOf(token, list(team.slug))).toBe('role_required')
    expect(await outcomeOf(client, list(team.slug))).toBe('insufficient_scope')
    expect(await outcomeOf(await teamToken(database, team, { scopes: ['teams'] }), list(team.slug))).toBe('insufficient_scope')
    expect((await executeAs(service, await sessionOf(service, member), list(team.slug))).refusal?.code).toBe('role_required')
    expect((await executeAs(service, await sessionOf(service, owner), list(team.slug))).refusal).toBeNull()
    const { ofOwner: stranger } = await surroundings()
    expect(await outcomeOf(stranger, list(team.slug))).toBe('team_forbidden')
  })
})

describe('cutTeamFromToken', () => {
  test('takes the team from the token at the next request, and leaves person, other teams and other tokens', async () => {
    const { team, member, ofOwner, other, token, id } = await surroundings()
    const second = await personalToken(database, member)
    expect(await outcomeOf(ofOwner, cut, { team: team.slug, id })).toEqual({ cutTeamFromToken: { token: { id, user: { id: member.id } } } })
    expect([await teamsOf(token), await teamsOf(second)]).toEqual([[other.slug], [other.slug, team.slug].toSorted()])
    const refused = await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token })
    expect([refused.status, refused.body]).toEqual([
      403,
      { message: 'This action is unauthorized.', code: 'team_forbidden', request_id: expect.any(String) },
    ])
    expect(await listed(ofOwner, team.slug)).not.toContain(id)
    expect(await prisma.member.count({ where: { teamId: team.id, userId: member.id } })).toBe(1)
    expect(await outcomeOf(ofOwner, cut, { team: team.slug, id })).toBe('not_found')
  })

  test('holds for the value that follows when the token is rotated', async () => {
    const { team, member, ofOwner, other, id } = await surroundings()
    await outcomeOf(ofOwner, cut, { team: team.slug, id })
    const { data } = await executeAs(service, await sessionOf(service, member), rotate, { id })
    expect(await teamsOf(data.rotateToken.value)).toEqual([other.slug])
  })

  test('is done in a session and with a team token, for the owner’s own token too', async () => {
    const { team, owner, ofOwner, token, id } = await surroundings()
    expect(
      (await executeAs(service, await sessionOf(service, owner), cut, { team: team.slug, id: await idOf(ofOwner) })).refusal,
    ).toBeNull()
    const byTeam = await teamToken(database, team, { scopes: ['acct:team:members:write'] })
    expect(await outcomeOf(byTeam, cut, { team: team.slug, id })).toMatchObject({ cutTeamFromToken: { token: { id } } })
    expect([await teamsOf(ofOwner), (await teamsOf(token)).includes(team.slug)]).toEqual([[], false])
  })

  test('of a token that does not reach the team, or is the team’s own, is refused as of none', async () => {
    const { team, ofOwner } = await surroundings()
    const elsewhere = await surroundings()
    const own = await idOf(await teamToken(database, team))
    for (const id of [elsewhere.id, own, nobody, 'x', '\0', '\ud800'])
      expect(await outcomeOf(ofOwner, cut, { team: team.slug, id })).toBe('not_found')
    expect(await prisma.accessToken.count({ where: { id: { in: [elsewhere.id, own] }, cutTeamIds: { isEmpty: true } } })).toBe(2)
  })

  test('is for owners, and for no client', async () => {
    const { team, owner, token, id } = await surroundings()
    const client = await accessToken(database, await createGrant(database, owner, { team }))
    expect(await outcomeOf(token, cut, { team: team.slug, id })).toBe('role_required')
    expect(await outcomeOf(client, cut, { team: team.slug, id })).toBe('insufficient_scope')
    expect(await teamsOf(token)).toContain(team.slug)
  })

  test('by owners of many teams at once loses none, and by those of one counts once', async () => {
    const { member, token, id } = await surroundings()
    const owned = await Promise.all(Array.from({ length: 20 }, () => createOwnedTeam(database)))
    for (const { team } of owned) await join(database, team, member, 'member')
    const twice = owned.flatMap((each) => [each, each])
    const outcomes = await Promise.all(twice.map((each) => outcomeOf(each.token, cut, { team: each.team.slug, id })))
    expect(outcomes.filter((outcome) => outcome === 'not_found')).toHaveLength(20)
    expect((await rowOf(token)).cutTeamIds.toSorted()).toEqual(owned.map(({ team }) => team.id).toSorted())
    expect(await teamsOf(token)).toHaveLength(2)
  })
})
