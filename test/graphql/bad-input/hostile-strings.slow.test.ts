import {
  GraphQLEnumType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from 'graphql'
import type { GraphQLInputType, GraphQLOutputType } from 'graphql'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { schema } from '../../../schema/index.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { createMailQueue } from '../../support/service/periodic-work.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import type { UserPrincipal } from '../../../schema/core/principals.ts'

// Hostile text in every string argument must not cause an internal error. executeAs throws on internal errors.

// `retryMail` reads the queue of mails.
const service = useService()
beforeAll(() => createMailQueue(service.databaseUrl))
let team: Team
let owner: User
let session: UserPrincipal
beforeAll(async () => {
  ;({ team, owner } = await createOwnedTeam(service.database, { slug: 'acme' }))
  session = await sessionOf(service, owner)
})

const hostileText = fc.oneof(
  fc.constantFrom(
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '',
    ' ',
    'x'.repeat(70_000),
    "' OR 1=1 --",
    '%',
    '\\',
    '\u202e',
    '1e309',
    '🂡'.repeat(256),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
)

/** Valid values for the arguments next to the hostile text. */
let validValues: Record<string, unknown>
beforeAll(() => {
  validValues = {
    team: team.slug,
    slug: team.slug,
    email: owner.email,
    owner: owner.email,
    userId: owner.id,
    id: owner.id,
  }
})
function validValueFor(name: string, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return name === 'scopes' ? ['teams'] : []
  if (isInputObjectType(nullable))
    return Object.fromEntries(Object.values(nullable.getFields()).map((field) => [field.name, validValueFor(field.name, field.type)]))
  if (nullable instanceof GraphQLEnumType) return nullable.getValues()[0]?.name
  if (isScalarType(nullable) && nullable.name === 'DateTime') return new Date(Date.now() + 86_400_000).toISOString()
  if (isScalarType(nullable) && nullable.name === 'Boolean') return true
  if (isScalarType(nullable) && nullable.name !== 'String' && nullable.name !== 'ID') return 0
  return validValues[name] ?? 'text'
}

const isText = (type: GraphQLInputType) => ['String', 'ID'].includes(getNamedType(type).name)
const documentFor = {
  Query: (selection: string) => selection,
  Team: (selection: string) => `team(slug: "acme") { ${selection} }`,
  Viewer: (selection: string) => `viewer { ${selection} }`,
}

interface TextArgument {
  name: string
  document: string
  variables(text: string): Record<string, unknown>
}

const mutationArguments: TextArgument[] = Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ name, args }) => {
  if (args.length === 0) return []
  const input = getNamedType(args[0]?.type)
  if (!isInputObjectType(input)) throw new Error(`${name} has no input type`)
  const fields = Object.values(input.getFields())
  const rest = () => Object.fromEntries(fields.map((field) => [field.name, validValueFor(field.name, field.type)]))
  return fields
    .filter((field) => isText(field.type))
    .map((field) => ({
      name: `${name}.${field.name}`,
      document: `mutation ($input: ${input.name}!) { ${name}(input: $input) { __typename } }`,
      variables: (text) => ({ input: { ...rest(), [field.name]: isListType(getNullableType(field.type)) ? [text] : text } }),
    }))
})
/** Selects the rows of a list: without them, it would send no statement. */
function selectionOf(type: GraphQLOutputType): string {
  const named = getNamedType(type)
  const isList = isObjectType(named) && 'nodes' in named.getFields()
  return isList ? '{ nodes { __typename } }' : '{ __typename }'
}

/** Values for the other required arguments of a field. */
const requiredArguments: Record<string, string> = { field: 'field: "Team.name"' }
const queryArguments: TextArgument[] = (['Query', 'Team', 'Viewer'] as const).flatMap((parent) => {
  const type = schema.getType(parent)
  const fields = isObjectType(type) ? Object.values(type.getFields()) : []
  return fields.flatMap(({ name, args, type: result }) =>
    args
      .filter((argument) => isText(argument.type))
      .map((argument) => {
        const others = args
          .filter((other) => other !== argument && isRequiredArgument(other))
          .map((other) => `, ${requiredArguments[other.name]}`)
        const selection = `${name}(${argument.name}: $text${others.join('')}) ${selectionOf(result)}`
        return {
          name: `${parent}.${name}.${argument.name}`,
          document: `query ($text: ${String(argument.type)}) { ${documentFor[parent](selection)} }`,
          variables: (text: string) => ({ text }),
        }
      }),
  )
})

/** The text arguments of a list and of its connection. */
const ofList = (list: string, ...filters: string[]) => [
  ...filters.map((argument) => `${list}.${argument}`),
  ...[...filters, 'after', 'before'].map((argument) => `${list}Connection.${argument}`),
]

test('every string argument of the schema is tested', () => {
  const expected = [
    'Query.client.clientId',
    ...['invitation', 'openedInvitation', 'openedLink', 'savedLink'].map((name) => `Query.${name}.token`),
    ...['invitation', 'invoice', 'member', 'token'].map((name) => `Query.${name}Totals.teams`),
    'Query.node.id',
    'Query.nodes.ids',
    'Query.pendingProviderLink.request',
    'Query.signInProviders.email',
    'Query.signInProviders.team',
    'Query.team.slug',
    'Query.user.email',
    'Query.webhook.id',
    'Query.workloadIdentity.id',
    ...'app invoice member invitation token grant auditEntry webhook workloadIdentity domain identityProvider lastIdentityProviderTest client'
      .split(' ')
      .map((name) => `Team.${name}.id`),
    ...['passkeys', 'sessions', 'trustedDevices', 'invitations', 'solelyOwnedTeams'].flatMap((name) => ofList(`Viewer.${name}`)),
    ...['Viewer.externalIdentities', 'Query.deletedTeams', 'Team.apps'].flatMap((name) => ofList(name)),
    ...ofList('Query.teams', 'search'),
    'Query.auditEntries.teams',
    'Query.auditEntriesConnection.teams',
    ...ofList('Query.auditEntries', 'actor', 'search', 'subject'),
    ...ofList('Team.access', 'person', 'scope', 'search'),
    ...ofList('Team.auditEntries', 'actor', 'search', 'subject'),
    ...['clients', 'directoryGroups', 'directoryUsers', 'invitations', 'members', 'membersWithoutTwoFactor', 'people'].flatMap((name) =>
      ofList(`Team.${name}`, 'search'),
    ),
    'Team.events.after',
    ...ofList('Team.grants', 'clientId', 'person', 'scope', 'search'),
    ...ofList('Team.invoices', 'currency', 'search'),
    ...ofList('Team.personalTokens', 'person', 'scope', 'search'),
    ...ofList('Team.tokens', 'scope', 'search'),
    ...ofList('Viewer.grants', 'clientId', 'person', 'scope', 'search'),
    ...ofList('Viewer.teams', 'search'),
    ...ofList('Viewer.tokens', 'scope', 'search'),
    'Viewer.can.field',
    'Viewer.can.team',
    'Viewer.grant.id',
    'Viewer.token.id',
    'Viewer.totpProposal.encrypted',
  ]
  expect(queryArguments.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
  expect(mutationArguments.length).toBeGreaterThan(25)
})

describe.each([...queryArguments, ...mutationArguments].map((argument) => [argument.name, argument] as const))(
  '%s',
  (_, { document, variables }) => {
    test('accepts any text without an internal error', async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(session, operator), hostileText, async (principal, text) => {
          await executeAs(service, principal, document, variables(text))
        }),
        { numRuns: 40 },
      )
    })
  },
)
