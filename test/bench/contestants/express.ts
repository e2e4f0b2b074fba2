import { randomUUID } from 'node:crypto'
import express from 'express'
import type { ErrorRequestHandler, RequestHandler } from 'express'
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
import { createQueries } from './express-queries.ts'
import type { Team, Token } from './express-queries.ts'
import { graphqlBody, requestedTeam } from './graphql.ts'
import { openPool } from './pool.ts'

// *Express by hand*: the requests as a usual service with Express and `pg` serves them. Middleware looks the token up and then the team, a
// handler counts the rows, reads the page and responds with `response.json`.

declare module 'express-serve-static-core' {
  interface Locals {
    token: Token
    team: Team
  }
}

const [databaseUrl = '', publicUrl = '', connections = ''] = process.argv.slice(2)
const queries = createQueries(openPool(databaseUrl, Number(connections)))

const authenticate: RequestHandler = async (request, response, next) => {
  const token = await queries.findToken(tokenHash(request.get('Authorization')))
  if (!token) throw unauthenticated()
  response.locals.token = token
  next()
}

async function findAccessibleTeam(token: Token, slug: string, needs: Needs): Promise<Team> {
  const team = await queries.findTeam(slug, token)
  if (!team || !hasRights({ scopes: token.scopes, role: team.role }, needs)) throw unauthorized()
  return team
}

const requireTeam =
  (needs: Needs): RequestHandler<{ teamSlug: string }> =>
  async (request, response, next) => {
    response.locals.team = await findAccessibleTeam(response.locals.token, request.params.teamSlug, needs)
    next()
  }

const app = express()
app.use(express.json())
app.use(authenticate)

app.get('/api/v1/teams', async (_, response) => {
  const { token } = response.locals
  if (token.kind !== 'team' && !token.scopes.includes('teams') && !token.scopes.includes('acct:team:read')) throw unauthorized()
  const teams = await queries.findTeams(token)
  response.json({ data: teams.map(teamBody) })
})

app.get('/api/v1/teams/:teamSlug', requireTeam(teamNeeds), (_, response) => {
  response.json(teamBody(response.locals.team))
})

app.patch('/api/v1/teams/:teamSlug', requireTeam(renameNeeds), async (request, response) => {
  const { token, team } = response.locals
  const changed = await queries.renameTeam(team.id, requestedName(request.body), token, randomUUID())
  response.json(teamBody(changed))
})

app.get('/api/v1/teams/:teamSlug/members', requireTeam(membersNeeds), async (request, response) => {
  const { team } = response.locals
  const requested = requestedPage(request.query)
  const total = await queries.countMembers(team.id)
  const members = await queries.findMembers(team.id, requested.perPage, requested.offset)
  response.json(envelope(publicUrl + request.path, requested, members.map(memberBody), total))
})

app.get('/api/v1/teams/:teamSlug/invoices', requireTeam(invoicesNeeds), async (request, response) => {
  const { team } = response.locals
  const requested = requestedPage(request.query)
  const withLines = expandsLines(request.query['expand[]'])
  const total = await queries.countInvoices(team.id)
  const invoices = await queries.findInvoices(team.id, requested.perPage, requested.offset)
  const lines = withLines ? await queries.findLines(invoices.map(({ id }) => id)) : undefined
  response.json(envelope(publicUrl + request.path, requested, invoiceBodies(invoices, lines), total, withLines))
})

app.post('/graphql', async (request, response) => {
  const team = await findAccessibleTeam(response.locals.token, requestedTeam(request.body), membersNeeds)
  const total = await queries.countMembers(team.id)
  response.json(graphqlBody(await queries.findMembers(team.id, 50, 0), total))
})

app.use(((error, _request, response, _next) => {
  const status = error instanceof Refusal ? error.status : 500
  response.status(status).json({ message: String(error) })
}) satisfies ErrorRequestHandler)

const server = app.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.once('disconnect', () => process.exit())
