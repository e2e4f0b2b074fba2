import express from 'express'
import type { Request, Response } from 'express'
import type pg from 'pg'
import { invoiceBodies, memberBody, teamBody } from './bodies.ts'
import {
  envelope,
  expandsLines,
  hasRights,
  invoicesNeeds,
  membersNeeds,
  Refusal,
  requestedPage,
  tokenHash,
  unauthenticated,
  unauthorized,
} from './checks.ts'
import type { Needs } from './checks.ts'
import { openPool } from './pool.ts'
import { credential, invoiceLines, invoicesPage, membersPage, teamsOfCredential } from './statements.ts'
import type { Credential, InvoiceRow, LineRow, MemberRow, TeamRow } from './statements.ts'

// *Express, tuned*: the three most frequent lists with Express and two prepared statements each, without its body parser, ETag and
// `response.json`. Faster than a usual service: between *limit-rows* and *Express by hand*.

const [databaseUrl = '', publicUrl = '', connections = ''] = process.argv.slice(2)
const pool = openPool(databaseUrl, Number(connections))

/** Checks credential, membership, role and scope, and returns the ID of the team. */
async function requireTeam(request: Request, needs: Needs): Promise<string> {
  const values = [tokenHash(request.headers.authorization), request.params.teamSlug]
  const [row] = (await pool.query<Credential>({ ...credential, values })).rows
  if (!row) throw unauthenticated()
  if (row.team_id === null || !hasRights(row, needs)) throw unauthorized()
  return row.team_id
}

async function teams(request: Request) {
  const values = [tokenHash(request.headers.authorization)]
  const { rows } = await pool.query<TeamRow & { scopes: string[]; kind: string }>({ ...teamsOfCredential, values })
  const [first] = rows
  if (!first) throw unauthenticated()
  const isAllowed = first.kind === 'team' || first.scopes.includes('teams') || first.scopes.includes('acct:team:read')
  if (!isAllowed) throw unauthorized()
  return { data: rows.filter(({ slug }) => slug !== null).map(teamBody) }
}

async function members(request: Request) {
  const teamId = await requireTeam(request, membersNeeds)
  const requested = requestedPage(request.query)
  const { rows } = await pool.query<MemberRow>({ ...membersPage, values: [teamId, requested.perPage, requested.offset] })
  const total = rows[0]?.total ?? (await totalOf('members', teamId))
  return envelope(publicUrl + request.path, requested, rows.map(memberBody), total)
}

async function invoices(request: Request) {
  const teamId = await requireTeam(request, invoicesNeeds)
  const requested = requestedPage(request.query)
  const withLines = expandsLines(request.query['expand[]'])
  const { rows } = await pool.query<InvoiceRow>({ ...invoicesPage, values: [teamId, requested.perPage, requested.offset] })
  const lines = withLines ? (await pool.query<LineRow>({ ...invoiceLines, values: [rows.map(({ id }) => id)] })).rows : undefined
  const total = rows[0]?.all ?? (await totalOf('invoices', teamId))
  return envelope(publicUrl + request.path, requested, invoiceBodies(rows, lines), total, withLines)
}

/** Counts the rows when the page is empty, because an empty page contains no total. */
async function totalOf(table: 'members' | 'invoices', teamId: string): Promise<number> {
  const { rows }: pg.QueryResult<{ count: number }> = await pool.query(`SELECT count(*) FROM ${table} WHERE team_id = $1`, [teamId])
  return rows[0]?.count ?? 0
}

const respondWith = (list: (request: Request) => Promise<object>) => async (request: Request, response: Response) => {
  try {
    send(response, 200, await list(request))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    send(response, error.status, { message: error.message })
  }
}

function send(response: Response, status: number, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text)
}

const app = express().disable('x-powered-by').disable('etag')
app.get('/api/v1/teams', respondWith(teams))
app.get('/api/v1/teams/:teamSlug/members', respondWith(members))
app.get('/api/v1/teams/:teamSlug/invoices', respondWith(invoices))
const server = app.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.once('disconnect', () => process.exit())
