import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { baselineFile, baselineText, currentDocument, readBaselineDocument, readContract } from '../../build/openapi/openapi-baseline.ts'
import { listBreakingChanges } from '../../build/openapi/operation-changes.ts'

const contract = readContract(currentDocument())

test('the REST API offers everything that it offered in the last release', () => {
  expect(listBreakingChanges(readContract(readBaselineDocument()), contract)).toEqual([])
})

test('the baseline is written in the format of the repository', async () => {
  expect(await baselineText(readBaselineDocument())).toBe(readFileSync(baselineFile, 'utf8'))
})

/** The parts of a copy of the contract that the cases below change. */
const readParts = ({ paths, webhooks, components }: any) => ({
  paths,
  webhooks,
  components,
  schemas: components.schemas,
  list: paths['/v1/teams/{teamSlug}/invoices'].get,
  show: paths['/v1/teams/{teamSlug}'].get,
  update: paths['/v1/teams/{teamSlug}'].patch,
  invite: paths['/v1/teams/{teamSlug}/invitations'].post,
  body: components.schemas.V1TeamsInvitationsStoreRequest,
  updated: components.schemas.V1TeamsUpdateRequest.properties,
  event: webhooks['team.updated'].post.requestBody.content['application/json'].schema,
  team: components.schemas.Team,
})
type Change = (parts: ReturnType<typeof readParts>) => unknown

function compareAfter(change: Change): string[] {
  const copy = structuredClone(contract)
  change(readParts(copy))
  return listBreakingChanges(contract, copy)
}

const without = (list: string[], name: string) => list.splice(list.indexOf(name), 1)

describe('a breaking change is reported:', () => {
  test.each<[string, Change, string[]]>([
    ['a removed path', ({ paths }) => delete paths['/v1/user'], ['/v1/user get: removed']],
    ['a renamed operation', ({ show }) => (show.operationId = 'team'), ['v1.teams.show: operationId is now team']],
    ['a removed parameter', ({ list }) => list.parameters.splice(1, 1), ['v1.teams.invoices.index query page: removed']],
    [
      'a new required parameter',
      ({ list }) => list.parameters.push({ name: 'x', in: 'query', required: true, schema: {} }),
      ['v1.teams.invoices.index query x: new and required'],
    ],
    [
      'a parameter that becomes required',
      ({ list }) => (list.parameters[1].required = true),
      ['v1.teams.invoices.index query page: now required'],
    ],
    [
      'a lower limit of a parameter',
      ({ list }) => (list.parameters[2].schema.maximum = 10),
      ['v1.teams.invoices.index query per_page: maximum was 100, is 10'],
    ],
    [
      'a removed value of a parameter',
      ({ list }) => list.parameters[4].schema.enum.pop(),
      ['v1.teams.invoices.index query sort: no longer accepts desc'],
    ],
    [
      'a member of a request that becomes required',
      ({ body }) => body.required.push('accessible_app_ids'),
      ['V1TeamsInvitationsStoreRequest in requests accessible_app_ids: now required'],
    ],
    [
      'a new required member of a request',
      ({ body }) => (body.required.push('x'), (body.properties.x = {})),
      ['V1TeamsInvitationsStoreRequest in requests x: new and required'],
    ],
    ['a removed member of a request', ({ updated }) => delete updated.name, ['V1TeamsUpdateRequest in requests name: removed']],
    [
      'a new format of a request',
      ({ updated }) => (updated.name.format = 'email'),
      ['V1TeamsUpdateRequest in requests name: format was undefined, is "email"'],
    ],
    [
      'a member of a request that can no longer be null',
      ({ updated }) => (updated.gravatar_email.type = 'string'),
      ['V1TeamsUpdateRequest in requests gravatar_email: no longer accepts null'],
    ],
    [
      'a removed value of a request and response',
      ({ schemas }) => schemas.Role.enum.pop(),
      ['Role in requests: no longer accepts billing'],
    ],
    [
      'a removed media type of a request',
      ({ invite }) => (invite.requestBody.content = {}),
      ['v1.teams.invitations.store body application/json: removed'],
    ],
    ['a body that becomes required', ({ update }) => (update.requestBody.required = true), ['v1.teams.update body: now required']],
    ['a removed member of a response', ({ team }) => delete team.properties.slug, ['Team in responses slug: removed']],
    [
      'a member of a response that can be absent',
      ({ team }) => without(team.required, 'slug'),
      ['Team in responses slug: may now be absent'],
    ],
    [
      'a member of a response that can be null',
      ({ team }) => (team.properties.slug.type = ['string', 'null']),
      ['Team in responses slug: may now be null'],
    ],
    [
      'a reference in a response that can be null',
      ({ schemas }) => (schemas.TeamMember.properties.role = { anyOf: [schemas.TeamMember.properties.role, { type: 'null' }] }),
      ['TeamMember in responses role: may now be null'],
    ],
    [
      'a wider type of a response',
      ({ schemas }) => (schemas.TeamInvoice.properties.total.type = 'number'),
      ['TeamInvoice in responses total: may now be number'],
    ],
    [
      'another format of a response',
      ({ team }) => (team.properties.created_at.format = 'date'),
      ['Team in responses created_at: format was "date-time", is "date"'],
    ],
    [
      'a new value of a response',
      ({ schemas }) => schemas.Role.enum.push('guest'),
      [
        'Role in responses: may now be guest',
        'MemberEventData in responses role: may now be guest',
        'InvitationEventData in responses role: may now be guest',
      ],
    ],
    [
      'an enumeration of a response that becomes any text',
      ({ schemas }) => delete schemas.WebhookState.enum,
      ['WebhookState in responses: may now be any value'],
    ],
    [
      'a member of an alternative that is removed',
      ({ schemas }) => delete schemas.MemberEventData.properties.email,
      ['MemberEventData in responses email: removed'],
    ],
    ['a removed status', ({ show }) => delete show.responses['304'], ['v1.teams.show 304: removed']],
    [
      'a removed media type of a response',
      ({ show }) => (show.responses['200'].content = {}),
      ['v1.teams.show 200 application/json: removed'],
    ],
    ['a removed header field', ({ show }) => delete show.responses['200'].headers.ETag, ['v1.teams.show 200 ETag: removed']],
    ['a further scope', ({ show }) => show.security[0].oauth2.push('openid'), ['v1.teams.show: needs more than {"oauth2":["teams"]}']],
    [
      'a removed scope',
      ({ components }) => without(components.securitySchemes.oauth2.flows.authorizationCode.scopes, 'teams'),
      ['security scheme oauth2 flows authorizationCode scopes: lacks teams'],
    ],
    [
      'a renamed schema',
      ({ schemas }) => {
        schemas.Link = schemas.PageLink
        schemas.PageMeta.properties.links.items.$ref = '#/components/schemas/Link'
        delete schemas.PageLink
      },
      ['schema PageLink: removed'],
    ],
    ['a removed webhook', ({ webhooks }) => delete webhooks['team.deleted'], ['team.deleted post: removed']],
    [
      'a member that webhooks no longer send',
      ({ event }) => delete event.properties.team,
      ['webhooks.team.updated body application/json team: removed'],
    ],
  ])('%s', (_, change, reported) => {
    expect(compareAfter(change)).toEqual(reported)
  })
})

