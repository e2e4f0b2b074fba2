import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../rest-facade/routes/index.ts'
import type { Route } from '../../../rest-facade/route.ts'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { convertKeysToSnakeCase, graphqlData, restData, selectResult } from '../../support/graphql/rest-values.ts'
import { mutate } from '../../support/http/mutate.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken, unique } from '../../support/data/team.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import { insertDelivery } from '../../support/webhooks/delivery-row.ts'

// Every route through REST and through GraphQL with the same credential: same data or same error.
const service = useService()
const { database } = service
let owner: User
const ids: Record<string, string> = { teamSlug: 'acme', appId: 'flow' }
const unknownId = '00000000-0000-4000-8000-000000000000'
const credentials = new Map<string, string>()

beforeAll(async () => {
  const { team, ...owned } = await createOwnedTeam(database, { slug: 'acme', timezone: 'Europe/Paris' })
  owner = owned.owner
  const member = await createUser(database)
  await join(database, team, member, 'member', ['cert'])
  ids.userId = member.id
  await database.prisma.connectedApp.create({ data: { teamId: team.id, application: 'flow', name: 'Flow' } })
  const invoices = [await createInvoice(database, team, { application: 'flow' }, [100, 200]), await createInvoice(database, team)]
  ids.invoiceId = invoices[0]?.id ?? ''
  credentials.set('team token', await teamToken(database, team))
  await insertDelivery(database.pool, team.id, service.clock.now())
  ids.webhookId = (await database.prisma.webhook.findFirstOrThrow({ where: { teamId: team.id } })).id
  ids.tokenId = (await database.prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })).id

  for (const role of ['owner', 'billing', 'member'] as const) {
    const user = await createUser(database)
    await join(database, team, user, role)
    credentials.set(`personal token, role ${role}`, await personalToken(database, user))
  }
  credentials.set('personal token, no team', await personalToken(database, await createUser(database)))
  credentials.set('team token of another team', await teamToken(database, await createTeam(database)))
  credentials.set('team token without a scope', await teamToken(database, team, { scopes: [] }))
  for (const scope of tokenScopes)
    credentials.set(`personal token of an owner with only ${scope}`, await personalToken(database, owner, { scopes: [scope] }))
  const client = await createGrant(database, owner, { team })
  credentials.set('access token', await accessToken(database, client))
  credentials.set('access token with only profile scopes', await accessToken(database, client, { scopes: ['openid', 'profile', 'email'] }))
  const nonMemberGrant = await createGrant(database, await createUser(database), { team })
  const revokedGrant = await createGrant(database, owner)
  credentials.set('access token of a user who is not a member', await accessToken(database, nonMemberGrant))
  await database.prisma.oAuthGrant.update({ where: { id: revokedGrant.id }, data: { revokedAt: new Date() } })
  credentials.set('access token of a revoked grant', await accessToken(database, revokedGrant))
  credentials.set('expired personal token', await personalToken(database, owner, { expiresAt: new Date(0) }))
  const revoked = await personalToken(database, owner)
  await database.prisma.accessToken.update({ where: { hash: sha256(revoked) }, data: { revokedAt: new Date() } })
  credentials.set('revoked personal token', revoked)
  const disabled = await createUser(database, { disabledAt: new Date() })
  await join(database, team, disabled, 'owner')
  credentials.set('personal token of a disabled user', await personalToken(database, disabled))
})

type Fields = Record<string, unknown>
type Input = { path?: Record<string, string>; query?: string; variables?: Fields; body?: Fields }

