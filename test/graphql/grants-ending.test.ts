import { describe, expect, test } from 'vitest'
import { graphql } from '../support/graphql.ts'
import { executeAs, operator, sessionOf } from '../support/in-process.ts'
import { accessToken, createGrant } from '../support/oauth-rows.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/team.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database

const revoke = 'mutation ($id: ID!) { revokeGrant(input: { id: $id }) { grant { id } } }'
const cut = 'mutation ($team: String!, $id: ID!) { cutTeamFromGrant(input: { team: $team, grantId: $id }) { grant { id teamSlug } } }'
const own = '{ viewer { grants { id } } }'
const nobody = '00000000-0000-4000-8000-000000000000'

/** A team of an owner and a member, and a client with a grant of the member's for no team in particular. */
async function connected() {
  const { team, owner, token: ofOwner } = await createOwnedTeam(database)
  const member = await createUser(database)
  await join(database, team, member, 'member')
  const grant = await createGrant(database, member)
  return { team, owner, ofOwner, member, ofMember: await personalToken(database, member), grant, token: await accessToken(database, grant) }
}
const outcomeOf = async (token: string, document: string, variables: object) => {
  const { data, errors } = await graphql(service, token, document, { ...variables })
  return errors[0]?.extensions?.code ?? data
}
const teamsOf = async (token: string) => {
  const { status, body } = await request(service, 'GET', '/api/v1/teams', { token })
  return status === 200 ? body.data.map(({ slug }: { slug: string }) => slug) : status
}

describe('revokeGrant', () => {
  test('ends what came of the person’s own grant at the next request; again is fine and changes nothing', async () => {
    const { grant, ofMember, token } = await connected()
    const token2 = await personalToken(database, await prisma.user.findUniqueOrThrow({ where: { id: grant.userId } }), {
      scopes: ['acct:team:members:write'],
    })
    const { id } = grant
    expect(await outcomeOf(token2, revoke, { id })).toEqual({ revokeGrant: { grant: { id } } })
    expect(await teamsOf(token)).toBe(401)
    expect((await graphql(service, ofMember, own)).data.viewer.grants).toEqual([])
    const { revokedAt } = await prisma.oAuthGrant.findUniqueOrThrow({ where: { id } })
    clock.advance(1000)
    expect(await outcomeOf(ofMember, revoke, { id })).toEqual({ revokeGrant: { grant: { id } } })
    expect((await prisma.oAuthGrant.findUniqueOrThrow({ where: { id } })).revokedAt).toEqual(revokedAt)
  })

  test('is done in a session, and for any person by the operator', async () => {
    const [first, second] = [await connected(), await connected()]
    expect((await executeAs(service, await sessionOf(service, first.member), revoke, { id: first.grant.id })).refusal).toBeNull()
    expect((await executeAs(service, operator, revoke, { id: second.grant.id })).refusal).toBeNull()
    expect([await teamsOf(first.token), await teamsOf(second.token)]).toEqual([401, 401])
    expect((await executeAs(service, operator, revoke, { id: nobody })).refusal?.code).toBe('not_found')
  })

  test('of another’s grant is refused as of none, to the team’s owner too', async () => {
    const { grant, team, ofOwner, token } = await connected()
    for (const id of [grant.id, nobody, 'x', '\0', '\ud800']) expect(await outcomeOf(ofOwner, revoke, { id })).toBe('not_found')
    expect(await teamsOf(token)).toEqual([team.slug])
  })

  test('is for no client, not even of its own grant, and for no team token', async () => {
    const { grant, team, token } = await connected()
    const { id } = grant
    for (const each of [token, await teamToken(database, team)]) expect(await outcomeOf(each, revoke, { id })).toBe('insufficient_scope')
    expect(await teamsOf(token)).toEqual([team.slug])
  })
})