describe('an addition is compatible:', () => {
  test.each<[string, Change]>([
    ['an operation', ({ paths, show }) => (paths['/v1/x'] = { get: show })],
    ['an optional parameter', ({ list }) => list.parameters.push({ name: 'x', in: 'query', required: false, schema: {} })],
    ['an optional member of a request', ({ body }) => (body.properties.x = { type: 'string' })],
    ['a member of a request that becomes optional', ({ body }) => without(body.required, 'role')],
    ['a longer text of a request', ({ updated }) => (updated.name.maxLength = 300)],
    ['null in a request', ({ updated }) => (updated.name.type = ['string', 'null'])],
    ['a further value of a parameter', ({ list }) => list.parameters[4].schema.enum.push('random')],
    ['a member of a response', ({ team }) => (team.properties.x = { type: 'string' })],
    ['a value of a response whose enumeration is open', ({ schemas }) => schemas.ActorKind.enum.push('x')],
    ['a response that is never null', ({ team }) => (team.properties.timezone = team.properties.timezone.anyOf[0])],
    ['an amount in 64 bits', ({ schemas }) => (schemas.PageMeta.properties.total.format = 'int64')],
    ['an error status', ({ show, list }) => (show.responses['422'] = list.responses['422'])],
    ['a further scope that is enough', ({ show }) => show.security.push({ oauth2: ['openid'] })],
    ['a type of event', ({ webhooks, schemas }) => (schemas.EventType.enum.push('x'), (webhooks.x = webhooks['team.updated']))],
    ['a member that webhooks send', ({ event }) => (event.required.push('x'), (event.properties.x = { type: 'string' }))],
    ['a deprecation', ({ show }) => (show.deprecated = true)],
  ])('%s', (_, change) => {
    expect(compareAfter(change)).toEqual([])
  })
})
