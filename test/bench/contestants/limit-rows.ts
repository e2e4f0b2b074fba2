import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { invoiceBodies, memberBody, teamBody } from './bodies.ts'
import { envelope, expandsLines, Refusal, requestedName, requestedPage, tokenHash, unauthenticated, unauthorized } from './checks.ts'
import { graphqlBody, requestedTeam } from './graphql.ts'
import { openPool } from './pool.ts'
import * as statements from './statements.ts'

// *limit-rows*: how fast the requests get without any framework, with `node:http`, `pg` and prepared statements: credential and rows in one
// statement, totals that the database keeps, and `JSON.stringify`. It looks the credential up on every request, too.

const [databaseUrl = '', publicUrl = '', connections = ''] = process.argv.slice(2)
const pool = openPool(databaseUrl, Number(connections), { instantsAsText: true })

async function rowsOf<Row extends object>(statement: { name: string; text: string }, ...values: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>({ ...statement, values })).rows
}

/** Executes the statement of a request for a team, and returns its first row and all rows that are not empty. */
async function rowsOfTeam<Row extends object>(
  statement: { name: string; text: string },
  request: IncomingMessage,
  slug: string,
  ...values: unknown[]
): Promise<[first: Row, ...Row[]]> {
  const [first, ...others] = await rowsOf<Row & statements.Credential>(statement, tokenHash(request.headers.authorization), slug, ...values)
  if (!first) throw unauthenticated()
  if (!first.allowed) throw unauthorized()
  return [first, ...others]
}

async function listTeams(request: IncomingMessage) {
  const rows = await rowsOf<statements.TeamRow & { scopes: string[]; kind: string }>(
    statements.teamsOfCredential,
    tokenHash(request.headers.authorization),
  )
  const [first] = rows
  if (!first) throw unauthenticated()
  if (first.kind !== 'team' && !first.scopes.includes('teams') && !first.scopes.includes('acct:team:read')) throw unauthorized()
  return { data: rows.filter(({ slug }) => slug !== null).map(teamBody) }
}

async function showTeam(request: IncomingMessage, slug: string) {
  return teamBody((await rowsOfTeam<statements.TeamRow>(statements.oneTeam, request, slug))[0])
}

async function updateTeam(request: IncomingMessage, slug: string) {
  const name = requestedName(await json(request))
  return teamBody((await rowsOfTeam<statements.TeamRow>(statements.renameTeam, request, slug, name, randomUUID()))[0])
}

async function findMembers(request: IncomingMessage, slug: string, limit: number, offset: number) {
  const rows = await rowsOfTeam<statements.MemberRow>(statements.membersPage, request, slug, limit, offset)
  // Beyond the last page there is one row without a member.
  return rows.filter(({ user_id }) => user_id !== null)
}

async function listMembers(request: IncomingMessage, slug: string, { pathname, searchParams }: URL) {
  const requested = requestedPage(Object.fromEntries(searchParams))
  const rows = await findMembers(request, slug, requested.perPage, requested.offset)
  return envelope(publicUrl + pathname, requested, rows.map(memberBody), rows[0]?.total ?? 0)
}

async function listInvoices(request: IncomingMessage, slug: string, { pathname, searchParams }: URL) {
  const requested = requestedPage(Object.fromEntries(searchParams))
  const withLines = expandsLines(searchParams.getAll('expand[]'))
  const found = await rowsOfTeam<statements.InvoiceRow>(statements.invoicesPage, request, slug, requested.perPage, requested.offset)
  const rows = found.filter(({ id }) => id !== null)
  const lines = withLines
    ? await rowsOf<statements.LineRow>(
        statements.invoiceLines,
        rows.map(({ id }) => id),
      )
    : undefined
  return envelope(publicUrl + pathname, requested, invoiceBodies(rows, lines), found[0].total, withLines)
}

async function membersByGraphql(request: IncomingMessage) {
  const slug = requestedTeam(await json(request))
  return graphqlBody(await findMembers(request, slug, 50, 0))
}

async function respond(request: IncomingMessage): Promise<object> {
  const { method } = request
  const url = new URL(request.url ?? '/', publicUrl)
  if (url.pathname === '/graphql' && method === 'POST') return membersByGraphql(request)
  const [, api, version, teams, slug, list, ...rest] = url.pathname.split('/')
  if (api !== 'api' || version !== 'v1' || teams !== 'teams' || rest.length > 0) throw new Refusal(404, 'Not found.')
  if (slug === undefined && method === 'GET') return listTeams(request)
  if (slug !== undefined && list === undefined && method === 'GET') return showTeam(request, slug)
  if (slug !== undefined && list === undefined && method === 'PATCH') return updateTeam(request, slug)
  if (slug !== undefined && list === 'members' && method === 'GET') return listMembers(request, slug, url)
  if (slug !== undefined && list === 'invoices' && method === 'GET') return listInvoices(request, slug, url)
  throw new Refusal(404, 'Not found.')
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text)
}

const server = createServer((request, response) => {
  respond(request).then(
    (body) => send(response, 200, body),
    (error: unknown) =>
      error instanceof Refusal ? send(response, error.status, { message: error.message }) : send(response, 500, { message: String(error) }),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.once('disconnect', () => process.exit())
