import { expect, test } from 'vitest'
import { addAccess } from '../../support/graphql/access-rows.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, unique } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

test('a cursor of a user’s memberships stays valid when the caller joins and leaves teams', async () => {
  const prefix = unique('shared')
  const [caller, other] = await Promise.all([createUser(database), createUser(database)])
  const teams = await Promise.all(['a', 'b', 'c', 'd'].map((letter) => createTeam(database, { slug: `${prefix}-${letter}` })))
  const [first, second, third, fourth] = teams
  if (!first || !second || !third || !fourth) throw new Error('there are four teams')
  for (const team of teams) await join(database, team, other, 'owner')
  for (const team of [first, second, third]) await join(database, team, caller, 'member')
  const token = await personalToken(database, caller)

  const document = `query ($id: ID!, $after: String) { team(slug: "${first.slug}") { member(id: $id) { user {
    membershipsConnection(first: 1, after: $after) { nodes { team { slug } } pageInfo { endCursor } }
  } } } }`
  const read = async (after?: string) => {
    const { data, errors } = await graphql(service, token, document, { id: other.id, after })
    expect(errors).toEqual([])
    const { nodes, pageInfo } = data.team.member.user.membershipsConnection
    return { slug: nodes[0]?.team.slug, cursor: pageInfo.endCursor }
  }
  const start = await read()
  expect(start.slug).toBe(first.slug)
  await database.prisma.member.deleteMany({ where: { teamId: second.id, userId: caller.id } })
  const next = await read(start.cursor)
  expect(next.slug).toBe(third.slug)
  await join(database, fourth, caller, 'member')
  expect((await read(next.cursor)).slug).toBe(fourth.slug)
})

test.each([
  ['access', 'kind', ['TEAM_TOKEN', 'CLIENT', 'WORKLOAD_IDENTITY'], ['acct:team:access:read', 'acct:team:tokens:read'] as const],
  ['people', 'state', ['INVITED'], ['acct:team:members:read', 'acct:team:invitations:write'] as const],
])('a cursor of %s stays valid when the caller may no longer see rows of the %s %j', async (list, field, hidden, scopes) => {
  const { team, owner } = await createOwnedTeam(database)
  await addAccess(service, team.id, 4)
  const [wide, narrow] = await Promise.all([scopes, scopes.slice(0, 1)].map((some) => personalToken(database, owner, { scopes: some })))
  const document = `query ($after: String) { team(slug: "${team.slug}") {
    ${list}Connection(after: $after, orderBy: { field: NAME, direction: DESC }) { edges { cursor node { name value: ${field} } } }
  } }`
  const read = async (token = '', after?: string) => {
    const { data, errors } = await graphql(service, token, document, { after })
    expect(errors).toEqual([])
    return data.team[`${list}Connection`].edges as { cursor: string; node: { value: string } }[]
  }
  const edges = await read(wide)
  const index = edges.findIndex(({ node }) => hidden.includes(node.value))
  expect(index).not.toBe(-1)
  const rest = edges.slice(index + 1).filter(({ node }) => !hidden.includes(node.value))
  expect((await read(narrow, edges[index]?.cursor)).map(({ node }) => node)).toEqual(rest.map(({ node }) => node))
})
