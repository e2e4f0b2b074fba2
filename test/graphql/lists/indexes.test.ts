import { buildSchema, getNamedType, isEnumType, isObjectType } from 'graphql'
import type { GraphQLField } from 'graphql'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { addListRows } from '../../support/data/list-rows.ts'
import { rowsRead } from '../../support/data/rows-read.ts'
import { createOwnedTeam, createTeam, join } from '../../support/data/team.ts'
import { listFilters } from '../../support/graphql/list-filters.ts'
import type { ListFilters } from '../../support/graphql/list-filters.ts'
import { createStaff, staffToken } from '../../support/graphql/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { isFull } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

/** The fields that lead to the list of a type. */
const pathTo: Record<string, (slug: string) => string> = {
  Team: (slug) => `team(slug: "${slug}")`,
  Viewer: () => 'viewer',
  Staff: () => 'staff',
}

type Field = GraphQLField<unknown, unknown>

/** The arguments that are no filters. */
const others = new Set(['first', 'after', 'last', 'before', 'orderBy'])

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'))
const service = useService()
const { pool } = service.database
let slug: string
let tokens: { owner: string; staff: string }
beforeAll(async () => {
  const { team, owner, token } = await createOwnedTeam(service.database, { slug: 'listed' })
  await join(service.database, await createTeam(service.database), owner, 'owner')
  slug = team.slug
  tokens = { owner: token, staff: await staffToken(service.database, await createStaff(service.database)) }
  await addListRows(pool, team.id)
})

interface Case {
  /** The filter or the order. */
  name: string
  /** The arguments. */
  args: string
  /** Whether its total is read. That of a whole list is kept, or counts all rows. */
  isCounted?: boolean
}

/** Each order in both directions, and each filter. */
function* casesOf({ args }: Field, { filters, further = [] }: ListFilters): Iterable<Case> {
  yield* ordersOf(args)
  for (const { name } of args) if (!others.has(name)) yield { name, args: `${name}: ${filters[name]}`, isCounted: true }
  for (const filter of further) yield { name: filter, args: filter, isCounted: true }
}

function* ordersOf(args: Field['args']): Iterable<Case> {
  const input = args.find(({ name }) => name === 'orderBy')
  if (!input) return
  const type = getNamedType(input.type)
  const orders = 'getFields' in type && 'field' in type.getFields() ? getNamedType(type.getFields()['field']?.type) : undefined
  if (!isEnumType(orders)) throw new Error('orderBy has no enum')
  for (const { name } of orders.getValues())
    for (const direction of ['ASC', 'DESC']) yield { name, args: `orderBy: { field: ${name}, direction: ${direction} }` }
}

/**
 * The largest number of rows that a statement reads for the first page and the last one, numbered and of the connection, and for their total. The
 * rows that a total counts are subtracted, twice, because a row can consist of a member and a token.
 */
async function mostRowsRead(type: string, field: string, isPaged: boolean, { args, isCounted }: Case): Promise<number> {
  const send = async (selection: string) => {
    const path = pathTo[type]?.(slug)
    const query = path === undefined ? `{ ${selection} }` : `{ ${path} { ${selection} } }`
    const { data, errors } = await graphql(service, type === 'Staff' ? tokens.staff : tokens.owner, query)
    expect(errors).toEqual([])
    return path === undefined ? data : Object.values<Record<string, any>>(data)[0]
  }
  service.executions.length = 0
  const total = isCounted ? `total: ${field}(${args}) { totalCount }` : ''
  const page = isPaged ? `page: ${field.replace(/Connection$/, '')}(perPage: 50, ${args}) { nodes { __typename } }` : ''
  const found = await send(`${total} ${page} first: ${field}(first: 50, ${args}) { nodes { __typename } }
    last: ${field}(last: 51, ${args}) { edges { cursor } }`)
  const cursor = found?.['last'].edges[0]?.cursor
  if (cursor) await send(`deep: ${field}(first: 50, after: "${cursor}", ${args}) { nodes { __typename } }`)
  const counts: number[] = []
  for (const { text, values } of service.executions) {
    const counted = text.includes('"inAll"') ? (found?.['total']?.totalCount ?? 0) : 0
    if (/"cursor0"|"inAll"|"keyId"/.test(text)) counts.push((await rowsRead(pool, text, values)) - 2 * counted)
  }
  return Math.max(0, ...counts)
}

const declared = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type))
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => field.name.endsWith('Connection'))
      .map((field) => {
        const name = field.name.slice(0, -'Connection'.length)
        const isPaged = type.getFields()[name]?.args.some(({ name: each }) => each === 'perPage') === true
        return { type: type.name, name, field, isPaged }
      }),
  )

test('this test covers every list with every filter', () => {
  const known = Object.entries(listFilters).flatMap(([type, fields]) =>
    Object.entries(fields).map(([name, { filters }]) => [`${type}.${name}`, Object.keys(filters).sort()]),
  )
  const filters = declared.map(({ type, name, field }) => [
    `${type}.${name}`,
    field.args
      .map(({ name: each }) => each)
      .filter((each) => !others.has(each))
      .sort(),
  ])
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(filters))
})

// PostgreSQL 15 estimates other costs and prefers to read all of so few members for some filters. It uses the indexes of larger teams.
const { isEmbedded } = inject('testCluster')

describe.runIf(isEmbedded)('PostgreSQL reads few rows of a long list', () => {
  const cases = declared.flatMap(({ type, name, field, isPaged }) => {
    const expected = listFilters[type]?.[name]
    return expected && expected.skipped === undefined && (isFull || expected.isQuick)
      ? [[`${type}.${name}`, type, field, isPaged, expected] as const]
      : []
  })
  test.each(cases)('for each filter and order of %s', async (_, type, field, isPaged, expected) => {
    const read: [string, number][] = []
    for (const each of casesOf(field, expected)) {
      const rows = await mostRowsRead(type, field.name, isPaged, each)
      if (rows > (expected.maxRows ?? 400)) read.push([each.args, rows])
    }
    expect(read).toEqual([])
  })
})