/** Inputs of each route: the REST request and the variables of its GraphQL document. A route without inputs fails. */
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
    { path: { invoiceId: 'unknown' }, variables: { withLines: false } },
  ],
  'v1.teams.members.index': () => [{}, { query: 'per_page=101', variables: { perPage: 101 } }],
  'v1.teams.members.show': () => [{}, { path: { userId: 'unknown' } }],
  'v1.teams.members.update': () => [
    { body: { accessible_app_ids: ['cert'] }, variables: { accessibleAppIds: ['CERT'] } },
    { body: { role: 'owner' }, path: { userId: owner.id }, variables: { role: 'OWNER' } },
    { body: {}, variables: {} },
    { body: { accessible_app_ids: ['cert', 'cert'] }, variables: { accessibleAppIds: ['CERT', 'CERT'] } },
    { body: { role: 'member' }, path: { userId: 'unknown' }, variables: { role: 'MEMBER' } },
  ],
  'v1.teams.invitations.store': () => {
    const email = `${unique('new')}@example.test`
    return [
      { body: { email, role: 'member' }, variables: { email, role: 'MEMBER' } },
      { body: { email, role: 'owner', accessible_app_ids: [] }, variables: { email, role: 'OWNER', accessibleAppIds: [] } },
      { body: { email: owner.email, role: 'member' }, variables: { email: owner.email, role: 'MEMBER' } },
      { body: { email: 'invalid', role: 'member' }, variables: { email: 'invalid', role: 'MEMBER' } },
    ]
  },
  'v1.teams.tokens.index': () => [{ query: 'expand[]=previous_value', variables: { withPreviousValue: true } }],
  'v1.teams.tokens.show': () =>
    [ids.tokenId, unknownId].map((tokenId = '') => ({ path: { tokenId }, variables: { withPreviousValue: false } })),
  'v1.teams.events.index': () => [
    {},
    { query: 'types[]=team.updated&types[]=member.updated', variables: { types: ['TEAM_UPDATED', 'MEMBER_UPDATED'] } },
    { query: 'after=unknown', variables: { after: 'unknown' } },
  ],
  'v1.teams.webhooks.index': () => [{}],
  'v1.teams.webhooks.show': () => [ids.webhookId, unknownId].map((webhookId = '') => ({ path: { webhookId } })),
  'v1.teams.webhooks.deliveries.index': () => [{}, { query: 'per_page=1', variables: { perPage: 1 } }],
  'v1.teams.webhooks.update': () => [
    { body: { description: 'New', types: ['team.updated'] }, variables: { description: 'New', types: ['TEAM_UPDATED'] } },
    { body: { url: 'ftp://example.com' }, variables: { url: 'ftp://example.com' } },
    { body: { enabled: false }, variables: { enabled: false } },
    { path: { webhookId: unknownId }, body: {}, variables: {} },
  ],
  'v1.user.show': () => [{}],
  'v1.rules.capabilities': () => [{}],
}

/** Error codes that each route returned; `done` for success. */
const codesByRoute = new Map(routes.map(({ operationId }) => [operationId, new Set<string>()]))

describe.each(routes.map((route) => [route.operationId, route] as const))('%s', (operationId, route) => {
  test('returns the same data or error through REST and GraphQL', async () => {
    expect(inputs).toHaveProperty([operationId])
    for (const [name, token] of credentials) {
      for (const input of inputs[operationId]?.() ?? []) {
        const parameters = Object.fromEntries(
          route.pathParameters.map((parameter) => [parameter, input.path?.[parameter] ?? ids[parameter] ?? '']),
        )
        const rest = await requestRest(route, token, parameters, input)
        const graphqlResponse = await mutate(service, token, route.document, { ...parameters, ...input.variables })
        const context = `${name}, ${JSON.stringify(input)}`
        const { refusal } = graphqlResponse
        codesByRoute.get(operationId)?.add(rest.body?.code ?? 'done')
        if (rest.status < 300) {
          expect(refusal, context).toBe(null)
          if (route.response.kind !== 'empty') expect(restData(route, rest.body), context).toEqual(graphqlData(route, graphqlResponse.data))
          if (route.response.kind === 'page')
            expect(pageNumbersOf(selectResult(route, graphqlResponse.data)), context).toEqual(metaOf(rest.body))
        } else {
          expect(graphqlResponse.status === 401, context).toBe(rest.status === 401)
          expect(refusal?.code, context).toBe(rest.body.code)
          expect(refusal?.message, context).toBe(rest.body.message)
          expect(convertKeysToSnakeCase(refusal?.errors) ?? {}, context).toEqual(rest.body.errors ?? {})
        }
      }
    }
  })
})

test('every route was requested with every kind of credential and returned every expected error code', () => {
  expect(credentials.size).toBe(14 + tokenScopes.length)
  expect(Object.keys(inputs).toSorted()).toEqual(routes.map(({ operationId }) => operationId).toSorted())
  for (const [operationId, codes] of codesByRoute) expect([operationId, codes.has('done')]).toEqual([operationId, true])
  const codes = 'already_member done insufficient_scope not_found role_required team_forbidden unauthenticated validation_failed'
  expect([...new Set(Array.from(codesByRoute.values(), (each) => [...each]).flat())].toSorted().join(' ')).toBe(codes)
})

function requestRest(route: Route, token: string, parameters: Record<string, string>, { query, body }: Input) {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '')
  return request(service, route.method.toUpperCase(), `/api${path}?${query ?? ''}`, { token, ...(route.body && { body: body ?? {} }) })
}

const pageNumbersOf = ({ total, page, perPage }: any) => ({ total, page, perPage })
const metaOf = ({ meta }: any) => ({ total: meta.total, page: meta.current_page, perPage: meta.per_page })
