import { getNamedType, isCompositeType, isObjectType, isRequiredArgument } from 'graphql'
import type { GraphQLArgument, GraphQLField } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../../schema/core/context.ts'
import type { Principal } from '../../../schema/core/principals.ts'
import { schema } from '../../../schema/index.ts'
import { findRequirement } from '../../../schema/core/requires.ts'
import type { Requirement } from '../../../schema/core/requires.ts'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { teamCredentials } from '../../support/oauth/clients/machines.ts'
import type { Team, User } from '../../../prisma/generated/client/client.ts'

// Credentials that must not be sufficient for each field that declares a requirement. Mutations: mutations.test.ts; subscriptions:
// test/graphql/subscriptions.

const service = useService()
const { database } = service
let team: Team
let owner: User
beforeAll(async () => {
  ;({ team, owner } = await createOwnedTeam(database, { slug: 'acme' }))
})

/** Documents that select a field of each parent type. A type that is missing here fails the test. */
const documentFor: Record<string, (selection: string) => string> = {
  Query: (selection) => `{ ${selection} }`,
  Team: (selection) => `{ team(slug: "acme") { ${selection} } }`,
  Viewer: (selection) => `{ viewer { ${selection} } }`,
  User: (selection) => `{ viewer { user { ${selection} } } }`,
  Person: (selection) => `{ team(slug: "acme") { members { nodes { user { ${selection} } } } } }`,
  MemberToken: (selection) => `{ team(slug: "acme") { personalTokens { nodes { ${selection} } } } }`,
}
const values: Record<string, string> = {
  id: '"00000000-0000-4000-8000-000000000000"',
  email: '"unknown@example.test"',
  clientId: '"unknown"',
  token: '"unknown"',
  request: '"unknown"',
  // Without it, teams in which the caller lacks the role would be left out.
  teams: '["acme"]',
}

interface GuardedField {
  name: string
  document: string
  requires: Requirement
}

const guardedFields: GuardedField[] = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter((type) => type !== schema.getMutationType() && type !== schema.getSubscriptionType())
  .flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) => {
      const requires = findRequirement(field.extensions)
      // What only staff can use has tests of its own, in test/graphql/staff.
      return requires && !requires.isStaffOnly
        ? { name: `${type.name}.${field.name}`, document: documentFor[type.name]?.(selectionOf(field)) ?? '', requires }
        : []
    }),
  )

function selectionOf({ name, args, type }: GraphQLField<unknown, Context>): string {
  const isNeeded = (argument: GraphQLArgument) => isRequiredArgument(argument) || argument.name === 'teams'
  const required = args.filter(isNeeded).map((argument) => `${argument.name}: ${values[argument.name]}`)
  return `${name}${required.length > 0 ? `(${required.join(', ')})` : ''}${isCompositeType(getNamedType(type)) ? ' { __typename }' : ''}`
}

const codeFor = async (token: string, document: string) => {
  const { data, errors } = await graphql(service, token, document)
  return [errors[0]?.extensions?.code, JSON.stringify(data ?? null).includes('__typename')]
}
const codeAs = async (principal: Principal, document: string) => (await executeAs(service, principal, document)).refusal?.code

describe.each(guardedFields.map((field) => [field.name, field] as const))('%s', (name, { document, requires }) => {
  const { scopes, roles, authenticationMethod, teamTokenNeedsNoScope } = requires
  const wrongMethod = authenticationMethod?.length === 0 ? 'operator_only' : 'session_required'
  const others = tokenScopes.filter((scope) => !scopes.includes(scope))

  if (authenticationMethod)
    test('accepts only the authentication methods that it declares', async () => {
      const session = await sessionOf(service, owner)
      const principals = {
        session,
        oauth: {
          ...session,
          authenticationMethod: 'oauth',
          client: { clientId: 'client', name: 'Client', team: null, grantExpiresAt: new Date() },
        },
        personal_token: { ...session, authenticationMethod: 'personal_token' },
      } as const
      for (const [method, principal] of Object.entries(principals)) {
        const code = await codeAs(principal, document)
        if (authenticationMethod.some((allowed) => allowed === method)) expect([undefined, 'not_found']).toContain(code)
        else expect(code).toBe(wrongMethod)
      }
      // A credential of a team has no user, so the fields of User cannot be selected with one.
      if (!authenticationMethod.includes('team_token') && !name.startsWith('User'))
        for (const create of teamCredentials) expect(await codeFor(await create(database, team), document)).toEqual([wrongMethod, false])
    })
  if (!authenticationMethod || authenticationMethod.includes('personal_token'))
    test('rejects a token with every other scope and accepts each of its own scopes', async () => {
      expect(await codeFor(await personalToken(database, owner, { scopes: others }), document)).toEqual(['insufficient_scope', false])
      const missingScope = authenticationMethod?.includes('team_token') === false ? wrongMethod : 'insufficient_scope'
      for (const create of teamCredentials) {
        const [code] = await codeFor(await create(database, team, { scopes: others }), document)
        expect(code).toBe(teamTokenNeedsNoScope ? undefined : missingScope)
      }
      for (const scope of scopes)
        expect(['not_found', undefined]).toContain((await codeFor(await personalToken(database, owner, { scopes: [scope] }), document))[0])
    })

  if (roles)
    test('rejects members with any other role', async () => {
      for (const role of (['owner', 'billing', 'member'] as const).filter((role) => !roles.includes(role))) {
        const user = await createUser(database)
        await join(database, team, user, role)
        const code = authenticationMethod?.includes('personal_token') === false ? wrongMethod : 'role_required'
        expect(await codeFor(await personalToken(database, user), document)).toEqual([code, false])
      }
    })

  if (name.startsWith('Team.'))
    test('returns the same error for another team and for an unknown team', async () => {
      const other = await createOwnedTeam(database)
      const tokens = await Promise.all(teamCredentials.map((create) => create(database, other.team)))
      for (const token of [other.token, ...tokens]) {
        expect(await codeFor(token, document)).toEqual(['team_forbidden', false])
        expect(await codeFor(token, document.replace(team.slug, 'no-such-team'))).toEqual(['team_forbidden', false])
      }
    })
})

test('Query.ruleCapabilities requires access to the application flow in at least one team', async () => {
  const user = await createUser(database)
  await join(database, await createTeam(database), user, 'owner', ['cert', 'deploy'])
  const token = await personalToken(database, user)
  const document = '{ ruleCapabilities { maxRuleGroupDepth } }'
  expect((await graphql(service, token, document)).errors[0]?.extensions?.code).toBe('role_required')
  await join(database, await createTeam(database), user, 'member', ['flow'])
  expect((await graphql(service, token, document)).errors).toEqual([])
})
