import { createHash } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Database } from '../../../prisma/connection/database.ts'
import { isUnavailable } from '../../../prisma/connection/availability.ts'
import { deviceGrant } from '../../../schema/oauth/clients/client-rules.ts'
import { observe } from '../../../schema/core/observation/observation.ts'
import { pageHeaders } from '../../web/send-page.tsx'
import { hasCode } from '../../config/error-message.ts'
import { recordClient, recordGrant } from '../../http/logging/current-request.ts'
import { rememberAuthorizationErrors, stayForDrafts } from './draft-redirects.ts'
import { accountInformationPath, authenticatedPaths, derivedEndpoints, endpoints } from './endpoints.ts'
import { describeActiveToken } from './introspection.ts'
import type { SignInClock } from '../../../schema/core/team-access/required-sign-in.ts'
import type { FindMachine } from './introspection.ts'
import type { TokenStore } from '../token/token-store.ts'
import { renderError, sendRefusedForm } from '../pages/provider-pages.ts'
import { isForeignForm, pageWithoutSession } from './provider-forms.ts'
import { expressResponse, getRequestContext } from '../request-context.ts'

// A middleware around every endpoint of oidc-provider. It changes responses as docs/decisions/oauth.md describes.

export interface ResponsePorts extends SignInClock {
  authUrl: string
  database: Database
  tokenStore: Pick<TokenStore, 'exchange' | 'recordDelivery'>
  recordUse(grantId: string, lastUsedAt: Date | null): void
  findMachine: FindMachine
  report(error: unknown, requestId?: string): void
}

/** A context of oidc-provider, or of Koa for a path outside oidc-provider. */
type Context = Pick<
  KoaContextWithOIDC,
  | ('path' | 'method' | 'query' | 'cookies' | 'accepts' | 'headers')
  | ('status' | 'body' | 'type' | 'set' | 'remove' | 'response' | 'res')
  | 'state'
> &
  Partial<Pick<KoaContextWithOIDC, 'oidc'>>
type Body = Record<string, unknown>

/** Seconds between two polls of a device code, until a `slow_down` (RFC 8628 §3.2). */
const pollingIntervalSeconds = 5

/** Adds the middleware and the error listeners to the provider. */
export function customizeResponses(provider: Provider, ports: ResponsePorts): void {
  rememberAuthorizationErrors(provider)
  provider.on('server_error', (ctx, error) => void (ctx.state['error'] = error))
  const app: EventEmitter = provider
  // Disconnections of clients are not reported. Database errors are not emitted here, because they are server_error events.
  app.on('error', (error: unknown) => hasCode(error, 'ECONNRESET', 'EPIPE') || ports.report(error))
  // The user is signed out nevertheless. The log shows operators which client was not notified.
  provider.on('backchannel.error', (_, error) => ports.report(error))
  provider.use(async (ctx, next) => {
    try {
      if (/%00/.test(ctx.querystring)) return sendError(ctx, 400, nulError)
      if (isForeignForm(ctx, ports.authUrl)) return sendRefusedForm(ctx)
      const otherPage = pageWithoutSession(ctx, provider)
      if (otherPage !== undefined) return ctx.redirect(otherPage)
      prefillUserCode(ctx)
      await next()
      recordCaller(ctx)
      await stayForDrafts(ctx, ports.database)
      if (ctx.status === 200) await completeResponse(ctx, ports)
      else correctError(ctx)
    } catch (error) {
      ctx.state['error'] = error
    }
    if (ctx.state['error'] !== undefined) sendServerError(ctx, ports)
    const { error } = getBody(ctx)
    if (typeof error === 'string') observe('refusal', { api: 'oauth', code: error })
    protectForm(ctx)
  })
}

/**
 * Adds the header fields of a page to the only HTML page that oidc-provider renders itself: a form that a script submits, to the client or
 * to oidc-provider. The policy allows that script by its hash and does not restrict the form's target.
 */
function protectForm(ctx: Context): void {
  if (ctx.type !== 'text/html' || typeof ctx.body !== 'string' || ctx.res.hasHeader('Content-Security-Policy')) return
  const script = /<script>([^]*?)<\/script>/.exec(ctx.body)?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  ctx.set(pageHeaders())
  ctx.set('Content-Security-Policy', `default-src 'none'; script-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'`)
}

/** Fills the form with the user code in the URL. The user submits it (RFC 8628 §3.3.1). oidc-provider would submit it by script. */
function prefillUserCode(ctx: Context): void {
  if (ctx.path !== endpoints.code_verification.path || ctx.method !== 'GET') return
  const { user_code: code } = ctx.query
  if (typeof code === 'string') ctx.state['prefilledUserCode'] = code
  ctx.query = {}
}

