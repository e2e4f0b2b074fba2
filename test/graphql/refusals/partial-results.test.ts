import { beforeAll, describe, expect, test } from 'vitest'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, unique } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
let token: string
let withoutInvoices: string
let slugs: [string, string]
beforeAll(async () => {
  const { team, owner, token: ownerToken } = await createOwnedTeam(database)
  const second = await createTeam(database)
  await join(database, second, owner, 'owner')
  token = ownerToken
  withoutInvoices = await personalToken(database, owner, { scopes: tokenScopes.filter((scope) => !scope.includes('invoices')) })
  slugs = [team.slug, second.slug]
})

/** The data of a response, and the path and code of each of its errors. */
async function send(credential: string, query: string) {
  const { status, data, errors } = await graphql(service, credential, query)
  expect(errors.every(({ extensions }) => typeof extensions?.request_id === 'string')).toBe(true)
  return { status, data, errors: errors.map(({ path, extensions }) => [path?.join('.'), extensions?.code]) }
}

describe('a refused field leaves the rest of the response', () => {
  test.each([
    ['first', 0],
    ['fourth', 3],
  ])('for a document that is sent for the %s time', async (_, earlier) => {
    const query = `{ a: team(slug: "${slugs[0]}") { slug } b: team(slug: "nope") { slug } viewer { kind } } # ${unique('document')}`
    for (let count = 0; count < earlier; count++) await send(token, query)
    expect(await send(token, query)).toEqual({
      status: 200,
      data: { a: { slug: slugs[0] }, b: null, viewer: { kind: 'PERSONAL_TOKEN' } },
      errors: [['b', 'team_forbidden']],
    })
  })

  test('when it needs a scope that the credential lacks, in each object of a list', async () => {
    const { data, errors } = await send(withoutInvoices, '{ teams { slug name invoices { total } } }')
    expect(data.teams).toEqual(slugs.toSorted().map((slug) => ({ slug, name: 'Acme', invoices: null })))
    expect(errors).toEqual([
      ['teams.0.invoices', 'insufficient_scope'],
      ['teams.1.invoices', 'insufficient_scope'],
    ])
  })

  test('when its argument is invalid or identifies nothing', async () => {
    const { data, errors } = await send(
      token,
      `{ team(slug: "${slugs[0]}") { slug member(id: "nobody") { name } members(perPage: 101) { total } apps { total } } viewer { can(field: "x") { reason } kind } }`,
    )
    expect(data).toEqual({
      team: { slug: slugs[0], member: null, members: null, apps: { total: 0 } },
      viewer: { can: null, kind: 'PERSONAL_TOKEN' },
    })
    expect(Object.fromEntries(errors)).toEqual({
      'team.member': 'not_found',
      'team.members': 'validation_failed',
      'viewer.can': 'validation_failed',
    })
  })

  test('when a required argument is null in a variable', async () => {
    const query = 'query ($slug: String = "x") { team(slug: $slug) { name } viewer { kind } }'
    const { data, errors } = await graphql(service, token, query, { slug: null })
    expect([data, errors[0]?.path, errors[0]?.extensions?.code]).toEqual([
      { team: null, viewer: { kind: 'PERSONAL_TOKEN' } },
      ['team'],
      'bad_user_input',
    ])
  })

  test('when it is one of several mutations: the earlier and the later ones are written', async () => {
    const member = await createUser(database)
    const memberToken = await personalToken(database, member)
    const team = await createTeam(database)
    await join(database, team, member, 'owner')
    const update = (alias: string, slug: string, name: string) =>
      `${alias}: updateTeam(input: { team: "${slug}", name: "${name}" }) { team { name } }`
    const { data, errors } = await send(
      memberToken,
      `mutation { ${update('a', team.slug, 'A')} ${update('b', slugs[0], 'B')} ${update('c', team.slug, 'C')} }`,
    )
    expect(data).toEqual({ a: { team: { name: 'A' } }, b: null, c: { team: { name: 'C' } } })
    expect(errors).toEqual([['b', 'team_forbidden']])
    expect((await database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).name).toBe('C')
  })
})
