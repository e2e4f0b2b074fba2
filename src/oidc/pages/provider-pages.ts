import { errors } from 'oidc-provider'
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import type { VNode } from 'preact'
import { DeviceCodePage, DeviceConnectedPage, DeviceDeniedPage } from './device.tsx'
import { ErrorPage, expired, failed, refused, tooManyAttempts, unavailable } from '../../web/error-page.tsx'
import { pageHeaders, renderPage } from '../../web/send-page.tsx'
import type { FormsOfPage } from '../../web/send-page.tsx'
import { SignedOutPage, SignOutPage } from './signed-out.tsx'
import { derivedEndpoints, endpoints } from '../provider/endpoints.ts'
import { expressResponse } from '../request-context.ts'
import type { ProviderForms } from '../provider/provider-forms.ts'
import { refusedUserCode, userCodeRefusal } from '../provider/provider-internals.ts'
import type { UserCodeRefusal } from '../provider/provider-internals.ts'

// Pages that oidc-provider lets its configuration render. oidc-provider passes its own forms as HTML. The forms of these pages replace them
// and have the same hidden fields.

type PageContext = Pick<KoaContextWithOIDC, 'set' | 'type' | 'body' | 'res'>

function sendPage(ctx: PageContext, page: VNode, forms?: FormsOfPage): void {
  ctx.set(pageHeaders(forms))
  ctx.type = 'html'
  ctx.body = renderPage(expressResponse(ctx), page)
}

/** Endpoints that users open in a browser. Only these respond to errors with a page. */
const pageEndpoints = [endpoints.authorization.path, endpoints.code_verification.path, endpoints.end_session.path]

/** Renders an error that cannot be sent to the client's redirect URI. The status code is set already. */
export function renderError(
  ctx: PageContext & Pick<KoaContextWithOIDC, 'path' | 'status' | 'response'>,
  out: ErrorOut,
  cause: Error,
): void {
  const { error, error_description: description } = out
  // Programs expect JSON (RFC 6749 §5.2), even if `Accept` prefers HTML, as in some HTTP libraries.
  if (!pageEndpoints.some((path) => ctx.path === path || ctx.path.startsWith(`${path}/`))) return void (ctx.body = out)
  if (ctx.path === derivedEndpoints.end_session_confirm.path && ctx.status === 400) return sendRefusedForm(ctx)
  if (cause instanceof errors.SessionNotFound) return sendPage(ctx, ErrorPage(expired))
  if (ctx.status === 429) return sendPage(ctx, ErrorPage(tooManyAttempts(Number(ctx.response.get('Retry-After')))))
  if (ctx.status === 503) return sendPage(ctx, ErrorPage(unavailable))
  if (ctx.status >= 500) return sendPage(ctx, ErrorPage(failed))
  const text =
    textByError[error] ??
    'We can’t process the request from this app. Go back to the app and start again. If this happens again, contact the provider of the app.'
  sendPage(ctx, ErrorPage({ title: 'We can’t process this request', text, hasStartLink: true, code: error, description }))
}

/** Refuses a form that did not come from a page of this service. */
export function sendRefusedForm(ctx: PageContext & Pick<KoaContextWithOIDC, 'status'>): void {
  ctx.status = 403
  sendPage(ctx, ErrorPage(refused))
}

const textByError: Record<string, string> = {
  invalid_client: 'This app is not registered. Contact the provider of the app.',
  invalid_redirect_uri:
    'This app asked to redirect you to a URL that is not registered, so we did not redirect you. Contact the provider of the app.',
}

/** Prompts for a user code, again if the last one was refused. */
export async function userCodeInputSource(
  ctx: KoaContextWithOIDC,
  forms: ProviderForms,
  email: string | undefined,
  out?: ErrorOut,
  error?: Error,
): Promise<void> {
  const refusal = error && userCodeRefusal(error)
  if (refusal === 'denied') return sendPage(ctx, DeviceDeniedPage({ app: await appOfDevice(ctx) }))
  if (out && error && (ctx.status === 429 || ctx.status >= 500)) return renderError(ctx, out, error)
  if (error && ctx.status === 200) ctx.status = 422
  const prefilled: unknown = ctx.state['prefilledUserCode']
  const ended = error === undefined && typeof prefilled === 'string' ? await endOfUserCode(ctx, prefilled) : null
  if (ended !== null) {
    ctx.status = 422
    return sendPage(ctx, DeviceCodePage({ ...forms.device(ctx), email, userCode: '', isFromLink: false, refusal: messageByRefusal[ended] }))
  }
  const entered: unknown = ctx.oidc.body?.['user_code'] ?? prefilled
  const userCode = (error && refusedUserCode(error)) || (typeof entered === 'string' ? entered : '')
  const message = refusal && (error instanceof errors.LoginRequired ? wrongAccount : messageByRefusal[refusal])
  sendPage(
    ctx,
    DeviceCodePage({ ...forms.device(ctx), email, userCode, isFromLink: userCode !== '' && entered === prefilled, refusal: message }),
  )
}

/** Returns the reason why the code of a link cannot be entered. Unknown codes are not reported, as no attempts are counted here. */
async function endOfUserCode({ oidc }: KoaContextWithOIDC, userCode: string): Promise<'expired' | 'used' | null> {
  const code = await oidc.provider.DeviceCode.findByUserCode(userCode, { ignoreExpiration: true })
  if (code?.isExpired) return 'expired'
  return code?.error || code?.accountId ? 'used' : null
}

const wrongAccount = 'Your device asks for another account. Get a new code on your device and sign in with that account.'

const messageByRefusal: Record<Exclude<UserCodeRefusal, 'denied'>, string> = {
  'no code': 'Enter a code.',
  unknown: 'This code is incorrect. Check the code that your device shows.',
  expired: 'This code has expired. Get a new code on your device.',
  used: 'This code was already used. Get a new code on your device.',
  other: 'This page expired. Enter the code again.',
}

interface ProviderClient {
  clientId: string
  clientName?: string | undefined
}
const getApp = ({ clientId, clientName = clientId }: ProviderClient) => ({ clientId, name: clientName })

/** Returns the client of a device that was denied. */
async function appOfDevice({ oidc: { entities, provider } }: KoaContextWithOIDC) {
  const clientId: unknown = entities.DeviceCode?.clientId ?? entities.Interaction?.params['client_id']
  const client = typeof clientId === 'string' ? await provider.Client.find(clientId) : undefined
  return client && getApp(client)
}

/** Reports that the device now has access. */
export function successSource(ctx: KoaContextWithOIDC): void {
  sendPage(ctx, DeviceConnectedPage({ app: ctx.oidc.client && getApp(ctx.oidc.client) }))
}

/** Asks the user to confirm a logout, because any page on the web can request one (OpenID Connect RP-Initiated Logout §2). */
export function logoutSource(ctx: KoaContextWithOIDC, forms: ProviderForms, email: string | undefined): void {
  const { client, params } = ctx.oidc
  const page = SignOutPage({ ...forms.signOut(ctx), app: client && getApp(client), email })
  sendPage(ctx, page, { leadToClient: params?.['post_logout_redirect_uri'] !== undefined })
}

/** The page after a logout request without a `post_logout_redirect_uri`, whether the user has signed out or not. */
export async function postLogoutSuccessSource(ctx: KoaContextWithOIDC): Promise<undefined> {
  // The user is read from the session, because any browser can open this URL.
  const { accountId } = await ctx.oidc.provider.Session.get(ctx)
  sendPage(ctx, SignedOutPage({ isSignedIn: accountId !== undefined }))
}