async function completeResponse(ctx: Context, ports: ResponsePorts): Promise<void> {
  const body = getBody(ctx)
  switch (ctx.path) {
    case endpoints.token.path:
      return sendTokens(ctx, body, ports)
    case endpoints.device_authorization.path:
      ctx.body = { ...body, interval: pollingIntervalSeconds }
      return
    case endpoints.introspection.path:
      if (body['active'] === true) ctx.body = await describeActiveToken(ctx, body, ports)
      return
    case endpoints.revocation.path:
      // RFC 7009 does not define the content. Clients that parse every response as JSON fail on an empty one.
      ctx.body = {}
      return
    case derivedEndpoints.oauthMetadata.path:
      ctx.body = { ...body, userinfo_endpoint: `${ports.authUrl}${accountInformationPath}` }
  }
}

/** Records the authenticated client of a request, or the grant of its access token, for the log. */
function recordCaller({ oidc, path, status }: Context): void {
  if (status === 401 || !oidc) return
  if (path === endpoints.userinfo.path) {
    const { grantId } = oidc.accessToken ?? {}
    if (grantId !== undefined) recordGrant(grantId)
  } else if (oidc.client && authenticatedPaths.has(path)) recordClient(oidc.client.clientId)
}

/** Returns the body that oidc-provider has set, which is JSON at all endpoints that are changed here; empty for other bodies. */
function getBody({ body }: Context): Body {
  return typeof body === 'object' && body !== null ? { ...body } : {}
}

async function sendTokens(ctx: Context, body: Body, ports: ResponsePorts): Promise<void> {
  const { tokenRequest } = getRequestContext(ctx)
  if (!tokenRequest) return
  const response = await ports.tokenStore.exchange(tokenRequest, body)
  if (!response) {
    ctx.status = 400
    ctx.body = { error: 'invalid_grant', error_description: 'grant request is invalid' }
    return
  }
  ctx.body = response
  observe('tokenIssued', { grantType: String(ctx.oidc?.params?.['grant_type']) })
  const { presented } = tokenRequest
  if (presented?.grant) ports.recordUse(presented.grant.id, null)
  // The event is `finish`, not `close`. If the client has disconnected or the process ends before the last byte is sent, there is no
  // `finish`, and the next request with the same value receives this response (docs/decisions/refresh-tokens.md#refresh).
  if (presented) ctx.res.once('finish', () => ports.tokenStore.recordDelivery(presented))
}

/**
 * RFC 7662 §2.2: an ID token counts as a token that is not active. oidc-provider refuses it.
 * RFC 6749 §5.2: unauthorized_client for a grant type for which the client is not registered. oidc-provider responds with invalid_request.
 */
function correctError(ctx: Context): void {
  const { error } = getBody(ctx)
  if (ctx.path === endpoints.introspection.path && error === 'unsupported_token_type') {
    ctx.status = 200
    ctx.body = { active: false }
  }
  if (error !== 'invalid_request') return
  const grantType = ctx.path === endpoints.device_authorization.path ? deviceGrant : ctx.oidc?.params?.['grant_type']
  const { client } = ctx.oidc ?? {}
  if (ctx.path !== endpoints.token.path && grantType !== deviceGrant) return
  if (typeof grantType !== 'string' || !client || client.grantTypeAllowed(grantType)) return
  ctx.body = { error: 'unauthorized_client', error_description: 'the client is not registered for this grant type' }
}

/** Reports an error and responds without its details. While the database is unavailable, `Retry-After` says when to retry. */
function sendServerError(ctx: Context, { report }: ResponsePorts): void {
  const error: unknown = ctx.state['error']
  report(error, expressResponse(ctx).locals.requestId)
  ctx.remove('Location')
  ctx.remove('Set-Cookie')
  if (!isUnavailable(error)) return sendError(ctx, 500, { error: 'server_error', error_description: 'the service failed' })
  ctx.set('Retry-After', '1')
  sendError(ctx, 503, { error: 'temporarily_unavailable', error_description: 'the service cannot answer now' })
}

// PostgreSQL cannot store a NUL, and no parameter of OAuth or OpenID Connect has one.
const nulError = { error: 'invalid_request', error_description: 'parameters must not contain NUL' }

function sendError(ctx: Context, status: number, out: { error: string; error_description: string }): void {
  ctx.status = status
  if (ctx.accepts('json', 'html') === 'html') renderError(ctx, out, new Error(out.error))
  else ctx.body = out
}
