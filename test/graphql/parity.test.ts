import { GraphQLEnumType, Kind, getNamedType, isObjectType, parse } from 'graphql'
import type { GraphQLNamedType, SelectionSetNode } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import type { Route } from '../../rest-facade/route.ts'
import { schema } from '../../schema/index.ts'
import { tokenScopes } from '../../schema/scopes.ts'
import { sha256 } from '../../schema/secret.ts'
import { graphql } from '../support/graphql.ts'
import { createInvoice } from '../support/invoice.ts'
import { accessToken, createGrant } from '../support/oauth-rows.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken, unique } from '../support/team.ts'

// Every route both ways for the same credential: the same data, or the same refusal.

const service = await startService()
const { database } = service
const { prisma } = database
const { team, owner } = await createOwnedTeam(database, { timezone: 'Europe/Paris' })
const ids: Record<string, string> = { teamSlug: team.slug, appId: 'flow' }
const credentials = new Map<string, string>()

beforeAll(async () => {
  const member = await createUser(database)
  await join(database, team, member, 'member', ['cert'])
  ids.userId = member.id
  await prisma.connectedApp.create({ data: { teamId: team.id, application: 'flow', name: 'Flow' } })
  const invoices = [await createInvoice(database, team, { application: 'flow' }, [100, 200]), await createInvoice(database, team)]
  ids.invoiceId = invoices[0]?.id ?? ''
  credentials.set('a team token', await teamToken(database, team))
  ids.tokenId = (await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })).id

  for (const role of ['owner', 'billing', 'member'] as const) {
    const user = await createUser(database)
    await join(database, team, user, role)
    credentials.set(`of a person with the role ${role}`, await personalToken(database, user))
  }
  credentials.set('of a stranger', await personalToken(database, await createUser(database)))
  credentials.set('a team token of another team', await teamToken(database, await createTeam(database)))
  credentials.set('a team token without a scope', await teamToken(database, team, { scopes: [] }))
  for (const scope of tokenScopes)
    credentials.set(`of an owner with ${scope} alone`, await personalToken(database, owner, { scopes: [scope] }))
  const client = await createGrant(database, owner, { team })
  credentials.set('of a client', await accessToken(database, client))
  credentials.set('of a client for the person alone', await accessToken(database, client, { scopes: ['openid', 'profile', 'email'] }))
  const [away, over] = [await createGrant(database, await createUser(database), { team }), await createGrant(database, owner)]
  credentials.set('of a client whose person is no member', await accessToken(database, away))
  await prisma.oAuthGrant.update({ where: { id: over.id }, data: { revokedAt: new Date() } })
  credentials.set('of a client that was revoked', await accessToken(database, over))
  credentials.set('that has expired', await personalToken(database, owner, { expiresAt: new Date(0) }))
  const revoked = await personalToken(database, owner)
  await prisma.accessToken.update({ where: { hash: sha256(revoked) }, data: { revokedAt: new Date() } })
  credentials.set('that is revoked', revoked)
  const disabled = await createUser(database, { disabledAt: new Date() })
  await join(database, team, disabled, 'owner')
  credentials.set('of a disabled person', await personalToken(database, disabled))
})

interface Input {
  path?: Record<string, string>
  query?: string
  variables?: Record<string, unknown>
  body?: Record<string, unknown>
}

/** Inputs of a route: what REST is sent and what its document's variables are. A route without any fails. */
const inputs: Record<string, () => Input[]> = {
  'v1.teams.index': () => [{}],
  'v1.teams.show': () => [{}, { path: { teamSlug: 'no-such-team' } }],
  'v1.teams.update': () => [
    { body: { name: 'Same', timezone: null }, variables: { name: 'Same', timezone: null } },
    { body: { name: ' ' }, variables: { name: ' ' } },
    { body: { timezone: 'Mars/Olympus' }, variables: { timezone: 'Mars/Olympus' } },
  ],
  'v1.teams.apps.index': () => [{}, { query: 'page=2&per_page=1', variables: { page: 2, perPage: 1 } }],
  'v1.teams.apps.show': () => [{}, { path: { appId: 'cert' } }],
  'v1.teams.invoices.index': () => [
    { variables: { withLines: false } },
    { query: 'sort=asc&app_id=flow&expand[]=lines', variables: { sort: 'ASC', appId: 'FLOW', withLines: true } },
    { query: 'page=0', variables: { page: 0, withLines: false } },
  ],
  'v1.teams.invoices.show': () => [
    { query: 'expand[]=lines', variables: { withLines: true } },
    { path: { invoiceId: 'nope' }, variables: { withLines: false } },
  ],
  'v1.teams.members.index': () => [{}, { query: 'per_page=101', variables: { perPage: 101 } }],
  'v1.teams.members.show': () => [{}, { path: { userId: 'nope' } }],
  'v1.teams.members.update': () => [
    { body: { accessible_app_ids: ['cert'] }, variables: { accessibleAppIds: ['CERT'] } },
    { body: { role: 'owner' }, path: { userId: owner.id }, variables: { role: 'OWNER' } },
    { body: {}, variables: {} },
    { body: { accessible_app_ids: ['cert', 'cert'] }, variables: { accessibleAppIds: ['CERT', 'CERT'] } },
    { body: { role: 'member' }, path: { userId: 'nope' }, variables: { role: 'MEMBER' } },
  ],
  'v1.teams.invitations.store': () => {
    const email = `${unique('new')}@example.test`
    return [
      { body: { email, role: 'member' }, variables: { email, role: 'MEMBER' } },
      { body: { email, role: 'owner', accessible_app_ids: [] }, variables: { email, role: 'OWNER', accessibleAppIds: [] } },
      { body: { email: owner.email, role: 'member' }, variables: { email: owner.email, role: 'MEMBER' } },
      { body: { email: 'nobody', role: 'member' }, variables: { email: 'nobody', role: 'MEMBER' } },
    ]
  },
  'v1.teams.tokens.index': () => [{}],
  'v1.teams.tokens.show': () => [{}, { path: { tokenId: '00000000-0000-4000-8000-000000000000' } }],
  'v1.user.show': () => [{}],
  'v1.rules.capabilities': () => [{}],
}

