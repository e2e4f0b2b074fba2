import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { generateKeyPair, SignJWT } from 'jose'
import { encrypt } from '../../../schema/core/encryption.ts'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { lifetimes } from '../../../src/oidc/provider/lifetimes.ts'
import { Refusal } from './checks.ts'
import { verifyBare } from './bare-assertion.ts'
import {
  activeToken,
  insertIdentityToken,
  insertMachineToken,
  machineClient,
  refreshToken,
  rotate,
  useAssertion,
  workloadIdentity,
} from './oauth-statements.ts'
import type { IdentityRow, MachineRow, TokenRow } from './oauth-statements.ts'
import { openPool } from './pool.ts'

// *Bare endpoint*: UserInfo, introspection, refresh with an ID token, client credentials and JWT bearer, with `node:http`, `pg` and jose only. The same
// checks against the database and the same rows as the service writes, in one statement, two for a token request, or three with an assertion.

const [databaseUrl = '', publicUrl = '', connections = ''] = process.argv.slice(2)
const pool = openPool(databaseUrl, Number(connections))
const { privateKey } = await generateKeyPair('ES256')

const now = () => Math.floor(Date.now() / 1000)

/** Finds a token whose chain, grant, client, user and team are active, with the client that authenticates, if any. */
async function findToken(statement: { name: string; text: string }, value: string, client?: ClientCredentials): Promise<TokenRow> {
  const values = [sha256(value), client?.id ?? null, client && sha256(client.secret)]
  const [row] = (await pool.query<TokenRow>({ ...statement, values })).rows
  if (!row) throw new Refusal(401, 'invalid_token')
  if (client && !row.is_client_authenticated) throw new Refusal(401, 'invalid_client')
  return row
}

/** The scopes that the token has now: granted in its chain, and registered for its client. */
const scopesOf = ({ payload, granted, registered }: TokenRow) =>
  payload.scope.split(' ').filter((scope) => granted.includes(scope) && registered.includes(scope))

interface ClientCredentials {
  id: string
  secret: string
}

/** Reads HTTP Basic (RFC 6749 §2.3.1). */
function clientOf({ headers: { authorization = '' } }: IncomingMessage): ClientCredentials {
  const [scheme, encoded = ''] = authorization.split(' ')
  const [id, secret] = Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent)
  if (scheme !== 'Basic' || id === undefined || secret === undefined) throw new Refusal(401, 'invalid_client')
  return { id, secret }
}

async function userInfo({ headers: { authorization = '' } }: IncomingMessage) {
  const row = await findToken(activeToken, authorization.replace(/^Bearer /, ''))
  const scopes = scopesOf(row)
  if (!scopes.includes('openid')) throw new Refusal(403, 'insufficient_scope')
  const { user_id: sub, name, updated_at, email, email_verified } = row
  return { sub, ...(scopes.includes('profile') && { name, updated_at }), ...(scopes.includes('email') && { email, email_verified }) }
}

async function introspect(request: IncomingMessage) {
  const client = clientOf(request)
  const row = await findToken(activeToken, new URLSearchParams(await text(request)).get('token') ?? '', client)
  if (row.client_id !== client.id) return { active: false }
  const { user_id: sub, client_id, payload, team } = row
  const { iat, exp } = payload
  return { active: true, sub, client_id, exp, iat, iss: publicUrl, scope: scopesOf(row).join(' '), token_type: 'Bearer', team }
}

async function issueTokens(request: IncomingMessage) {
  const form = new URLSearchParams(await text(request))
  if (form.has('assertion')) return issueIdentityToken(form)
  const client = clientOf(request)
  return form.get('grant_type') === 'client_credentials' ? issueMachineToken(client, form) : refresh(client, form)
}

async function issueMachineToken(client: ClientCredentials, form: URLSearchParams) {
  const [row] = (await pool.query<MachineRow>({ ...machineClient, values: [client.id, sha256(client.secret)] })).rows
  if (!row?.is_client_authenticated) throw new Refusal(401, 'invalid_client')
  const requested = form.get('scope')?.split(' ') ?? row.registered
  const scope = tokenScopes.filter((each) => requested.includes(each) && row.registered.includes(each)).join(' ')
  const access_token = randomBytes(33).toString('base64url')
  const seconds = lifetimes.machineToken
  const payload = { kind: 'ClientCredentials', clientId: client.id, scope, iat: now(), exp: now() + seconds }
  const { rows } = await pool.query({ ...insertMachineToken, values: [client.id, sha256(access_token), JSON.stringify(payload), seconds] })
  if (rows.length === 0) throw new Refusal(400, 'invalid_grant')
  return { access_token, expires_in: seconds, scope, token_type: 'Bearer', team: rows[0].team }
}

