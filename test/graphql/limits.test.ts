import { getIntrospectionQuery } from 'graphql'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { graphql } from '../support/graphql.ts'
import { createInvoice } from '../support/invoice.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken } from '../support/team.ts'

const service = await startService()
const { database, url } = service
const { team, owner, token } = await createOwnedTeam(database)

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    body,
  })

describe('a stranger', () => {
  test.each([null, 'nonsense', 'tat_0123456789ABCDEFGHIJKLMNOPQRST3gqFrJ'])(
    '(%s) is told nothing, not even the schema',
    async (credential) => {
      for (const query of ['{ viewer { id } }', getIntrospectionQuery(), '{ __typename }', '{']) {
        const { status, headers, data, errors } = await graphql(service, credential, query)
        expect([status, data]).toEqual([401, null])
        expect(errors).toEqual([
          { message: 'Unauthenticated.', extensions: { code: 'unauthenticated', request_id: headers.get('x-request-id') } },
        ])
        expect(headers.get('www-authenticate')).toBe(`Bearer realm="${url}"${credential === null ? '' : ', error="invalid_token"'}`)
      }
    },
  )

  test('gets GraphiQL as a page of our own files', async () => {
    const page = await fetch(`${url}/graphql`, { headers: { Accept: 'text/html' } })
    const policy = page.headers.get('content-security-policy')
    expect(page.headers.get('cache-control')).toBe('no-store')
    const html = await page.text()
    // GraphiQL keeps its query in the address: reloaded, it is the page again, and the query's answer for who has a credential.
    const reloaded = (headers: Record<string, string>) =>
      fetch(`${url}/graphql?query={viewer{kind}}`, { headers: { Accept: 'text/html,*/*;q=0.8', ...headers } })
    expect(await (await reloaded({})).text()).toBe(html)
    expect(await (await reloaded({ Authorization: `Bearer ${token}` })).json()).toEqual({ data: { viewer: { kind: 'PERSONAL_TOKEN' } } })
    expect([page.status, policy]).toEqual([200, expect.stringContaining("script-src 'self'; worker-src 'self'")])
    const files = Array.from(html.matchAll(/(?:src|href)="(\/[^"]+)"/g), ([, file]) => file)
    expect(files).toEqual(['/graphql/graphiql.css', '/graphql/graphiql.js', '/graphql/start.js'])
    expect(html).not.toMatch(/<script>|https?:/)
    for (const file of [...files, '/graphql/worker-editor.js', '/graphql/worker-json.js', '/graphql/worker-graphql.js']) {
      const { status, headers } = await fetch(url + file)
      expect([file, status]).toEqual([file, 200])
      const again = await fetch(url + file, { headers: { 'If-None-Match': headers.get('etag') ?? '' } })
      expect(again.status).toBe(304)
    }
  })
})

describe('a request', () => {
  test('over 100 KiB is 413', async () => {
    const { status, errors } = await graphql(service, token, `{ viewer { id } } #${'x'.repeat(102_400)}`)
    expect([status, errors[0]?.extensions?.code]).toEqual([413, 'content_too_large'])
  })

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', 'application/graphql'])(
    'of %s is 415',
    async (type) => {
      expect((await post('query=%7Bviewer%7Bid%7D%7D', { 'Content-Type': type })).status).toBe(415)
    },
  )

  test('that is a batch, no JSON or a mutation by GET is refused', async () => {
    expect((await post('[{"query":"{viewer{id}}"},{"query":"{viewer{id}}"}]')).status).toBe(400)
    expect((await post('{')).status).toBe(400)
    const query = encodeURIComponent(`mutation { updateTeam(input: { team: "${team.slug}", name: "Evil" }) { team { name } } }`)
    const response = await fetch(`${url}/graphql?query=${query}`, { headers: { Authorization: `Bearer ${token}` } })
    expect(response.status).toBe(405)
    expect((await database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).name).toBe('Acme')
  })
})

describe('a document', () => {
  test('of thousands of aliases, of nested floods, or too deep is refused before it runs', async () => {
    const aliases = (count: number, field: string) => `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`
    service.statements.length = 0
    const tokens = await graphql(service, token, aliases(700, 'viewer { id }'))
    expect(tokens.errors[0]?.message).toContain('more than 2000 tokens')
    const flood = await graphql(service, token, aliases(60, 'teams { members(perPage: 100) { nodes { id } } }'))
    expect([flood.status, flood.errors[0]?.extensions?.code]).toEqual([400, 'query_too_costly'])
    expect(service.statements.filter((text) => !text.includes('access_tokens'))).toEqual([])
  })

  test('of a hundred invoices with every field and line is answered', async () => {
    const line = '{ id appId description quantity unitAmount amount currency periodStart periodEnd }'
    const fields = `id number appId status currency subtotal tax total amountDue amountPaid invoiceDate dueDate paidAt periodStart periodEnd lines ${line}`
    const { errors } = await graphql(service, token, `{ team(slug: "${team.slug}") { invoices(perPage: 100) { nodes { ${fields} } } } }`)
    expect(errors).toEqual([])
  })

  test('introspects for who is known', async () => {
    const { data } = await graphql(service, token, getIntrospectionQuery())
    expect(data.__schema.queryType.name).toBe('Query')
  })
})