/** With which codes each route refused anybody; `done` where it did not. */
const met = new Map(routes.map(({ operationId }) => [operationId, new Set<string>()]))

describe.each(routes.map((route) => [route.operationId, route] as const))('%s', (operationId, route) => {
  test('says the same through REST and GraphQL', async () => {
    expect(inputs).toHaveProperty([operationId])
    for (const [name, token] of credentials) {
      for (const input of inputs[operationId]?.() ?? []) {
        const parameters = Object.fromEntries(
          route.pathParameters.map((parameter) => [parameter, input.path?.[parameter] ?? ids[parameter] ?? '']),
        )
        const rest = await askRest(route, token, parameters, input)
        const graph = await graphql(service, token, route.document, { ...parameters, ...input.variables })
        const context = `a credential ${name}, ${JSON.stringify(input)}`
        const [refusal] = graph.errors
        met.get(operationId)?.add(rest.body?.code ?? 'done')
        if (rest.status < 300) {
          expect(graph.errors, context).toEqual([])
          if (route.answer.kind !== 'empty') expect(answered(route, rest.body), context).toEqual(reshaped(route, graph.data))
          if (route.answer.kind === 'page') expect(numbersOf(found(route, graph.data)), context).toEqual(metaOf(rest.body))
        } else {
          expect(graph.status === 401, context).toBe(rest.status === 401)
          expect(refusal?.extensions?.code, context).toBe(rest.body.code)
          expect(refusal?.message, context).toBe(rest.body.message)
          expect(inSnakeCase(refusal?.extensions?.errors), context).toEqual(rest.body.errors)
        }
      }
    }
  })
})

test('every credential and refusal was really met', () => {
  expect(credentials.size).toBe(14 + tokenScopes.length)
  expect(Object.keys(inputs).toSorted()).toEqual(routes.map(({ operationId }) => operationId).toSorted())
  for (const [operationId, codes] of met) expect([operationId, codes.has('done')]).toEqual([operationId, true])
  const codes = 'already_member done insufficient_scope not_found role_required team_forbidden unauthenticated validation_failed'
  expect([...new Set(Array.from(met.values(), (each) => [...each]).flat())].toSorted().join(' ')).toBe(codes)
})

function askRest(route: Route, token: string, parameters: Record<string, string>, { query, body }: Input) {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '')
  return request(service, route.method.toUpperCase(), `/api${path}?${query ?? ''}`, { token, ...(route.body && { body: body ?? {} }) })
}

/** What REST answered, without the envelope that GraphQL has no part in. */
const answered = ({ answer }: Route, body: any) => (answer.kind === 'list' || answer.kind === 'page' ? body.data : body)

/** What GraphQL answered, its enum values in the contract's words. */
function reshaped(route: Route, data: any) {
  if (route.answer.kind === 'empty') return null
  const [definition] = parse(route.document).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('not an operation')
  const root = definition.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType()
  const words = root ? inWords(data, definition.selectionSet, root) : null
  const answer = found(route, words)
  if (route.answer.kind === 'page') return answer.nodes
  // Asked one after the other, the second change is later.
  return definition.operation === 'mutation' ? { ...answer, updated_at: expect.any(String) } : answer
}

/** The part of a result that the route answers. */
const found = ({ answer }: Route, data: any) =>
  answer.kind === 'empty' ? null : answer.at.split('.').reduce((inner, name) => inner[name], data)

const numbersOf = ({ total, page, perPage }: any) => ({ total, page, perPage })
const metaOf = ({ meta }: any) => ({ total: meta.total, page: meta.current_page, perPage: meta.per_page })

function inWords(value: any, selection: SelectionSetNode | undefined, type: GraphQLNamedType): any {
  if (value === null) return null
  if (Array.isArray(value)) return value.map((item) => inWords(item, selection, type))
  if (type instanceof GraphQLEnumType) return type.parseValue(value)
  if (!isObjectType(type) || !selection) return value
  return Object.fromEntries(
    selection.selections.flatMap((node) => {
      if (node.kind !== Kind.FIELD) throw new Error('no fragments in these documents')
      const name = node.alias?.value ?? node.name.value
      const field = type.getFields()[node.name.value]
      return name in value && field ? [[name, inWords(value[name], node.selectionSet, getNamedType(field.type))]] : []
    }),
  )
}

/** Errors are keyed by the name as sent: `perPage` here, `per_page` there. */
const inSnakeCase = (errors: Record<string, string[]> | undefined) =>
  errors &&
  Object.fromEntries(
    Object.entries(errors).map(([key, messages]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), messages]),
  )
