import { beforeAll, describe, expect, test } from 'vitest'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let owned: OwnedTeam
beforeAll(async () => {
  owned = await createOwnedTeam(service.database)
  for (const number of ['1', '2', '3']) await createInvoice(service.database, owned.team, { number })
})

const read = (selection: string) => graphql(service, owned.token, `{ team(slug: "${owned.team.slug}") { ${selection} } }`)

describe('a connection', () => {
  test.each([
    ['first: 0', 'The first field must be at least 1.'],
    ['first: -1', 'The first field must be at least 1.'],
    ['first: 101', 'The first field must not be greater than 100.'],
    ['last: 0', 'The last field must be at least 1.'],
    ['last: 101', 'The last field must not be greater than 100.'],
    ['first: 1, last: 1', 'The last field must not be used together with first.'],
    ['after: ""', 'The after field must be a cursor of this list with the same order and filters.'],
    [
      'before: "MTIzNDU2Nzg5MDEyWyIyMDI2LTAxLTMxIiwiMSJd"',
      'The before field must be a cursor of this list with the same order and filters.',
    ],
  ])('with %s is a validation error', async (args, message) => {
    const { errors } = await read(`membersConnection(${args}) { totalCount }`)
    expect([errors.length, errors[0]?.message, errors[0]?.extensions?.code]).toEqual([1, message, 'validation_failed'])
  })

  const cursorOf = async (args: string) =>
    (await read(`invoicesConnection(first: 1, ${args}) { pageInfo { endCursor } }`)).data.team.invoicesConnection.pageInfo.endCursor
  const byNumber = 'orderBy: { field: NUMBER, direction: ASC }'
  const numbersAfter = async (args: string) => await read(`invoicesConnection(${args}) { nodes { number } }`)

  test('continues after a cursor, and refuses that of another order, filter or list', async () => {
    const cursor = await cursorOf(byNumber)
    const { data } = await numbersAfter(`after: "${cursor}", ${byNumber}`)
    expect(data.team.invoicesConnection.nodes).toEqual([{ number: '2' }, { number: '3' }])
    const others = [
      `invoicesConnection(after: "${cursor}") { nodes { number } }`,
      `invoicesConnection(after: "${cursor}", orderBy: { field: NUMBER, direction: DESC }) { nodes { number } }`,
      `invoicesConnection(after: "${cursor}", ${byNumber}, status: OPEN) { nodes { number } }`,
      `membersConnection(after: "${cursor}") { nodes { name } }`,
      ...[cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, `${cursor} `, 'garbage', ''].map(
        (damaged) => `invoicesConnection(after: "${damaged}", ${byNumber}) { nodes { number } }`,
      ),
    ]
    for (const other of others) expect((await read(other)).errors[0]?.extensions?.code, other).toBe('validation_failed')
  })

  test('refuses the cursor of the same list of another team, and of several teams', async () => {
    const cursor = await cursorOf(byNumber)
    const other = await createOwnedTeam(service.database)
    const list = `invoicesConnection(after: "${cursor}", ${byNumber}) { totalCount }`
    const refused = await graphql(service, other.token, `{ team(slug: "${other.team.slug}") { ${list} } }`)
    expect(refused.errors[0]?.extensions?.code).toBe('validation_failed')
    const { data } = await read('auditEntriesConnection { pageInfo { startCursor } }')
    const several = `{ auditEntriesConnection(after: "${data.team.auditEntriesConnection.pageInfo.startCursor}") { totalCount } }`
    expect((await graphql(service, owned.token, several)).errors[0]?.extensions?.code).toBe('validation_failed')
  })

  test('reads the rows between two cursors', async () => {
    const { data } = await read(`invoicesConnection(${byNumber}) { edges { cursor } }`)
    const [first, , third] = data.team.invoicesConnection.edges
    const between = await numbersAfter(`after: "${first.cursor}", before: "${third.cursor}", ${byNumber}`)
    expect(between.data.team.invoicesConnection.nodes).toEqual([{ number: '2' }])
  })

  test('has no cursors while it is empty', async () => {
    const { data } = await read(
      'invoicesConnection(search: "nothing") { edges { cursor } totalCount sums { currency } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }',
    )
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null }
    expect(data.team.invoicesConnection).toEqual({ edges: [], totalCount: 0, sums: [], pageInfo })
  })
})
