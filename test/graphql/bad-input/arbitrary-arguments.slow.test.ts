import {
  GraphQLEnumType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { GraphQLArgument, GraphQLInputType, GraphQLOutputType } from 'graphql'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { publicSchema } from '../../../schema/public-schema.ts'
import { seedSite } from '../../support/account-site/seed.ts'
import { enter, sessionHeader } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { expectNoFault } from '../../support/http/no-fault.ts'
import { fuzzing } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

// Sends values of the right type, however unusual, as all arguments of a field at once. Other tests send values of wrong types.

const service = useService()
const known: string[] = ['x']
let cookie: string
let slug: string
beforeAll(async () => {
  const { person, other, team, parameters } = await seedSite(service, 'Ada')
  await service.database.prisma.user.update({ where: { id: person.id }, data: { staff: true } })
  const browser = new Browser(service.url)
  await enter(browser, person)
  cookie = sessionHeader(browser)
  slug = team.slug
  known.push(...Object.values(parameters), person.email, other.email)
})

const instants = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z', '2026-01-01T00:00:00+23:59', '1969-12-31T23:59:59Z']
const scalars: Record<string, fc.Arbitrary<unknown>> = {
  Boolean: fc.boolean(),
  Int: fc.constantFrom(-(2 ** 31), -1, 0, 1, 2, 50, 100, 101, 2 ** 31 - 1),
  Float: fc.double({ noNaN: true }),
  Date: fc.constantFrom('0001-01-01', '9999-12-31', '2024-02-29', '1582-10-10'),
  DateTime: fc.constantFrom(...instants),
}
const text = fc.oneof(
  fc.nat({ max: 20 }).map((index) => known[index % known.length]),
  fc.constantFrom('', '\0', '\ud800', '%', '\\', '*', 'x'.repeat(3_000), '-1', 'UTC', 'acct:team:read', 'https://a.example/x'),
  fc.string({ unit: 'binary', maxLength: 30 }),
)

function valueOf(type: GraphQLInputType): fc.Arbitrary<unknown> {
  if (!isNonNullType(type)) return fc.oneof({ weight: 4, arbitrary: present(type) }, { weight: 1, arbitrary: fc.constant(null) })
  return present(type.ofType)
}
function present(type: GraphQLInputType): fc.Arbitrary<unknown> {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return fc.array(valueOf(nullable.ofType), { maxLength: 3 })
  if (nullable instanceof GraphQLEnumType) return fc.constantFrom(...nullable.getValues().map(({ name }) => name))
  if (isInputObjectType(nullable)) return objectOf(Object.values(nullable.getFields()))
  return scalars[nullable.name] ?? text
}
/** Values of all required arguments or fields, and of a few others, since many combinations are refused. */
const objectOf = (fields: readonly Pick<GraphQLArgument, 'name' | 'type'>[]) =>
  fc
    .subarray(
      fields.filter(({ type }) => !isNonNullType(type)),
      { maxLength: Math.min(3, fields.filter(({ type }) => !isNonNullType(type)).length) },
    )
    .chain((optional) => {
      const chosen = [...fields.filter(({ type }) => isNonNullType(type)), ...optional]
      return fc.record(Object.fromEntries(chosen.map(({ name, type }) => [name, named(name, valueOf(type))])))
    })
/** Mostly the team of the caller, because most fields are refused for any other. */
const named = (name: string, value: fc.Arbitrary<unknown>) =>
  name === 'team' ? fc.oneof({ weight: 6, arbitrary: fc.constant(null).map(() => slug) }, { weight: 1, arbitrary: value }) : value

/** Selects leaves of the result, and those of the rows of a list. */
function selectionOf(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type)
  if (!isCompositeType(named)) return ''
  if (!isObjectType(named)) return '{ __typename }'
  const fields = Object.values(named.getFields()).filter(({ args }) => args.length === 0)
  const leaves = fields.filter((field) => !isCompositeType(getNamedType(field.type))).map(({ name }) => name)
  const rows = depth < 2 ? fields.filter(({ name }) => ['nodes', 'edges', 'node', 'groups', 'pageInfo'].includes(name)) : []
  return `{ __typename ${leaves.join(' ')} ${rows.map((row) => `${row.name} ${selectionOf(row.type, depth + 1)}`).join(' ')} }`
}

const wrapped: Record<string, (field: string) => string> = {
  Query: (field) => `{ ${field} }`,
  Mutation: (field) => `{ ${field} }`,
  Team: (field) => `{ team(slug: "${slug}") { ${field} } }`,
  Viewer: (field) => `{ viewer { ${field} } }`,
  Staff: (field) => `{ staff { ${field} } }`,
}
/** Mutations that end the session or the account, after which the other requests would only be refused. */
const ending = new Set(['signOut', 'deleteAccount', 'deleteTeam', 'leaveTeam', 'revokeSession', 'changePassword', 'revokeOtherSessions'])

const fields = Object.entries(wrapped).flatMap(([parent, wrap]) => {
  const type = publicSchema().getType(parent)
  if (!isObjectType(type)) throw new Error(`no type ${parent}`)
  return Object.values(type.getFields())
    .filter(({ name, args }) => args.length > 0 && !ending.has(name))
    .map(({ name, args, type: result }) => {
      const declared = args.map((each) => `$${each.name}: ${String(each.type)}`).join(', ')
      const given = args.map((each) => `${each.name}: $${each.name}`).join(', ')
      const kind = parent === 'Mutation' ? 'mutation' : 'query'
      return { name: `${parent}.${name}`, args, query: () => `${kind} (${declared}) ${wrap(`${name}(${given}) ${selectionOf(result)}`)}` }
    })
})

test.each(fields.map((field) => [field.name, field] as const))('%s causes no server error with unusual values', async (_, field) => {
  await fc.assert(
    fc.asyncProperty(objectOf(field.args), async (variables) => {
      const headers = { cookie, origin: service.url, 'content-type': 'application/json' }
      const body = JSON.stringify({ query: field.query(), variables })
      await expectNoFault(service, await fetch(`${service.url}/graphql`, { method: 'POST', headers, body }), variables)
    }),
    fuzzing({ short: 3, full: 100 }),
  )
})

test('most requests reach the resolver', () => expect(fields.length).toBeGreaterThan(80))