async function issueIdentityToken(form: URLSearchParams) {
  const id = form.get('client_id') ?? ''
  const [identity] = (await pool.query<IdentityRow>({ ...workloadIdentity, values: [id] })).rows
  if (!identity) throw new Refusal(401, 'invalid_client')
  const { issuer, conditions, scopes } = identity
  const { jti, exp } = await verifyBare(form.get('assertion') ?? '', identity, publicUrl)
  const used = await pool.query({ ...useAssertion, values: [sha256(JSON.stringify([issuer, jti])), exp + 30] })
  if (used.rowCount === 0) throw new Refusal(400, 'invalid_grant')
  const scope = scopes.join(' ')
  const access_token = randomBytes(33).toString('base64url')
  const seconds = lifetimes.machineToken
  const payload = { kind: 'ClientCredentials', clientId: id, scope, iat: now(), exp: now() + seconds }
  const values = [id, sha256(access_token), JSON.stringify(payload), seconds, issuer, JSON.stringify(conditions)]
  const { rows } = await pool.query({ ...insertIdentityToken, values })
  if (rows.length === 0) throw new Refusal(400, 'invalid_grant')
  return { access_token, expires_in: seconds, scope, token_type: 'Bearer', team: rows[0].team }
}

async function refresh(client: ClientCredentials, form: URLSearchParams) {
  const value = form.get('refresh_token') ?? ''
  const row = await findToken(refreshToken, value, client)
  if (row.client_id !== client.id) throw new Refusal(400, 'invalid_grant')
  const [access, next] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  const scope = scopesOf(row).join(' ')
  const response = {
    access_token: access,
    expires_in: lifetimes.accessToken,
    id_token: await signIdToken(row.user_id, client.id, access),
    refresh_token: next,
    scope,
    token_type: 'Bearer',
    team: row.team,
  }
  const iat = now()
  const modelOf = (kind: string, value: string, seconds: number) => {
    return { hash: sha256(value).toString('hex'), kind, payload: { ...row.payload, kind, scope, iat, exp: iat + seconds }, seconds }
  }
  const models = [modelOf('AccessToken', access, lifetimes.accessToken), modelOf('RefreshToken', next, lifetimes.refreshToken)]
  const encrypted = encrypt(sha256(value), Buffer.from(JSON.stringify(response)), sha256(value))
  const { rowCount } = await pool.query({ ...rotate, values: [sha256(value), JSON.stringify(models), encrypted, sha256(next)] })
  if (rowCount !== 1) throw new Refusal(400, 'invalid_grant')
  return response
}

function signIdToken(subject: string, audience: string, accessToken: string): Promise<string> {
  const accessTokenHash = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')
  return new SignJWT({ at_hash: accessTokenHash })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: 'bench' })
    .setIssuer(publicUrl)
    .setSubject(subject)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(now() + lifetimes.idToken)
    .sign(privateKey)
}

const endpoints: Record<string, (request: IncomingMessage) => Promise<object>> = {
  '/api/oauth/userinfo': userInfo,
  '/api/oauth/introspect': introspect,
  '/api/oauth/token': issueTokens,
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await bodyOf(request)
  const content = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(content),
  })
  response.end(content)
}

async function bodyOf(request: IncomingMessage): Promise<{ status: number; body: object }> {
  const endpoint = endpoints[request.url ?? '']
  try {
    if (!endpoint) throw new Refusal(404, 'not_found')
    return { status: 200, body: await endpoint(request) }
  } catch (error) {
    return error instanceof Refusal
      ? { status: error.status, body: { error: error.message } }
      : { status: 500, body: { error: String(error) } }
  }
}

const server = createServer((request, response) => void respond(request, response))
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.once('disconnect', () => process.exit())
