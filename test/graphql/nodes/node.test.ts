import { isObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import type { UserPrincipal } from '../../../schema/core/principals.ts'
import { globalId } from '../../../schema/core/global-id.ts'
import { publicSchema } from '../../../schema/public-schema.ts'
import { createUser, personalToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { objectsIn } from '../../support/graphql/stores/objects.ts'
import type { ReceivedObject } from '../../support/graphql/stores/objects.ts'
import { readEverything } from '../../support/graphql/stores/read-everything.ts'
import { selectAll } from '../../support/graphql/stores/select-all.ts'
import { createSharedTeams } from '../../support/graphql/stores/shared-teams.ts'
import type { SharedTeams } from '../../support/graphql/stores/shared-teams.ts'
import { executeAs } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
let shared: SharedTeams
let principal: UserPrincipal
let objects: ReceivedObject[]
beforeAll(async () => {
  shared = await createSharedTeams(service)
  principal = shared.principal
  const responses = await readEverything(service, principal)
  objects = [...new Map(responses.flatMap(({ data }) => objectsIn(data)).map((object) => [object.id, object])).values()]
})

/** The types with an identity, and the names of their fields that need no argument and have no fields. */
const leaves = new Map(
  Object.values(publicSchema().getTypeMap())
    .filter((type) => isObjectType(type))
    .filter((type) => 'id' in type.getFields())
    .map((type) => [type.name, selectAll(type).flatMap(({ name, fields }) => (fields ? [] : [name]))]),
)
const fragments = Array.from(leaves, ([type, names]) => `... on ${type} { ${names.map((name) => `${type}_${name}: ${name}`).join(' ')} }`)
const nodesDocument = `query ($ids: [ID!]!) { nodes(ids: $ids) { ${fragments.join(' ')} } }`
const asNode = (object: ReceivedObject) =>
  Object.fromEntries((leaves.get(object.__typename) ?? []).map((name) => [`${object.__typename}_${name}`, object[name]]))

const codeOf = async (token: string, id: string) => {
  const { data, errors } = await graphql(service, token, 'query ($id: ID!) { node(id: $id) { id } }', { id })
  return [data?.node ?? null, errors[0]?.extensions?.code]
}

describe('node', () => {
  test('finds the same object by its global id as the list that returned it', async () => {
    for (let start = 0; start < objects.length; start += 100) {
      const some = objects.slice(start, start + 100)
      const { data } = await executeAs(service, principal, nodesDocument, { ids: some.map(({ id }) => id) })
      expect(data.nodes).toEqual(some.map(asNode))
    }
  })

  test('refuses every object that belongs to the teams or the account of others', async () => {
    const stranger = await personalToken(database, await createUser(database))
    const codes = await Promise.all(objects.map(async ({ __typename, id }) => [__typename, ...(await codeOf(stranger, id))]))
    const refused = new Set(['team_forbidden', 'session_required', 'not_found', 'operator_only'])
    expect(codes.filter(([, node, code]) => node !== null || !refused.has(code))).toEqual([])
  })

  test('does not reveal whether an object of another team exists', async () => {
    const [team] = shared.teams
    const stranger = await personalToken(database, await createUser(database))
    const unknown = '00000000-0000-4000-8000-000000000000'
    for (const slug of [team?.slug ?? '', 'no-such-team'])
      for (const key of [[slug], [slug, unknown]])
        expect(await codeOf(stranger, globalId({ type: key.length === 1 ? 'Team' : 'TeamMember', key }))).toEqual([null, 'team_forbidden'])
    for (const type of ['AuditEntry', 'TeamInvoiceLine'])
      expect(await codeOf(stranger, globalId({ type, key: [unknown] }))).toEqual([null, 'team_forbidden'])
  })

  test('needs the scope of the field that finds the object', async () => {
    const withoutScope = await personalToken(database, shared.owner, { scopes: ['teams'] })
    const codeOfType = async (type: string) => codeOf(withoutScope, objects.find(({ __typename: name }) => name === type)?.id ?? '')
    expect((await codeOfType('Team'))[1]).toBeUndefined()
    for (const type of ['TeamMember', 'TeamInvoice', 'TeamConnectedApp', 'TeamToken', 'TeamInvitation', 'AuditEntry', 'Grant', 'Person'])
      expect([type, await codeOfType(type)]).toEqual([type, [null, 'insufficient_scope']])
  })

  test('returns clients and signing keys to operators alone, as the fields that list them do', async () => {
    const staff = await staffToken(database, await createStaff(database))
    for (const credential of [staff, await personalToken(database, shared.owner)])
      for (const type of ['OAuthClient', 'SigningKey'])
        expect(await codeOf(credential, globalId({ type, key: ['x'] }))).toEqual([null, 'operator_only'])
  })

  test.each([
    '',
    'x',
    'VGVhbQ',
    '\0',
    '\ud800',
    'VGVhbTo',
    '00000000-0000-4000-8000-000000000000',
    globalId({ type: 'Mutation', key: ['x'] }),
  ])('answers not_found for what is no global id (%j)', async (id) => {
    expect(await codeOf(await personalToken(database, shared.owner), id)).toEqual([null, 'not_found'])
  })

  test('returns null with an error for each of several objects that is refused', async () => {
    const ids = [
      globalId({ type: 'Team', key: [shared.foreign.slug] }),
      globalId({ type: 'Team', key: [shared.teams[0]?.slug ?? ''] }),
      'x',
    ]
    const token = await personalToken(database, shared.owner)
    const { data, errors } = await graphql(service, token, 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Team { slug } } }', { ids })
    expect(data.nodes).toEqual([null, { slug: shared.teams[0]?.slug }, null])
    expect(Object.fromEntries(errors.map(({ path, extensions }) => [path?.join('.'), extensions?.code]))).toEqual({
      'nodes.0': 'team_forbidden',
      'nodes.2': 'not_found',
    })
  })

  test('finds no object by a longer key, so that each object has one id', async () => {
    for (const [, { id }] of new Map(objects.map((object) => [object.__typename, object]))) {
      const longer = Buffer.from(`${Buffer.from(id, 'base64url').toString()}:x`).toString('base64url')
      const { data } = await executeAs(service, principal, 'query ($id: ID!) { node(id: $id) { id } }', { id: longer })
      expect(data.node).toBe(null)
    }
  })

  test('refuses more than 100 ids at once', async () => {
    const token = await personalToken(database, shared.owner)
    const { errors } = await graphql(service, token, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: Array(101).fill('x') })
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['validation_failed'])
  })
})
