import { getIntrospectionQuery } from 'graphql'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { graphql } from '../../support/http/graphql.ts'
import { resourceMetadataOf } from '../../support/http/resource-metadata.ts'
import { expectNoFault } from '../../support/http/no-fault.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { fuzzing } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import type { Team, User } from '../../../prisma/generated/client/client.ts'

const service = useService()
const { database, url } = service
let team: Team
let owner: User
let token: string
beforeAll(async () => {
  ;({ team, owner, token } = await createOwnedTeam(database))
})

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    body,
  })

describe('an unauthenticated caller', () => {
  test.each([null, 'invalid', 'tat_0123456789ABCDEFGHIJKLMNOPQRST3gqFrJ'])(
    'with the credential %s cannot query anything, including the schema',
    async (credential) => {
      for (const query of ['{ viewer { id: userId } }', getIntrospectionQuery(), '{ __typename }', '{']) {
        const { status, headers, data, errors } = await graphql(service, credential, query)
        expect([status, data]).toEqual([401, null])
        expect(errors).toEqual([
          { message: 'Unauthenticated.', extensions: { code: 'unauthenticated', request_id: headers.get('x-request-id') } },
        ])
        expect(headers.get('www-authenticate')).toBe(
          `Bearer realm="${url}"${credential === null ? '' : ', error="invalid_token"'}, ${resourceMetadataOf(url, 'graphql')}`,
        )
      }
    },
  )

  test('is led in a browser to GraphiQL with its query, after the sign-in or with a token', async () => {
    const query = '{viewer{kind}}'
    const opened = (headers: Record<string, string>) =>
      fetch(`${url}/graphql?query=${query}`, { headers: { Accept: 'text/html,*/*;q=0.8', ...headers } })
    const page = await opened({})
    const address = `graphiql?${new URLSearchParams({ query })}`
    expect([page.url, page.status, page.headers.get('cache-control')]).toEqual([`${url}/${address}`, 200, 'no-store'])
    const links = Array.from((await page.text()).matchAll(/<a class="button[^"]*" href="([^"]+)"/g), ([, href]) => href)
    expect(links).toEqual([`/sign-in?return_to=${encodeURIComponent(`/${address}`)}`, `/graphql/${address}`])
    // A request with a credential returns the result.
    expect(await (await opened({ Authorization: `Bearer ${token}` })).json()).toMatchObject({
      data: { viewer: { kind: 'PERSONAL_TOKEN' } },
    })
  })

  test('receives GraphiQL, whose scripts and styles are files of the service', async () => {
    const page = await fetch(`${url}/graphql/graphiql`)
    const policy = page.headers.get('content-security-policy')
    expect(page.headers.get('cache-control')).toBe('no-store')
    const html = await page.text()
    expect([page.status, policy]).toEqual([200, expect.stringContaining("script-src 'self'; worker-src 'self'")])
    const files = Array.from(html.matchAll(/<(?:script|link) [^>]*(?:src|href)="(\/[^"]+)"/g), ([, file]) => file)
    const [, folder = ''] = /data-folder="([^"]+)"/.exec(html) ?? []
    expect(folder).toMatch(/^\/graphql\/graphiql-[0-9a-f]{16}$/)
    expect(files).toEqual([`${folder}/graphiql.css`, '/graphql/start.js', `${folder}/graphiql.js`])
    expect(html).not.toMatch(/<script>|https?:/)
  })
})

describe('a GraphQL request', () => {
  test('over 100 KiB returns 413', async () => {
    const { status, errors } = await graphql(service, token, `{ viewer { id: userId } } #${'x'.repeat(102_400)}`)
    expect([status, errors[0]?.extensions?.code]).toEqual([413, 'content_too_large'])
  })

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', 'application/graphql'])(
    'with the content type %s returns 415',
    async (type) => {
      expect((await post('query=%7Bviewer%7Bid%7D%7D', { 'Content-Type': type })).status).toBe(415)
    },
  )

  test('is rejected if it is invalid JSON or a mutation in a GET request', async () => {
    expect((await post('{')).status).toBe(400)
    const query = encodeURIComponent(`mutation { updateTeam(input: { team: "${team.slug}", name: "Evil" }) { team { name } } }`)
    const response = await fetch(`${url}/graphql?query=${query}`, { headers: { Authorization: `Bearer ${token}` } })
    expect(response.status).toBe(405)
    expect((await database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).name).toBe('Acme')
  })
})

describe('a GraphQL document', () => {
  test('with hundreds of aliases or costly nested lists is rejected before it is executed', async () => {
    const aliases = (count: number, field: string) => `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`
    service.statements.length = 0
    const tokens = await graphql(service, token, aliases(700, 'viewer { id: userId }'))
    expect(tokens.errors[0]?.message).toContain('more than 2000 tokens')
    const costly = await graphql(service, token, aliases(60, 'teams { members(perPage: 100) { nodes { id: userId } } }'))
    expect([costly.status, costly.errors[0]?.extensions?.code]).toEqual([200, 'query_too_costly'])
    expect(service.statements.filter((text) => !text.includes('access_tokens'))).toEqual([])
  })

  test('that selects every field of 100 invoices and their lines is executed', async () => {
    const line = '{ id: lineId appId description quantity unitAmount amount currency periodStart periodEnd }'
    const fields = `id: invoiceId number appId status currency subtotal tax total amountDue amountPaid invoiceDate dueDate paidAt periodStart periodEnd lines ${line}`
    const { errors } = await graphql(service, token, `{ team(slug: "${team.slug}") { invoices(perPage: 100) { nodes { ${fields} } } } }`)
    expect(errors).toEqual([])
  })

  test('can introspect the schema with a valid credential', async () => {
    const { data } = await graphql(service, token, getIntrospectionQuery())
    expect(data.__schema.queryType.name).toBe('Query')
  })
})