describe('cutTeamFromGrant', () => {
  test('takes the team from the grant at the next request, and leaves person and other teams', async () => {
    const { team, member, ofOwner, ofMember, grant, token } = await connected()
    const other = await createTeam(database)
    await join(database, other, member, 'owner')
    const { id } = grant
    expect(await outcomeOf(ofOwner, cut, { team: team.slug, id })).toEqual({ cutTeamFromGrant: { grant: { id, teamSlug: null } } })
    expect(await teamsOf(token)).toEqual([other.slug])
    expect((await request(service, 'GET', '/api/v1/user', { token })).body).toMatchObject({ id: member.id, teams: [other.slug] })
    expect((await graphql(service, ofMember, own)).data.viewer.grants).toEqual([{ id }])
    expect((await graphql(service, ofOwner, `{ team(slug: "${team.slug}") { grants { total } } }`)).data.team.grants.total).toBe(0)
    expect(await outcomeOf(ofOwner, cut, { team: team.slug, id })).toBe('not_found')
  })

  test('leaves a grant for that team alone without any', async () => {
    const { team, owner } = await connected()
    const grant = await createGrant(database, owner, { team })
    const token = await accessToken(database, grant)
    const byTeam = await teamToken(database, team, { scopes: ['acct:team:members:write'] })
    const { id } = grant
    expect(await outcomeOf(byTeam, cut, { team: team.slug, id })).toEqual({ cutTeamFromGrant: { grant: { id, teamSlug: team.slug } } })
    expect(await teamsOf(token)).toEqual([])
    expect((await request(service, 'GET', '/api/v1/user', { token })).body).toMatchObject({ id: owner.id, team: null, teams: [] })
  })

  test('of a grant that does not touch the team is refused as of none', async () => {
    const { team, ofOwner } = await connected()
    const elsewhere = await connected()
    const identity = await createGrant(database, elsewhere.member, { scopes: ['openid', 'email'] })
    await join(database, team, elsewhere.member, 'member')
    const ofOther = await createGrant(database, elsewhere.owner, { team: elsewhere.team })
    for (const id of [identity.id, ofOther.id, nobody, 'x', '\0', '\ud800'])
      expect(await outcomeOf(ofOwner, cut, { team: team.slug, id })).toBe('not_found')
    expect(
      await prisma.oAuthGrant.count({ where: { NOT: { cutTeamIds: { isEmpty: true } }, id: { in: [identity.id, ofOther.id] } } }),
    ).toBe(0)
  })

  test('is for owners, and for no client', async () => {
    const { team, ofMember, grant, token } = await connected()
    const { id } = grant
    expect(await outcomeOf(ofMember, cut, { team: team.slug, id })).toBe('role_required')
    expect(await outcomeOf(token, cut, { team: team.slug, id })).toBe('insufficient_scope')
    expect(await teamsOf(token)).toEqual([team.slug])
  })

  test('by owners of many teams at once loses none, and by those of one counts once', async () => {
    const { member, grant, token } = await connected()
    const owned = await Promise.all(Array.from({ length: 20 }, () => createOwnedTeam(database)))
    for (const { team } of owned) await join(database, team, member, 'member')
    const { id } = grant
    const outcomes = await Promise.all(
      owned.flatMap((each) => [each, each]).map((each) => outcomeOf(each.token, cut, { team: each.team.slug, id })),
    )
    expect(outcomes.filter((outcome) => outcome === 'not_found')).toHaveLength(20)
    const { cutTeamIds } = await prisma.oAuthGrant.findUniqueOrThrow({ where: { id } })
    expect(cutTeamIds.toSorted()).toEqual(owned.map(({ team }) => team.id).toSorted())
    expect(await teamsOf(token)).toHaveLength(1)
  })
})

test('the update that cuts is one, made by the database of what is there', async () => {
  const { team, ofOwner, grant } = await connected()
  service.statements.length = 0
  await outcomeOf(ofOwner, cut, { team: team.slug, id: grant.id })
  expect(service.statements.filter((text) => text.startsWith('UPDATE') && text.includes('cut_team_ids'))).toEqual([
    expect.stringMatching(/SET "cut_team_ids" = .*"cut_team_ids" *\|\|/),
  ])
})
