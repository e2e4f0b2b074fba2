import { createHash } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isUnavailable } from '../../prisma/availability.ts'
import { deviceGrant } from '../../schema/oauth-client-rules.ts'
import { pageHeaders } from '../account-site/headers.ts'
import { hasCode } from '../failure.ts'
import { accountInformationPath, derivedEndpoints, endpoints } from './endpoints.ts'
import { settle } from './token/exchange.ts'
import type { ExchangePorts } from './token/exchange.ts'
import type { Deliveries } from './token/deliveries.ts'
import { renderError } from './pages.ts'
import { grantedScopes } from './storage/live-grants.ts'
import { currentTurn } from './turn.ts'
import type { Turn } from './turn.ts'

// What oidc-provider's answers lack of what is documented, or decided, added on their way out.

export interface ReshapePorts extends ExchangePorts {
  authUrl: string
  deliveries: Deliveries
  noteUse(grantId: string, lastUsedAt: Date | null): void
  report(error: unknown, requestId?: string): void
}

/** Outside of the provider's own routes there is no `oidc`. */
type Ctx = Omit<KoaContextWithOIDC, 'oidc'> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>
type Body = Record<string, unknown>

/** Seconds between two polls of a device code, unless it was told to slow down (RFC 8628 §3.2). */
const deviceInterval = 5

/** Goes around every route of the provider. */
export function reshape(provider: Provider, ports: ReshapePorts): void {
  provider.on('server_error', (ctx, error) => void (ctx.state['fault'] = error))
  const app: EventEmitter = provider
  // A client that hangs up is nobody's fault; what the database says does not come by here.
  app.on('error', (error: unknown) => hasCode(error, 'ECONNRESET', 'EPIPE') || ports.report(error))
  // The person is signed out all the same; who was not told is the operator's to know.
  provider.on('backchannel.error', (_, error) => ports.report(error))
  provider.use(async (ctx, next) => {
    try {
      if (/%00/.test(ctx.querystring)) return answerError(ctx, 400, nulRefusal)
      if (isStrayDeviceForm(ctx, provider)) return ctx.redirect(endpoints.code_verification.path)
      prefillUserCode(ctx)
      await next()
      if (ctx.status === 200) await complete(ctx, ports)
      else refuse(ctx)
    } catch (error) {
      ctx.state['fault'] = error
    }
    if (ctx.state['fault'] !== undefined) fail(ctx, ports)
    protectForm(ctx)
  })
}

/**
 * The one page that is oidc-provider's own sends a form by script, to the client or to itself: it gets the header fields
 * of a page, with the hash of that script in place of where forms may lead.
 */
function protectForm(ctx: Ctx): void {
  if (ctx.type !== 'text/html' || typeof ctx.body !== 'string' || ctx.res.hasHeader('Content-Security-Policy')) return
  const script = /<script>([^]*?)<\/script>/.exec(ctx.body)?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  ctx.set(pageHeaders())
  ctx.set('Content-Security-Policy', `default-src 'none'; script-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'`)
}

/** A form of the device pages in a browser that has no session: oidc-provider trips over it, the person begins again. */
function isStrayDeviceForm({ path, method, cookies }: Ctx, provider: Provider): boolean {
  const { code_verification: form } = endpoints
  const isForm = (path === form.path && method === 'POST') || path.startsWith(`${form.path}/`)
  return isForm && cookies.get(provider.cookieName('session')) === undefined
}

/** A code in the address fills in the form; the person still sends it (RFC 8628 §3.3.1), where oidc-provider would by script. */
function prefillUserCode(ctx: Ctx): void {
  if (ctx.path !== endpoints.code_verification.path || ctx.method !== 'GET') return
  const { user_code: code } = ctx.query
  if (typeof code === 'string') ctx.state['prefilledUserCode'] = code
  ctx.query = {}
}

async function complete(ctx: Ctx, ports: ReshapePorts): Promise<void> {
  const body = ctx.body as Body
  switch (ctx.path) {
    case endpoints.token.path:
      return answerTokens(ctx, body, ports)
    case endpoints.device_authorization.path:
      ctx.body = { ...body, interval: deviceInterval }
      return
    case endpoints.introspection.path:
      ctx.body = body['active'] === true ? { ...body, ...presentOf(currentTurn(), body) } : body
      return
    case endpoints.revocation.path:
      // RFC 7009 leaves the content open; clients that parse every answer stumble over an empty one.
      ctx.body = {}
      return
    case derivedEndpoints.oauthMetadata.path:
      ctx.body = { ...body, userinfo_endpoint: `${ports.authUrl}${accountInformationPath}` }
  }
}

/** Team and scopes of a token as they are now, by the one grant that was read. */
function presentOf({ grants }: Turn, { scope }: Body) {
  const [grant] = grants.values()
  const granted = grant ? grantedScopes(grant) : []
  const scopes = typeof scope === 'string' ? scope.split(' ').filter((each) => granted.includes(each)) : []
  return { scope: scopes.join(' '), team: grant?.isWithinTeam ? grant.team : null }
}

async function answerTokens(ctx: Ctx, body: Body, ports: ReshapePorts): Promise<void> {
  const { exchange } = currentTurn()
  if (!exchange) return
  const answer = await settle(exchange, body, ports)
  if (!answer) {
    ctx.status = 400
    ctx.body = { error: 'invalid_grant', error_description: 'grant request is invalid' }
    return
  }
  ctx.body = answer
  const { presented } = exchange
  await exchange.use.gathered()
  // Handed over, or the client has gone: either way it was not lost with this process.
  if (presented?.grant) ports.noteUse(presented.grant.id, null)
  const note = () => presented && ports.deliveries.note(presented.hash, ports.now())
  if (ctx.res.closed || ctx.req.destroyed) note()
  else ctx.res.once('close', note)
}

/** A grant type that a client is not registered for is its own error (RFC 6749 §5.2); oidc-provider says invalid_request. */
function refuse(ctx: Ctx): void {
  const body = ctx.body as Body | undefined
  if (body?.['error'] !== 'invalid_request') return
  const asked = ctx.path === endpoints.device_authorization.path ? deviceGrant : ctx.oidc?.params?.['grant_type']
  const { client } = ctx.oidc ?? {}
  if (ctx.path !== endpoints.token.path && asked !== deviceGrant) return
  if (typeof asked !== 'string' || !client || client.grantTypeAllowed(asked)) return
  ctx.body = { error: 'unauthorized_client', error_description: 'the client is not registered for this grant type' }
}

/** A fault: the cause goes to the log; while the database is away callers are told when to ask again. */
function fail(ctx: Ctx, { report }: ReshapePorts): void {
  const { fault } = ctx.state as { fault: unknown }
  const { requestId } = (ctx.res as { locals?: { requestId?: string } }).locals ?? {}
  report(fault, requestId)
  ctx.remove('Location')
  ctx.remove('Set-Cookie')
  if (!isUnavailable(fault)) return answerError(ctx, 500, { error: 'server_error', error_description: 'the service failed' })
  ctx.set('Retry-After', '1')
  answerError(ctx, 503, { error: 'temporarily_unavailable', error_description: 'the service cannot answer now' })
}

// PostgreSQL stores none, and nothing that OAuth or OpenID Connect knows has one.
const nulRefusal = { error: 'invalid_request', error_description: 'parameters must not contain NUL' }

function answerError(ctx: Ctx, status: number, out: { error: string; error_description: string }): void {
  ctx.status = status
  if (ctx.accepts('json', 'html') === 'html') renderError(ctx as KoaContextWithOIDC, out, new Error(out.error))
  else ctx.body = out
}