describe('nested lists', () => {
  test('do not send a statement per row', async () => {
    const largeTeam = await createTeam(database)
    await join(database, largeTeam, owner, 'owner')
    for (let i = 0; i < 20; i++) {
      await createInvoice(database, largeTeam, {}, [1, 2, 3])
      await join(database, largeTeam, await createUser(database), 'member')
    }
    const query = `{ team(slug: "${largeTeam.slug}") { invoices { nodes { id: invoiceId lines { id: lineId amount } } } members { nodes { id: userId name } } tokens { nodes { createdBy { name } } } } }`
    service.statements.length = 0
    const { data, errors } = await graphql(service, token, query)
    expect([errors, data.team.invoices.nodes.length, data.team.members.nodes.length]).toEqual([[], 20, 21])
    // One for the credential, two for invoices and their lines, one for members, one for tokens.
    expect(service.statements.filter((text) => !text.includes('last_used_at = u.at'))).toHaveLength(5)
  })
})

describe('arbitrary variables', () => {
  test('of a repeated query are refused as those of its first execution', async () => {
    const query = 'query ($slug: String!) { team(slug: $slug) { slug } }'
    const invalid = () => graphql(service, token, query, { slug: {} })
    const { status, headers, errors } = await invalid()
    for (let i = 0; i < 5; i++) expect((await graphql(service, token, query, { slug: team.slug })).errors).toEqual([])
    const repeated = await invalid()
    const requestId = headers.get('x-request-id')
    const expected = errors.map((error) => ({
      ...error,
      extensions: { ...error.extensions, request_id: repeated.headers.get('x-request-id') },
    }))
    expect([status, repeated.status, repeated.errors]).toEqual([200, 200, expected])
    expect(errors).toEqual([expect.objectContaining({ extensions: { code: 'bad_user_input', request_id: requestId } })])
  })

  test('never cause a server error', { timeout: 3_600_000 }, async () => {
    const fuzzToken = await personalToken(database, owner)
    const hostileText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\0', '\ud800', 'a\0b', '', '9'.repeat(400), team.slug, owner.id),
      fc.jsonValue(),
    )
    const operations = [
      'query ($a: String!) { team(slug: $a) { name } }',
      `query ($a: ID!) { team(slug: "${team.slug}") { member(id: $a) { id: userId } } }`,
      `query ($a: ID!) { team(slug: "${team.slug}") { invoice(id: $a) { id: invoiceId } } }`,
      `query ($a: ID!) { team(slug: "${team.slug}") { app(id: $a) { id: appId } } }`,
      `query ($a: ID!) { team(slug: "${team.slug}") { token(id: $a) { id: tokenId } } }`,
      `query ($a: ID!) { team(slug: "${team.slug}") { invitation(id: $a) { id: invitationId } } }`,
      `query ($a: Int, $b: Int) { team(slug: "${team.slug}") { members(page: $a, perPage: $b) { total } } }`,
      `query ($a: Application, $b: Int) { team(slug: "${team.slug}") { invoices(appId: $a, page: $b) { total } } }`,
      'mutation ($a: String!, $b: String) { updateTeam(input: { team: $a, name: $b, timezone: $b, gravatarEmail: $b }) { team { name } } }',
      `mutation ($a: String, $b: String) { updateTeam(input: { team: "${team.slug}", timezone: $a, gravatarEmail: $b }) { team { name } } }`,
      `mutation ($a: ID!, $b: [Application!]) { updateMember(input: { team: "${team.slug}", userId: $a, accessibleAppIds: $b }) { member { id: userId } } }`,
      `mutation ($a: ID!) { removeMember(input: { team: "${team.slug}", userId: $a }) { member { id: userId } } }`,
      `mutation ($a: String!, $b: Role!) { inviteMember(input: { team: "${team.slug}", email: $a, role: $b }) { invitation { id: invitationId } } }`,
      'mutation ($a: ID!) { resendInvitation(input: { id: $a }) { invitation { id: invitationId } } }',
      'mutation ($a: ID!) { revokeInvitation(input: { id: $a }) { invitation { id: invitationId } } }',
      'mutation ($a: String!) { acceptInvitation(input: { token: $a }) { team { slug } } }',
      'mutation ($a: String!) { declineInvitation(input: { token: $a }) { invitation { id: invitationId } } }',
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operations), hostileText, hostileText, async (operation, a, b) => {
        const Authorization = `Bearer ${fuzzToken}`
        const response = await post(JSON.stringify({ query: operation, variables: { a, b } }), { Authorization })
        await expectNoFault(service, response, [operation, a, b])
      }),
      fuzzing({ short: 150, full: 500 }),
    )
  })
})
