import { readFileSync } from 'node:fs'
import { buildSchema, getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql'
import type { GraphQLField } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { createOwnedTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { repetitions } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

// Selects each field of the schema beside one that is never refused, at the first place where the caller gets its object.

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'))
const maxDepth = repetitions({ short: 3, full: 6 })
const service = useService()
const credentials: Record<string, string> = {}
beforeAll(async () => {
  const { team, owner } = await createOwnedTeam(service.database, { slug: 'acme' })
  const member = await createUser(service.database)
  await join(service.database, team, member, 'member')
  credentials['one scope'] = await personalToken(service.database, owner, { scopes: ['acct:team:read'] })
  credentials['the role of a member'] = await personalToken(service.database, member, { scopes: [...tokenScopes] })
})

const values: Record<string, string> = { slug: '"acme"', team: '"acme"', field: '"Team.name"', ids: '["x"]', perPage: '1', first: '1' }
/** The field with values for its required arguments, and the smallest page. */
const call = ({ name, args }: GraphQLField<unknown, unknown>) => {
  const given = args.filter((each) => isRequiredArgument(each) || ['perPage', 'first'].includes(each.name))
  return given.length === 0 ? name : `${name}(${given.map((each) => `${each.name}: ${values[each.name] ?? '"x"'}`).join(', ')})`
}
/** The value at a path of names, of the first object of each list. */
const at = (data: any, path: readonly (string | number)[]) =>
  path.reduce((value, key) => (typeof key === 'string' && Array.isArray(value) ? value[0] : value)?.[key], data)

test.each(['one scope', 'the role of a member'])(
  'a field that is refused to a token with %s is null, and the other fields have their values',
  async (credential) => {
    const seen = new Set<string>()
    const codes = new Set<string | undefined>()
    const visit = async (typeName: string, path: readonly GraphQLField<unknown, unknown>[]) => {
      const type = schema.getType(typeName)
      if (!isObjectType(type) || path.length >= maxDepth) return
      for (const field of Object.values(type.getFields())) {
        const key = `${typeName}.${field.name}`
        if (seen.has(key)) continue
        const isLeaf = isLeafType(getNamedType(field.type))
        const names = [...path, field]
        const query = `{ viewer { kind } ${names.map(call).join(' { ')} ${isLeaf ? '' : '{ __typename }'} ${'}'.repeat(names.length)}`
        const { data, errors } = await graphql(service, credentials[credential] ?? '', query)
        expect([query, data?.viewer?.kind]).toEqual([query, 'PERSONAL_TOKEN'])
        for (const { path: place = [], extensions } of errors) {
          expect([query, at(data, place), at(data, place.slice(0, -1)) != null]).toEqual([query, null, true])
          expect([extensions?.code, typeof extensions?.request_id]).toEqual([expect.stringMatching(/^[a-z_]+$/), 'string'])
          codes.add(extensions?.code)
        }
        const value = at(
          data,
          names.map(({ name }) => name),
        )
        const isFound = Array.isArray(value) ? value.length > 0 : value != null
        if (!isFound && !isLeaf) continue
        seen.add(key)
        if (!isLeaf) await visit(getNamedType(field.type).name, names)
      }
    }
    await visit('Query', [])
    expect(seen.size).toBeGreaterThan(50)
    expect([...codes]).toEqual(expect.arrayContaining([credential === 'one scope' ? 'insufficient_scope' : 'role_required', 'not_found']))
    expect(codes).not.toContain('server_error')
  },
)
