import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { invoiceBodies, memberBody, teamBody } from './bodies.ts'
import {
  envelope,
  expandsLines,
  hasRights,
  invoicesNeeds,
  membersNeeds,
  Refusal,
  renameNeeds,
  requestedName,
  requestedPage,
  teamNeeds,
  tokenHash,
  unauthenticated,
  unauthorized,
} from './checks.ts'
import type { Needs } from './checks.ts'
import { graphqlBody, requestedTeam } from './graphql.ts'
import { openPool } from './pool.ts'
import * as statements from './statements.ts'

// *limit-rows*: how fast the requests get without any framework, with `node:http`, `pg` and prepared statements: the
// credential in one statement, rows in the next, and `JSON.stringify`. It looks the credential up on every request, too.

const [databaseUrl = '', publicUrl = '', connections = ''] = process.argv.slice(2)
const pool = openPool(databaseUrl, Number(connections), { instantsAsText: true })

async function rowsOf<Row extends object>(statement: { name: string; text: string }, ...values: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>({ ...statement, values })).rows
}

/** Checks credential, membership, role and scope with one statement, and returns its row. */
async function requireTeam<Row extends statements.Credential>(
  statement: { name: string; text: string },
  request: IncomingMessage,
  slug: string,
  needs: Needs,
): Promise<Row & { team_id: string }> {
  const [row] = await rowsOf<Row>(statement, tokenHash(request.headers.authorization), slug)
  if (!row) throw unauthenticated()
  const { team_id } = row
  if (team_id === null || !hasRights(row, needs)) throw unauthorized()
  return { ...row, team_id }
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
  return teamBody(await requireTeam<statements.Credential & statements.TeamRow>(statements.credentialAndTeam, request, slug, teamNeeds))
}

async function updateTeam(request: IncomingMessage, slug: string) {
  const { id, user_id, user_name, team_id } = await requireTeam(statements.credential, request, slug, renameNeeds)
  const name = requestedName(await json(request))
  const [team] = await rowsOf<statements.TeamRow>(statements.renameTeam, team_id, name, user_id, user_name, id, randomUUID())
  if (!team) throw new Refusal(404, 'Not found.')
  return teamBody(team)
}

async function findMembers(request: IncomingMessage, slug: string, limit: number, offset: number) {
  const { team_id } = await requireTeam(statements.credential, request, slug, membersNeeds)
  return rowsOf<statements.MemberRow>(statements.membersPage, team_id, limit, offset)
}

async function listMembers(request: IncomingMessage, slug: string, { pathname, searchParams }: URL) {
  const requested = requestedPage(Object.fromEntries(searchParams))
  const rows = await findMembers(request, slug, requested.perPage, requested.offset)
  return envelope(publicUrl + pathname, requested, rows.map(memberBody), rows[0]?.total ?? 0)
}

async function listInvoices(request: IncomingMessage, slug: string, { pathname, searchParams }: URL) {
  const { team_id } = await requireTeam(statements.credential, request, slug, invoicesNeeds)
  const requested = requestedPage(Object.fromEntries(searchParams))
  const withLines = expandsLines(searchParams.getAll('expand[]'))
  const rows = await rowsOf<statements.InvoiceRow>(statements.invoicesPage, team_id, requested.perPage, requested.offset)
  const lines = withLines
    ? await rowsOf<statements.LineRow>(
        statements.invoiceLines,
        rows.map(({ id }) => id),
      )
    : undefined
  return envelope(publicUrl + pathname, requested, invoiceBodies(rows, lines), rows[0]?.all ?? 0, withLines)
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
