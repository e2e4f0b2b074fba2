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

/** The largest number of rows that a statement of the list reads for 50 rows, and for their total. */
async function mostRowsRead(type: string, field: string, selection: string): Promise<number> {
  const list = `${field}(first: 50, ${selection}`
  const path = pathTo[type]?.(slug)
  service.executions.length = 0
  const query = path === undefined ? `{ ${list} }` : `{ ${path} { ${list} } }`
  const { errors } = await graphql(service, type === 'Staff' ? tokens.staff : tokens.owner, query)
  expect(errors).toEqual([])
  const statements = service.executions.filter(({ text }) => text.includes('"cursor0"') || text.includes('"inAll"'))
  const counts: number[] = []
  for (const { text, values } of statements) counts.push(await rowsRead(pool, text, values))
  return Math.max(0, ...counts)
}

function* selectionsOf(
  { args }: GraphQLField<unknown, unknown>,
  { filters, further = [] }: ListFilters,
): Iterable<[name: string, selection: string]> {
  for (const filter of further) yield [filter, `${filter}) { nodes { __typename } totalCount }`]
  for (const { name, type } of args) {
    if (['first', 'after', 'last', 'before'].includes(name)) continue
    if (name !== 'orderBy') {
      yield [name, `${name}: ${filters[name]}) { nodes { __typename } totalCount }`]
      continue
    }
    const input = getNamedType(type)
    const orders = 'getFields' in input && 'field' in input.getFields() ? getNamedType(input.getFields()['field']?.type) : undefined
    if (!isEnumType(orders)) throw new Error('orderBy has no enum')
    for (const { name: order } of orders.getValues())
      for (const direction of ['ASC', 'DESC'])
        yield [order, `orderBy: { field: ${order}, direction: ${direction} }) { nodes { __typename } }`]
  }
}

const declared = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type))
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => field.name.endsWith('Connection'))
      .map((field) => ({ type: type.name, name: field.name.slice(0, -'Connection'.length), field })),
  )

test('this test covers every list with every filter', () => {
  const known = Object.entries(listFilters).flatMap(([type, fields]) =>
    Object.entries(fields).map(([name, { filters }]) => [`${type}.${name}`, Object.keys(filters).sort()]),
  )
  const others = new Set(['first', 'after', 'last', 'before', 'orderBy'])
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
  const cases = declared.flatMap(({ type, name, field }) => {
    const expected = listFilters[type]?.[name]
    return expected && expected.skipped === undefined && (isFull || expected.isQuick)
      ? [[`${type}.${name}`, type, field, expected] as const]
      : []
  })
  test.each(cases)('for each filter and order of %s', async (_, type, field, expected) => {
    const read: [string, number][] = []
    for (const [what, selection] of selectionsOf(field, expected))
      if (!expected.unindexed?.includes(what)) read.push([selection, await mostRowsRead(type, field.name, selection)])
    expect(read.filter(([, rows]) => rows > 400)).toEqual([])
  })
})
