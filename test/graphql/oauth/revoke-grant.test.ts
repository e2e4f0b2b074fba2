import { describe, expect, test } from 'vitest'
import { graphql } from '../../support/http/graphql.ts'
import { mutate } from '../../support/http/mutate.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

const revoke = 'mutation ($id: ID!) { revokeGrant(input: { id: $id }) { grant { id: grantId } } }'
const revokeAccess =
  'mutation ($team: String!, $id: ID!) { revokeGrantTeamAccess(input: { team: $team, grantId: $id }) { grant { id: grantId teamSlug } } }'
const viewerGrants = '{ viewer { grants { nodes { id: grantId } } } }'
const unknownId = '00000000-0000-4000-8000-000000000000'

/** A team with an owner and a member, and a grant of the member that is not limited to a team. */
async function createGrantedClient() {
  const { team, owner, token: ownerToken } = await createOwnedTeam(database)
  const member = await createUser(database)
  await join(database, team, member, 'member')
  const grant = await createGrant(database, member)
  return {
    team,
    owner,
    ownerToken,
    member,
    memberToken: await personalToken(database, member),
    grant,
    token: await accessToken(database, grant),
  }
}
const execute = async (token: string, document: string, variables: object) => {
  const { data, refusal } = await mutate(service, token, document, { ...variables })
  return refusal?.code ?? data
}
const teamsOf = async (token: string) => {
  const { status, body } = await request(service, 'GET', '/api/v1/teams', { token })
  return status === 200 ? body.data.map(({ slug }: { slug: string }) => slug) : status
}

describe('revokeGrant', () => {
  test('invalidates the tokens of the user’s grant on the next request, and a repetition changes nothing', async () => {
    const { grant, memberToken, token } = await createGrantedClient()
    const writeToken = await personalToken(database, await prisma.user.findUniqueOrThrow({ where: { id: grant.userId } }), {
      scopes: ['acct:team:access:write'],
    })
    const { id } = grant
    expect(await execute(writeToken, revoke, { id })).toEqual({ revokeGrant: { grant: { id } } })
    expect(await teamsOf(token)).toBe(401)
    expect((await graphql(service, memberToken, viewerGrants)).data.viewer.grants.nodes).toEqual([])
    const { revokedAt } = await prisma.oAuthGrant.findUniqueOrThrow({ where: { id } })
    clock.advance(1000)
    expect(await execute(memberToken, revoke, { id })).toEqual({ revokeGrant: { grant: { id } } })
    expect((await prisma.oAuthGrant.findUniqueOrThrow({ where: { id } })).revokedAt).toEqual(revokedAt)
  })

  test('accepts a session for the user’s own grant and the operator for any grant', async () => {
    const [first, second] = [await createGrantedClient(), await createGrantedClient()]
    expect((await executeAs(service, await sessionOf(service, first.member), revoke, { id: first.grant.id })).refusal).toBeNull()
    expect((await executeAs(service, operator, revoke, { id: second.grant.id })).refusal).toBeNull()
    expect([await teamsOf(first.token), await teamsOf(second.token)]).toEqual([401, 401])
    expect((await executeAs(service, operator, revoke, { id: unknownId })).refusal?.code).toBe('not_found')
  })

  test('returns not_found for the grant of another user, also to an owner of the team', async () => {
    const { grant, team, ownerToken, token } = await createGrantedClient()
    for (const id of [grant.id, unknownId, 'x', '\0', '\ud800']) expect(await execute(ownerToken, revoke, { id })).toBe('not_found')
    expect(await teamsOf(token)).toEqual([team.slug])
  })

  test('rejects a team token and an OAuth client, even for its own grant', async () => {
    const { grant, team, token } = await createGrantedClient()
    const { id } = grant
    for (const each of [token, await teamToken(database, team)]) expect(await execute(each, revoke, { id })).toBe('session_required')
    expect(await teamsOf(token)).toEqual([team.slug])
  })
})

