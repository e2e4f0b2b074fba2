import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Request, Response } from 'express'
import type pg from 'pg'
import { avatarUrl } from '../../schema/avatar.ts'
import { sha256, tokenKind } from '../../schema/secret.ts'
import { linksOf } from './yardstick-links.ts'
import { credential, invoiceLines, invoicesPage, membersPage, openPool, teamsOfCredential } from './yardstick-statements.ts'
import type { Credential, InvoiceRow, LineRow, MemberRow, TeamRow } from './yardstick-statements.ts'

// What the service is measured against: the same three lists written by hand, with Express and pg alone. The same
// checks in the same order, the same bytes in the answer; no layer that serves more than these three.

const [databaseUrl = '', publicUrl = '', connections = '10'] = process.argv.slice(2)
const pool = openPool(databaseUrl, Number(connections))

class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The hash of a bearer token of good form, whose checksum was looked at before anybody is asked. */
function tokenHash({ headers }: Request): Buffer {
  const token = /^Bearer ([\w\-.~+/]+=*)$/i.exec(headers.authorization ?? '')?.[1]
  if (token === undefined || tokenKind(token) === null) throw new Refusal(401, 'Unauthenticated.')
  return sha256(token)
}

/** The team's id, once credential, membership, role and scope have been looked at. */
async function allowedTeam(request: Request, scope: string, roles?: readonly string[]): Promise<string> {
  const values = [tokenHash(request), request.params.teamSlug]
  const [found] = (await pool.query<Credential>({ ...credential, values })).rows
  if (!found) throw new Refusal(401, 'Unauthenticated.')
  const isAllowed = found.team_id !== null && found.role !== null && found.scopes.includes(scope) && (roles?.includes(found.role) ?? true)
  if (!isAllowed || found.team_id === null) throw new Refusal(403, 'This action is unauthorized.')
  return found.team_id
}

function integer(value: unknown, fallback: number, most: number): number {
  if (value === undefined) return fallback
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : 0
  if (number < 1 || number > most) throw new Refusal(422, 'The given data was invalid.')
  return number
}

function pageOf({ query }: Request) {
  const page = integer(query.page, 1, 2 ** 31 - 1)
  const perPage = integer(query.per_page, 50, 100)
  return { page, perPage, offset: (page - 1) * perPage, kept: query.per_page === undefined ? [] : [`per_page=${perPage}`] }
}

async function teams(request: Request) {
  const { rows } = await pool.query<TeamRow>({ ...teamsOfCredential, values: [tokenHash(request)] })
  const [first] = rows
  if (!first) throw new Refusal(401, 'Unauthenticated.')
  const isAllowed = first.kind === 'team' || first.scopes.includes('teams') || first.scopes.includes('acct:team:read')
  if (!isAllowed) throw new Refusal(403, 'This action is unauthorized.')
  if (first.slug === null) return { data: [] }
  return {
    data: rows.map(({ slug, name, timezone, gravatar_email, created_at, updated_at }) => {
      return { slug, name, timezone, gravatar_email, avatar_url: avatarUrl(gravatar_email), created_at, updated_at }
    }),
  }
}

async function members(request: Request) {
  const teamId = await allowedTeam(request, 'acct:team:members:read')
  const { page, perPage, offset, kept } = pageOf(request)
  const { rows } = await pool.query<MemberRow>({ ...membersPage, values: [teamId, perPage, offset] })
  const data = rows.map(({ user_id, name, email, role, all_applications, applications, joined_at }) => {
    const accessible_app_ids = all_applications ? null : applications
    return { id: user_id, name, email, role, accessible_app_ids, avatar_url: avatarUrl(email), joined_at }
  })
  const total = rows[0]?.total ?? (await totalOf('members', teamId))
  return { data, ...linksOf(publicUrl + request.path, kept, page, perPage, data.length, total) }
}

async function invoices(request: Request) {
  const teamId = await allowedTeam(request, 'acct:team:invoices:read', ['owner', 'billing'])
  const { page, perPage, offset, kept } = pageOf(request)
  const expand = [request.query['expand[]'] ?? []].flat()
  if (!expand.every((value) => value === 'lines')) throw new Refusal(422, 'The selected expand.0 is invalid.')
  const { rows } = await pool.query<InvoiceRow>({ ...invoicesPage, values: [teamId, perPage, offset] })
  const lines = expand.length > 0 ? await linesOf(rows) : undefined
  const data = rows.map((row) => ({
    ...invoice(row),
    lines: lines && (lines.get(row.id) ?? []).map((line) => lineBody(line, row.currency)),
  }))
  const keptToo = expand.map((_, index) => `expand%5B${index}%5D=lines`)
  const total = rows[0]?.all ?? (await totalOf('invoices', teamId))
  return { data, ...linksOf(publicUrl + request.path, [...kept, ...keptToo], page, perPage, data.length, total) }
}

async function linesOf(rows: InvoiceRow[]): Promise<Map<string, LineRow[]>> {
  const found = await pool.query<LineRow>({ ...invoiceLines, values: [rows.map(({ id }) => id)] })
  return Map.groupBy(found.rows, ({ invoice_id }) => invoice_id)
}

function invoice({ application, subtotal, tax, amount_paid, ...row }: InvoiceRow) {
  const { id, number, status, currency, invoice_date, due_date, paid_at, period_start, period_end } = row
  const total = subtotal + tax
  const sums = { currency, subtotal, tax, total, amount_due: total - amount_paid, amount_paid }
  return { id, number, app_id: application, status, ...sums, invoice_date, due_date, paid_at, period_start, period_end }
}

function lineBody({ id, application, description, quantity, unit_amount, period_start, period_end }: LineRow, currency: string) {
  return { id, app_id: application, description, quantity, unit_amount, amount: quantity * unit_amount, currency, period_start, period_end }
}

// An empty page carries no total.
async function totalOf(table: 'members' | 'invoices', teamId: string): Promise<number> {
  const { rows }: pg.QueryResult<{ count: number }> = await pool.query(`SELECT count(*) FROM ${table} WHERE team_id = $1`, [teamId])
  return rows[0]?.count ?? 0
}

const answer = (list: (request: Request) => Promise<object>) => async (request: Request, response: Response) => {
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
app.get('/api/v1/teams', answer(teams))
app.get('/api/v1/teams/:teamSlug/members', answer(members))
app.get('/api/v1/teams/:teamSlug/invoices', answer(invoices))
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.once('disconnect', () => process.exit())
