import { getNamedType, isCompositeType, isObjectType, isRequiredArgument } from 'graphql'
import type { GraphQLField } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Context, Principal } from '../../schema/context.ts'
import { schema } from '../../schema/index.ts'
import type { Requirement } from '../../schema/requires.ts'
import { tokenScopes } from '../../schema/scopes.ts'
import { graphql } from '../support/graphql.ts'
import { executeAs, sessionOf } from '../support/in-process.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/team.ts'

// Every field that says what it requires, and the credentials that must not be enough. Mutations: mutations.test.ts.

const service = await startService()
const { database } = service
const { team, owner } = await createOwnedTeam(database)

/** Where a field's parent is reached; a type that is missing here fails the test. */
const wayTo: Record<string, (selection: string) => string> = {
  Query: (selection) => `{ ${selection} }`,
  Team: (selection) => `{ team(slug: "${team.slug}") { ${selection} } }`,
  Viewer: (selection) => `{ viewer { ${selection} } }`,
  User: (selection) => `{ viewer { user { ${selection} } } }`,
}
const values: Record<string, string> = {
  id: '"00000000-0000-4000-8000-000000000000"',
  email: '"nobody@example.test"',
  clientId: '"nobody"',
  token: '"nobody"',
}

interface Guarded {
  name: string
  document: string
  requires: Requirement
}

const guarded: Guarded[] = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter((type) => type !== schema.getMutationType())
  .flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) => {
      const requires = field.extensions.requires as Requirement | undefined
      return requires ? { name: `${type.name}.${field.name}`, document: wayTo[type.name]?.(selectionOf(field)) ?? '', requires } : []
    }),
  )

function selectionOf({ name, args, type }: GraphQLField<unknown, Context>): string {
  const required = args.filter(isRequiredArgument).map((argument) => `${argument.name}: ${values[argument.name]}`)
  return `${name}${required.length > 0 ? `(${required.join(', ')})` : ''}${isCompositeType(getNamedType(type)) ? ' { __typename }' : ''}`
}

const codeFor = async (token: string, document: string) => {
  const { data, errors } = await graphql(service, token, document)
  return [errors[0]?.extensions?.code, JSON.stringify(data ?? null).includes('__typename')]
}
const codeAs = async (principal: Principal, document: string) => (await executeAs(service, principal, document)).refusal?.code

describe.each(guarded.map((field) => [field.name, field] as const))('%s', (name, { document, requires }) => {
  const { scopes, roles, via, teamTokenNeedsNoScope } = requires
  const others = tokenScopes.filter((scope) => !scopes.includes(scope))

  if (via)
    test('is for those ways of authenticating alone', async () => {
      const session = await sessionOf(service, owner)
      const ways = {
        session,
        oauth: { ...session, via: 'oauth', client: { clientId: 'client', team: null } },
        personal_token: { ...session, via: 'personal_token' },
      } as const
      for (const [way, principal] of Object.entries(ways)) {
        const code = await codeAs(principal, document)
        if (via.some((open) => open === way)) expect([undefined, 'not_found']).toContain(code)
        else expect(code).toBe('insufficient_scope')
      }
      const ofTeam = await codeFor(await teamToken(database, team), document)
      // No team token has a person to ask about.
      if (!via.includes('team_token') && !name.startsWith('User')) expect(ofTeam).toEqual(['insufficient_scope', false])
    })
  if (!via || via.includes('personal_token'))
    test('is closed to every scope but its own, and open to each of those', async () => {
      expect(await codeFor(await personalToken(database, owner, { scopes: others }), document)).toEqual(['insufficient_scope', false])
      const ofTeam = await codeFor(await teamToken(database, team, { scopes: others }), document)
      expect(ofTeam[0]).toBe(teamTokenNeedsNoScope ? undefined : 'insufficient_scope')
      for (const scope of scopes)
        expect(['not_found', undefined]).toContain((await codeFor(await personalToken(database, owner, { scopes: [scope] }), document))[0])
    })

  if (roles)
    test('is closed to other roles', async () => {
      for (const role of (['owner', 'billing', 'member'] as const).filter((role) => !roles.includes(role))) {
        const person = await createUser(database)
        await join(database, team, person, role)
        expect(await codeFor(await personalToken(database, person), document)).toEqual(['role_required', false])
      }
    })

  if (name.startsWith('Team.'))
    test('is closed to other teams, known or not', async () => {
      const other = await createOwnedTeam(database)
      for (const token of [other.token, await teamToken(database, other.team)]) {
        expect(await codeFor(token, document)).toEqual(['team_forbidden', false])
        expect(await codeFor(token, document.replace(team.slug, 'no-such-team'))).toEqual(['team_forbidden', false])
      }
    })
})

test('rule capabilities need access to the application', async () => {
  const person = await createUser(database)
  await join(database, await createTeam(database), person, 'owner', ['cert', 'deploy'])
  const token = await personalToken(database, person)
  const document = '{ ruleCapabilities { maxRuleGroupDepth } }'
  expect((await graphql(service, token, document)).errors[0]?.extensions?.code).toBe('role_required')
  await join(database, await createTeam(database), person, 'member', ['flow'])
  expect((await graphql(service, token, document)).errors).toEqual([])
})
