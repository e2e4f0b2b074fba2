import { beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '../../../schema/core/scopes.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { useService } from '../../support/service/service.ts'

// Which scope opens the audit log, the list of who has access, its revocation, and the list of team tokens.

const service = useService()
const { database } = service
let owned: OwnedTeam
beforeAll(async () => {
  owned = await createOwnedTeam(database, { slug: 'acme' })
})

const id = '"00000000-0000-4000-8000-000000000000"'
const team = (selection: string) => `{ team(slug: "acme") { ${selection} } }`
const viewer = (selection: string) => `{ viewer { ${selection} } }`
const mutation = (name: string, input: string) => `mutation { ${name}(input: { ${input} }) { __typename } }`

/** The operations by the only scope that opens them. */
const operationsByScope: Partial<Record<Scope, Record<string, string>>> = {
  'acct:team:audit:read': { auditEntries: team('auditEntries { total }') },
  'acct:team:tokens:read': { tokens: team('tokens { total }'), token: team(`token(id: ${id}) { id: tokenId }`) },
  'acct:team:access:read': {
    personalTokens: team('personalTokens { total }'),
    grants: team('grants { total }'),
    grant: team(`grant(id: ${id}) { id: grantId }`),
    'viewer.grants': viewer('grants { nodes { id: grantId } }'),
    'viewer.grant': viewer(`grant(id: ${id}) { id: grantId }`),
  },
  'acct:team:access:write': {
    revokeTokenTeamAccess: mutation('revokeTokenTeamAccess', `team: "acme", tokenId: ${id}`),
    revokeGrantTeamAccess: mutation('revokeGrantTeamAccess', `team: "acme", grantId: ${id}`),
    revokeGrant: mutation('revokeGrant', `id: ${id}`),
    reduceGrantScopes: mutation('reduceGrantScopes', `id: ${id}, scopes: ["openid"]`),
  },
}
const operations = Object.entries(operationsByScope).flatMap(([scope, documents]) =>
  Object.entries(documents).map(([name, document]) => ({ scope, name, document })),
)
/** A user's grants concern all teams of the user: a team token has no user, and a client's grant may be limited to a team. */
const ofPersonOnly = new Set(['viewer.grants', 'viewer.grant', 'revokeGrant', 'reduceGrantScopes'])

/** `allowed`, also if the unknown identifier was looked up and not found, or the error code. */
async function outcomeOf(token: string, document: string): Promise<string> {
  const { errors } = await graphql(service, token, document)
  const code = errors[0]?.extensions?.code ?? 'allowed'
  return code === 'not_found' ? 'allowed' : code
}

const credentials = {
  'personal token': (scopes: Scope[]) => personalToken(database, owned.owner, { scopes }),
  'team token': (scopes: Scope[]) => teamToken(database, owned.team, { scopes }),
  'OAuth access token': async (scopes: Scope[]) =>
    accessToken(database, await createGrant(database, owned.owner, { team: owned.team, scopes })),
}

describe.each(Object.entries(credentials))('a %s', (kind, create) => {
  test.each([
    'acct:team:audit:read',
    'acct:team:access:read',
    'acct:team:access:write',
    'acct:team:tokens:read',
    'acct:team:members:read',
    'acct:team:members:write',
    'acct:team:write',
  ] as const)('with only the scope %s can use the operations of this scope and no others', async (scope) => {
    const token = await create([scope])
    const outcomes = operations.map(async ({ name, document }) => [name, await outcomeOf(token, document)])
    const expected = operations.map(({ name, scope: required }) => {
      if (kind !== 'personal token' && ofPersonOnly.has(name)) return [name, 'session_required']
      return [name, required === scope ? 'allowed' : 'insufficient_scope']
    })
    expect(await Promise.all(outcomes)).toEqual(expected)
  })
})

test.each(['billing', 'member'] as const)('a %s with every scope can use only the operations on the own grants', async (role) => {
  const user = await createUser(database)
  await join(database, owned.team, user, role)
  const token = await personalToken(database, user)
  const outcomes = operations.map(async ({ name, document }) => [name, await outcomeOf(token, document)])
  const expected = operations.map(({ name }) => [name, ofPersonOnly.has(name) ? 'allowed' : 'role_required'])
  expect(await Promise.all(outcomes)).toEqual(expected)
})
