import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { graphql } from '../../support/http/graphql.ts'
import { mutate } from '../../support/http/mutate.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

const list = (slug: string, page = '') =>
  `{ team(slug: "${slug}") { personalTokens${page} { nodes { id: tokenId user { id: userId name } name hint scopes createdAt lastUsedAt expiresAt } total page perPage lastPage } } }`
const revokeAccess =
  'mutation ($team: String!, $id: ID!) { revokeTokenTeamAccess(input: { team: $team, tokenId: $id }) { token { id: tokenId user { id: userId } } } }'
const rotate =
  'mutation ($id: ID!) { rotateToken(input: { id: $id, overlapSeconds: 3600 }) { value token { ... on PersonalToken { id: tokenId } } } }'
const unknownId = '00000000-0000-4000-8000-000000000000'

const rowOf = (value: string) => prisma.accessToken.findUniqueOrThrow({ where: { hash: sha256(value) } })
const idOf = async (value: string) => (await rowOf(value)).id

/** A team with an owner and a member who has a personal token, and another team that the member owns. */
async function createTeamWithMember() {
  const { team, owner, token: ownerToken } = await createOwnedTeam(database)
  const member = await createUser(database)
  await join(database, team, member, 'member')
  const other = await createTeam(database)
  await join(database, other, member, 'owner')
  const token = await personalToken(database, member)
  return { team, owner, ownerToken, member, other, token, id: await idOf(token) }
}

const execute = async (token: string, document: string, variables: Record<string, unknown> = {}) => {
  const { data, refusal } = await mutate(service, token, document, variables)
  return refusal?.code ?? data
}
const listTokenIds = async (token: string, slug: string) => {
  const { data } = await graphql(service, token, list(slug))
  return data.team.personalTokens.nodes.map(({ id }: { id: string }) => id)
}
const teamsOf = async (token: string) => {
  const { status, body } = await request(service, 'GET', '/api/v1/teams', { token })
  return status === 200 ? body.data.map(({ slug }: { slug: string }) => slug).toSorted() : status
}

describe('Team.personalTokens', () => {
  test('lists the valid personal tokens of the members with every field, newest first', async () => {
    const { team, owner, ownerToken, member, token, id } = await createTeamWithMember()
    const past = new Date(clock.now().getTime() - 1000)
    const revoked = await personalToken(database, member)
    await prisma.accessToken.update({ where: { id: await idOf(revoked) }, data: { revokedAt: past } })
    await personalToken(database, member, { expiresAt: past })
    await personalToken(database, await createUser(database))
    const disabled = await createUser(database, { disabledAt: past })
    await join(database, team, disabled, 'member')
    await personalToken(database, disabled)
    await prisma.accessToken.update({ where: { id }, data: { lastUsedAt: past, createdAt: new Date('2026-01-01') } })

    const { data } = await graphql(service, ownerToken, list(team.slug))
    const rows = [await rowOf(ownerToken), await rowOf(token)]
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
    const second = await graphql(service, ownerToken, list(team.slug, '(page: 2, perPage: 1)'))
    expect(second.data.team.personalTokens).toEqual({ nodes: [expected[1]], total: 2, page: 2, perPage: 1, lastPage: 2 })
    await prisma.member.deleteMany({ where: { teamId: team.id, userId: member.id } })
    expect(await listTokenIds(ownerToken, team.slug)).toEqual([rows[0]?.id])
  })

  test('can be read only by owners with the required scope', async () => {
    const { team, owner, token, member } = await createTeamWithMember()
    const scopes = ['teams', 'acct:team:tokens:read', 'acct:team:access:write'] as const
    const client = await accessToken(database, await createGrant(database, owner, { team, scopes }))
    expect(await execute(token, list(team.slug))).toBe('role_required')
    for (const each of [client, await teamToken(database, team, { scopes })])
      expect(await execute(each, list(team.slug))).toBe('insufficient_scope')
    expect((await executeAs(service, await sessionOf(service, member), list(team.slug))).refusal?.code).toBe('role_required')
    expect((await executeAs(service, await sessionOf(service, owner), list(team.slug))).refusal).toBeNull()
    const { ownerToken: outsiderToken } = await createTeamWithMember()
    expect(await execute(outsiderToken, list(team.slug))).toBe('team_forbidden')
  })
})

