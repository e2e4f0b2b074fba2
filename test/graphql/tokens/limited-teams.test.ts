import { describe, expect, test } from 'vitest'
import { createOwnedTeam, createTeam, createUser, join } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database

const create =
  'mutation ($teams: [String!], $at: DateTime!) { createPersonalToken(input: { name: "Laptop", scopes: ["teams", "acct:team:members:read", "acct:team:access:read", "acct:team:access:write", "acct:team:invitations:write"], expiresAt: $at, teams: $teams }) { value token { id: tokenId teams } } }'

/** A user with two teams, whose session can create tokens. */
async function createMember() {
  const { team, owner } = await createOwnedTeam(database)
  const other = await createTeam(database)
  await join(database, other, owner, 'owner')
  const session = await sessionOf(service, owner)
  const at = new Date(service.clock.now().getTime() + 86_400_000).toISOString()
  const createToken = (teams?: unknown) => executeAs(service, session, create, { teams, at })
  return { team, other, owner, createToken }
}
const statusOf = async (token: string, path: string) => (await request(service, 'GET', `/api/v1/${path}`, { token })).status
const slugsOf = async (token: string): Promise<string[]> =>
  (await request(service, 'GET', '/api/v1/teams', { token })).body.data.map(({ slug }: { slug: string }) => slug)

describe('a personal token that is limited to teams', () => {
  test('can access only these teams, through REST and GraphQL', async () => {
    const { team, other, createToken } = await createMember()
    const { value, token } = (await createToken([team.slug, team.slug])).data.createPersonalToken
    expect([token.teams, await slugsOf(value)]).toEqual([[team.slug], [team.slug]])
    const members = (slug: string) => statusOf(value, `teams/${slug}/members`)
    expect([await members(team.slug), await members(other.slug)]).toEqual([200, 403])
    const { data } = await graphql(service, value, '{ teams { slug } }')
    expect(data.teams).toEqual([{ slug: team.slug }])
  })

  test('does not get a team that its user joins later; a token without a limit does', async () => {
    const { team, other, owner, createToken } = await createMember()
    const limited = (await createToken([team.slug])).data.createPersonalToken.value
    const { value, token } = (await createToken()).data.createPersonalToken
    const later = await createTeam(database)
    await join(database, later, owner, 'member')
    expect(token.teams).toBeNull()
    expect(await slugsOf(limited)).toEqual([team.slug])
    expect(await slugsOf(value)).toEqual([team.slug, other.slug, later.slug].toSorted())
  })

  test('has no team, rather than all teams, after its user left the team or the team was deleted', async () => {
    const { team, other, owner, createToken } = await createMember()
    const [left, deleted] = await Promise.all(
      [team, other].map(async ({ slug }) => (await createToken([slug])).data.createPersonalToken.value),
    )
    await join(database, team, await createUser(database), 'owner')
    await prisma.member.deleteMany({ where: { teamId: team.id, userId: owner.id } })
    await prisma.team.update({ where: { id: other.id }, data: { deletedAt: service.clock.now() } })
    expect([await slugsOf(left), await slugsOf(deleted)]).toEqual([[], []])
  })

  test('is listed to the owners of these teams only', async () => {
    const { team, other, createToken } = await createMember()
    const { value, token } = (await createToken([team.slug])).data.createPersonalToken
    const reader = (await createToken()).data.createPersonalToken.value
    const idsIn = async (slug: string) => {
      const { data } = await graphql(service, reader, `{ team(slug: "${slug}") { personalTokens { nodes { id: tokenId } } } }`)
      return data.team.personalTokens.nodes.map(({ id }: { id: string }) => id)
    }
    expect([(await idsIn(team.slug)).includes(token.id), (await idsIn(other.slug)).includes(token.id)]).toEqual([true, false])
    expect(value).toMatch(/^pat_/)
  })

  test.each([
    '{ viewer { grants { nodes { id: grantId } } } }',
    'mutation { revokeGrant(input: { id: "00000000-0000-4000-8000-000000000000" }) { grant { id: grantId } } }',
    'mutation { acceptInvitation(input: { token: "x" }) { team { slug } } }',
  ])('cannot do what concerns the account as a whole: %s', async (document) => {
    const { team, createToken } = await createMember()
    const codeOf = async (teams?: string[]) => {
      const { value } = (await createToken(teams)).data.createPersonalToken
      return (await graphql(service, value, document)).errors[0]?.extensions?.code
    }
    expect(await codeOf([team.slug])).toBe('session_required')
    expect(await codeOf()).not.toBe('session_required')
  })
})
