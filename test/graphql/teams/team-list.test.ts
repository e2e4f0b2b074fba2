import { beforeAll, describe, expect, test } from 'vitest'
import { createOwnedTeam, createTeam, join, personalToken } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let owned: OwnedTeam
beforeAll(async () => {
  owned = await createOwnedTeam(service.database, { slug: 'b', name: 'Zebra', createdAt: new Date('2026-01-02') })
  for (const [slug, name, day] of [
    ['a', 'Acme', '2026-01-03'],
    ['c', 'acme', '2026-01-01'],
    ['d', 'Émile', '2026-01-04'],
  ] as const)
    await join(service.database, await createTeam(service.database, { slug, name, createdAt: new Date(day) }), owned.owner, 'member')
  await createTeam(service.database, { slug: 'other' })
})

async function slugsOf(args: string): Promise<string[]> {
  const { data } = await graphql(service, owned.token, `{ teams${args} { slug } }`)
  return data.teams.map(({ slug }: { slug: string }) => slug)
}

async function connectionOf(args: string) {
  const { data } = await graphql(
    service,
    owned.token,
    `{ teamsConnection(${args}) { nodes { slug } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
  )
  const { nodes, totalCount, pageInfo } = data.teamsConnection
  return { slugs: nodes.map(({ slug }: { slug: string }) => slug).join(''), totalCount, ...pageInfo }
}

describe('the teams of a user', () => {
  test.each([
    ['', ['a', 'b', 'c', 'd']],
    ['(orderBy: { field: SLUG, direction: DESC })', ['d', 'c', 'b', 'a']],
    ['(orderBy: { field: CREATED, direction: ASC })', ['c', 'b', 'a', 'd']],
    ['(search: "ACM", orderBy: { field: CREATED, direction: DESC })', ['a', 'c']],
    ['(search: "nothing")', []],
  ])('are listed with the arguments %j', async (args, slugs) => {
    expect(await slugsOf(args)).toEqual(slugs)
  })

  test.each(['SLUG', 'NAME', 'CREATED'])('are walked as a connection by %s, forward and backward', async (field) => {
    const orderBy = `orderBy: { field: ${field}, direction: DESC }`
    const all = (await slugsOf(`(${orderBy})`)).join('')
    const first = await connectionOf(`first: 3, ${orderBy}`)
    expect(first).toMatchObject({ slugs: all.slice(0, 3), totalCount: 4, hasNextPage: true, hasPreviousPage: false })
    const rest = await connectionOf(`first: 3, after: "${first.endCursor}", ${orderBy}`)
    expect(rest).toMatchObject({ slugs: all.slice(3), hasNextPage: false, hasPreviousPage: true })
    const back = await connectionOf(`last: 2, before: "${rest.startCursor}", ${orderBy}`)
    expect(back).toMatchObject({ slugs: all.slice(1, 3), hasNextPage: true, hasPreviousPage: true })
  })

  test.each(['', 'orderBy: { field: NAME, direction: DESC }', 'search: "acm"'])(
    'of viewer have the rows of Query.teams (%s)',
    async (args) => {
      const all = await slugsOf(args && `(${args})`)
      const query = `query ($page: Int) {
      viewer { teams(perPage: 3, page: $page ${args}) { total lastPage nodes { slug } } teamsConnection(last: 2 ${args}) { totalCount edges { node { slug } } } }
      teamsConnection(last: 2 ${args}) { totalCount edges { node { slug } } }
    }`
      for (const page of [1, 2]) {
        const { data, errors } = await graphql(service, owned.token, query, { page })
        expect(errors).toEqual([])
        const nodes = all.slice((page - 1) * 3, page * 3).map((slug) => ({ slug }))
        expect(data.viewer.teams).toEqual({ total: all.length, lastPage: Math.ceil(all.length / 3), nodes })
        expect(data.viewer.teamsConnection).toEqual(data.teamsConnection)
      }
    },
  )

  test('of viewer are refused without the scope, and with an invalid page', async () => {
    const limited = await personalToken(service.database, owned.owner, { scopes: ['acct:team:apps:read'] })
    const codeOf = async (token: string, field: string) =>
      (await graphql(service, token, `{ viewer { kind ${field} { __typename } } }`)).errors.map(({ path, extensions }) => [
        path,
        extensions?.code,
      ])
    expect(await codeOf(limited, 'teams')).toEqual([[['viewer', 'teams'], 'insufficient_scope']])
    expect(await codeOf(owned.token, 'teams(perPage: 101)')).toEqual([[['viewer', 'teams'], 'validation_failed']])
  })
})