describe('revokeTokenTeamAccess', () => {
  test('removes the team from the token on the next request and keeps membership, other teams and other tokens', async () => {
    const { team, member, ownerToken, other, token, id } = await createTeamWithMember()
    const second = await personalToken(database, member)
    expect(await execute(ownerToken, revokeAccess, { team: team.slug, id })).toEqual({
      revokeTokenTeamAccess: { token: { id, user: { id: member.id } } },
    })
    expect([await teamsOf(token), await teamsOf(second)]).toEqual([[other.slug], [other.slug, team.slug].toSorted()])
    const response = await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token })
    expect([response.status, response.body]).toEqual([
      403,
      { message: 'This action is unauthorized.', code: 'team_forbidden', request_id: expect.any(String) },
    ])
    expect(await listTokenIds(ownerToken, team.slug)).not.toContain(id)
    expect(await prisma.member.count({ where: { teamId: team.id, userId: member.id } })).toBe(1)
    expect(await execute(ownerToken, revokeAccess, { team: team.slug, id })).toBe('not_found')
  })

  test('stays in effect after the token is rotated', async () => {
    const { team, member, ownerToken, other, id } = await createTeamWithMember()
    await execute(ownerToken, revokeAccess, { team: team.slug, id })
    const { data } = await executeAs(service, await sessionOf(service, member), rotate, { id })
    expect(await teamsOf(data.rotateToken.value)).toEqual([other.slug])
  })

  test('accepts a session and a team token, also for the owner’s own token', async () => {
    const { team, owner, ownerToken, token, id } = await createTeamWithMember()
    expect(
      (await executeAs(service, await sessionOf(service, owner), revokeAccess, { team: team.slug, id: await idOf(ownerToken) })).refusal,
    ).toBeNull()
    const writeToken = await teamToken(database, team, { scopes: ['acct:team:access:write'] })
    expect(await execute(writeToken, revokeAccess, { team: team.slug, id })).toMatchObject({ revokeTokenTeamAccess: { token: { id } } })
    expect([await teamsOf(ownerToken), (await teamsOf(token)).includes(team.slug)]).toEqual([[], false])
  })

  test('returns not_found for a token that cannot reach the team and for a team token', async () => {
    const { team, ownerToken } = await createTeamWithMember()
    const other = await createTeamWithMember()
    const teamTokenId = await idOf(await teamToken(database, team))
    for (const id of [other.id, teamTokenId, unknownId, 'x', '\0', '\ud800'])
      expect(await execute(ownerToken, revokeAccess, { team: team.slug, id })).toBe('not_found')
    expect(await prisma.accessToken.count({ where: { id: { in: [other.id, teamTokenId] }, revokedTeamIds: { isEmpty: true } } })).toBe(2)
  })

  test('rejects members who are not owners and OAuth clients without the scope', async () => {
    const { team, owner, token, id } = await createTeamWithMember()
    const scopes = ['acct:team:members:write', 'acct:team:access:read'] as const
    const client = await accessToken(database, await createGrant(database, owner, { team, scopes }))
    expect(await execute(token, revokeAccess, { team: team.slug, id })).toBe('role_required')
    expect(await execute(client, revokeAccess, { team: team.slug, id })).toBe('insufficient_scope')
    expect(await teamsOf(token)).toContain(team.slug)
  })

  test('loses no update of concurrent requests by 20 teams, and succeeds once per team', async () => {
    const { member, token, id } = await createTeamWithMember()
    const owned = await Promise.all(Array.from({ length: 20 }, () => createOwnedTeam(database)))
    for (const { team } of owned) await join(database, team, member, 'member')
    const twice = owned.flatMap((each) => [each, each])
    const outcomes = await Promise.all(twice.map((each) => execute(each.token, revokeAccess, { team: each.team.slug, id })))
    expect(outcomes.filter((outcome) => outcome === 'not_found')).toHaveLength(20)
    expect((await rowOf(token)).revokedTeamIds.toSorted()).toEqual(owned.map(({ team }) => team.id).toSorted())
    expect(await teamsOf(token)).toHaveLength(2)
  })
})