describe('revokeGrantTeamAccess', () => {
  test('removes the team from the grant on the next request and keeps the user and other teams', async () => {
    const { team, member, ownerToken, memberToken, grant, token } = await createGrantedClient()
    const other = await createTeam(database)
    await join(database, other, member, 'owner')
    const { id } = grant
    expect(await execute(ownerToken, revokeAccess, { team: team.slug, id })).toEqual({
      revokeGrantTeamAccess: { grant: { id, teamSlug: null } },
    })
    expect(await teamsOf(token)).toEqual([other.slug])
    expect((await request(service, 'GET', '/api/v1/user', { token })).body).toMatchObject({ id: member.id, teams: [other.slug] })
    expect((await graphql(service, memberToken, viewerGrants)).data.viewer.grants.nodes).toEqual([{ id }])
    expect((await graphql(service, ownerToken, `{ team(slug: "${team.slug}") { grants { total } } }`)).data.team.grants.total).toBe(0)
    expect(await execute(ownerToken, revokeAccess, { team: team.slug, id })).toBe('not_found')
  })

  test('leaves a grant that is limited to the team without a team', async () => {
    const { team, owner } = await createGrantedClient()
    const grant = await createGrant(database, owner, { team })
    const token = await accessToken(database, grant)
    const writeToken = await teamToken(database, team, { scopes: ['acct:team:access:write'] })
    const { id } = grant
    expect(await execute(writeToken, revokeAccess, { team: team.slug, id })).toEqual({
      revokeGrantTeamAccess: { grant: { id, teamSlug: team.slug } },
    })
    expect(await teamsOf(token)).toEqual([])
    expect((await request(service, 'GET', '/api/v1/user', { token })).body).toMatchObject({ id: owner.id, team: null, teams: [] })
  })

  test('returns not_found for a grant that cannot reach the team', async () => {
    const { team, ownerToken } = await createGrantedClient()
    const other = await createGrantedClient()
    const identity = await createGrant(database, other.member, { scopes: ['openid', 'email'] })
    await join(database, team, other.member, 'member')
    const otherGrant = await createGrant(database, other.owner, { team: other.team })
    for (const id of [identity.id, otherGrant.id, unknownId, 'x', '\0', '\ud800'])
      expect(await execute(ownerToken, revokeAccess, { team: team.slug, id })).toBe('not_found')
    expect(
      await prisma.oAuthGrant.count({ where: { NOT: { revokedTeamIds: { isEmpty: true } }, id: { in: [identity.id, otherGrant.id] } } }),
    ).toBe(0)
  })

  test('rejects members who are not owners, also through an OAuth client', async () => {
    const { team, memberToken, grant, token } = await createGrantedClient()
    const { id } = grant
    for (const each of [memberToken, token]) expect(await execute(each, revokeAccess, { team: team.slug, id })).toBe('role_required')
    expect(await teamsOf(token)).toEqual([team.slug])
  })

  test('loses no update of concurrent requests by 20 teams, and succeeds once per team', async () => {
    const { member, grant, token } = await createGrantedClient()
    const owned = await Promise.all(Array.from({ length: 20 }, () => createOwnedTeam(database)))
    for (const { team } of owned) await join(database, team, member, 'member')
    const { id } = grant
    const outcomes = await Promise.all(
      owned.flatMap((each) => [each, each]).map((each) => execute(each.token, revokeAccess, { team: each.team.slug, id })),
    )
    expect(outcomes.filter((outcome) => outcome === 'not_found')).toHaveLength(20)
    const { revokedTeamIds } = await prisma.oAuthGrant.findUniqueOrThrow({ where: { id } })
    expect(revokedTeamIds.toSorted()).toEqual(owned.map(({ team }) => team.id).toSorted())
    expect(await teamsOf(token)).toHaveLength(1)
  })
})

test('revokeGrantTeamAccess appends the team in a single UPDATE statement', async () => {
  const { team, ownerToken, grant } = await createGrantedClient()
  service.statements.length = 0
  await execute(ownerToken, revokeAccess, { team: team.slug, id: grant.id })
  expect(service.statements.filter((text) => text.startsWith('UPDATE') && text.includes('revoked_team_ids'))).toEqual([
    expect.stringContaining('SET revoked_team_ids = revoked_team_ids ||'),
  ])
})
