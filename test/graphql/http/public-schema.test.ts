import { buildClientSchema, buildSchema, getIntrospectionQuery, isObjectType, validateSchema } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let token: string
let team: { slug: string }
beforeAll(async () => {
  ;({ token, team } = await createOwnedTeam(service.database))
})
const download = async (headers: Record<string, string> = {}) => fetch(`${service.url}/graphql/schema.graphql`, { headers })

// Fields of operators and of the pages of sign-in: no credential opens them.
const hidden = {
  Query: ['users', 'user', 'clients', 'client', 'signingKeys', 'openedLink', 'savedLink', 'passkeySignIn', 'pendingSignIn', 'invitation'],
  Mutation: ['createClient', 'rotateSigningKeys', 'createUser', 'deleteUser', 'signIn', 'signUp', 'resetPassword'],
} as const

describe('the schema that HTTP shows', () => {
  test('is valid, and the same by introspection and as a file', async () => {
    const downloaded = buildSchema(await (await download()).text())
    const { data } = await graphql(service, token, getIntrospectionQuery())
    const introspected = buildClientSchema(data)
    const fieldsOf = (schema: typeof downloaded) =>
      Object.values(schema.getTypeMap()).flatMap((type) =>
        isObjectType(type) && !type.name.startsWith('__') ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : [],
      )
    expect(validateSchema(downloaded)).toEqual([])
    expect(fieldsOf(downloaded).toSorted()).toEqual(fieldsOf(introspected).toSorted())
    expect(fieldsOf(downloaded)).toContain('Mutation.updateTeam')
  })

  test('can be read by pages of every origin', async () => {
    const { status, headers } = await download({ Origin: 'https://editor.example' })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })

  test.each([...hidden.Query.map((name) => `Query.${name}`), ...hidden.Mutation.map((name) => `Mutation.${name}`)])(
    'does not contain %s',
    async (field) => {
      const [typeName = '', name = ''] = field.split('.')
      const type = buildSchema(await (await download()).text()).getType(typeName)
      expect(isObjectType(type) && !(name in type.getFields())).toBe(true)
    },
  )

  test('does not contain types that only hidden fields use', async () => {
    const { data } = await graphql(service, token, '{ __schema { types { name } } __type(name: "SigningKey") { name } }')
    const names = new Set<string>(data.__schema.types.map(({ name }: { name: string }) => name))
    expect(data.__type).toBe(null)
    expect(['SigningKey', 'CreateClientInput', 'SignInInput'].filter((name) => names.has(name))).toEqual([])
  })

  test('states the requirement of a field as directives and in its description', async () => {
    const text = await (await download()).text()
    expect(text).toContain(
      'invoice(\n    """The invoice’s identifier."""\n    id: ID!\n  ): TeamInvoice @semanticNonNull @requiresScopes(scopes: [["acct:team:invoices:read"]]) @requiresRole(roles: ["OWNER", "BILLING"])',
    )
    expect(text).toMatch(/deleteTeam\([^)]+\): DeleteTeamPayload @semanticNonNull (?:@\w+\([^)]*\) ?)*@requiresSession\(recent: true\)/)
    const { data } = await graphql(service, token, '{ __type(name: "Mutation") { fields { name description } } }')
    const fields: { name: string; description: string }[] = data.__type.fields
    expect(fields.find(({ name }) => name === 'updateTeam')?.description).toContain(
      'Requires the scope `acct:team:write`, and the role OWNER.',
    )
  })

  test('is not sent again to a client that has it', async () => {
    const first = await download()
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const etag = first.headers.get('etag') ?? ''
    for (const condition of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const again = await download({ 'If-None-Match': condition })
      expect([condition, again.status, await again.text()]).toEqual([condition, 304, ''])
    }
    expect((await download({ 'If-None-Match': '"other"' })).status).toBe(200)
  })
})

test('a document with introspection can read data, too, but no hidden field', async () => {
  const read = await graphql(service, token, `{ __schema { queryType { name } } team(slug: "${team.slug}") { slug } }`)
  expect([read.errors, read.data]).toEqual([[], { __schema: { queryType: { name: 'Query' } }, team: { slug: team.slug } }])
  const refused = await graphql(service, token, '{ __schema { queryType { name } } clients { total } }')
  expect([refused.data, refused.errors[0]?.extensions?.code]).toEqual([null, 'graphql_validation_failed'])
})

test('an operator’s field is refused with operator_only, hidden or not', async () => {
  const { errors } = await graphql(service, token, '{ clients { total } }')
  expect(errors[0]?.extensions?.code).toBe('operator_only')
})