describe('nested lists', () => {
  test('send no statement per row', async () => {
    const own = await createTeam(database)
    await join(database, own, owner, 'owner')
    for (let i = 0; i < 20; i++) {
      await createInvoice(database, own, {}, [1, 2, 3])
      await join(database, own, await createUser(database), 'member')
    }
    const query = `{ team(slug: "${own.slug}") { invoices { nodes { id lines { id amount } } } members { nodes { id name } } tokens { nodes { createdBy { name } } } } }`
    service.statements.length = 0
    const { data, errors } = await graphql(service, token, query)
    expect([errors, data.team.invoices.nodes.length, data.team.members.nodes.length]).toEqual([[], 20, 21])
    // The credential; invoices and their lines; members; tokens and their count.
    expect(service.statements.filter((text) => !text.includes('last_used_at = u.at'))).toHaveLength(6)
  })
})

describe('whatever a client sends', () => {
  // FUZZ_REQUESTS=50000 FUZZ_SEED=1 makes the long form of the property.
  const numRuns = Number(process.env.FUZZ_REQUESTS ?? 500)
  const seed = process.env.FUZZ_SEED === undefined ? undefined : Number(process.env.FUZZ_SEED)

  test(`no fault in ${numRuns} operations`, { timeout: 3_600_000 }, async () => {
    const fuzzer = await personalToken(database, owner)
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\0', '\ud800', 'a\0b', '', '9'.repeat(400), team.slug, owner.id),
      fc.jsonValue(),
    )
    const operations = [
      'query ($a: String!) { team(slug: $a) { name } }',
      `query ($a: ID!) { team(slug: "${team.slug}") { member(id: $a) { id } } }`,
      `query ($a: ID!) { team(slug: "${team.slug}") { invoice(id: $a) { id } } }`,
      `query ($a: ID!) { team(slug: "${team.slug}") { app(id: $a) { id } } }`,
      `query ($a: ID!) { team(slug: "${team.slug}") { token(id: $a) { id } } }`,
      `query ($a: ID!) { team(slug: "${team.slug}") { invitation(id: $a) { id } } }`,
      `query ($a: Int, $b: Int) { team(slug: "${team.slug}") { members(page: $a, perPage: $b) { total } } }`,
      `query ($a: Application, $b: Int) { team(slug: "${team.slug}") { invoices(appId: $a, page: $b) { total } } }`,
      'mutation ($a: String!, $b: String) { updateTeam(input: { team: $a, name: $b, timezone: $b, gravatarEmail: $b }) { team { name } } }',
      `mutation ($a: String, $b: String) { updateTeam(input: { team: "${team.slug}", timezone: $a, gravatarEmail: $b }) { team { name } } }`,
      `mutation ($a: ID!, $b: [Application!]) { updateMember(input: { team: "${team.slug}", userId: $a, accessibleAppIds: $b }) { member { id } } }`,
      `mutation ($a: ID!) { removeMember(input: { team: "${team.slug}", userId: $a }) { member { id } } }`,
      `mutation ($a: String!, $b: Role!) { inviteMember(input: { team: "${team.slug}", email: $a, role: $b }) { invitation { id } } }`,
      'mutation ($a: ID!) { resendInvitation(input: { id: $a }) { invitation { id } } }',
      'mutation ($a: ID!) { revokeInvitation(input: { id: $a }) { invitation { id } } }',
      'mutation ($a: String!) { acceptInvitation(input: { token: $a }) { team { slug } } }',
      'mutation ($a: String!) { declineInvitation(input: { token: $a }) { invitation { id } } }',
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operations), nasty, nasty, async (operation, a, b) => {
        const { status, errors } = await graphql(service, fuzzer, operation, { a, b })
        expect(status).toBeLessThan(500)
        expect(errors.filter(({ extensions }) => extensions?.code === 'server_error')).toEqual([])
      }),
      { numRuns, ...(seed !== undefined && { seed }) },
    )
  })
})
