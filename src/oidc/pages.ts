import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import type { VNode } from 'preact'
import { DeviceCodePage, DeviceConfirmPage, DeviceConnectedPage, DeviceDeniedPage } from '../account-site/device.tsx'
import { ErrorPage, expired, failed, tooManyAttempts, unavailable } from '../account-site/error.tsx'
import { pageHeaders } from '../account-site/headers.ts'
import { renderPage } from '../account-site/page.tsx'
import { SignedOutPage, SignOutPage } from '../account-site/signed-out.tsx'
import { derivedEndpoints, endpoints } from './endpoints.ts'

// The pages that oidc-provider shows itself. It hands over forms as text; ours are our own, with the same hidden fields.

function show(ctx: KoaContextWithOIDC, page: VNode, ...leadsTo: string[]): void {
  ctx.set(pageHeaders(...leadsTo))
  ctx.type = 'html'
  ctx.body = renderPage(page)
}

/** What binds oidc-provider's own forms to the browser's session. */
const xsrfOf = ({ oidc }: KoaContextWithOIDC) => textOf(oidc.session?.state?.['secret'])

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

// Where people come by; nothing else has a page.
const visited = [endpoints.authorization.path, endpoints.code_verification.path, endpoints.end_session.path]

/** What went wrong before the client could be told. The status code is set already. */
export function renderError(ctx: KoaContextWithOIDC, out: ErrorOut, cause: Error): void {
  const { error, error_description: description } = out
  // A program that prefers HTML, or whose HTTP library does, still reads JSON (RFC 6749 §5.2).
  if (!visited.some((path) => ctx.path === path || ctx.path.startsWith(`${path}/`))) return void (ctx.body = out)
  if (cause.name === 'SessionNotFound') return show(ctx, ErrorPage(expired))
  if (ctx.status === 429) return show(ctx, ErrorPage(tooManyAttempts(Number(ctx.response.get('Retry-After')))))
  if (ctx.status === 503) return show(ctx, ErrorPage(unavailable))
  if (ctx.status >= 500) return show(ctx, ErrorPage(failed))
  const text =
    wordsFor[error] ??
    'What the application asked for cannot be answered. Go back to it and start again; if that does not help, tell those who run it.'
  show(ctx, ErrorPage({ title: 'This does not work', text, leadsHome: true, code: error, description }))
}

const wordsFor: Record<string, string> = {
  invalid_client: 'The application is not known here. Go back to it, and tell those who run it.',
  invalid_redirect_uri:
    'The application wants to be answered at an address that is not registered for it. You were sent nowhere. Go back to it, and tell those who run it.',
}

/** Asks for a device's code, once more where the last one was not right. */
export function userCodeInputSource(ctx: KoaContextWithOIDC, _form: string, out?: ErrorOut, error?: Error): void {
  // The person denied it: the device was told, and there is nothing to enter.
  if (error?.name === 'AbortedError') return show(ctx, DeviceDeniedPage())
  if (out && error && ctx.status >= 500) return renderError(ctx, out, error)
  const alert = error && (wordsForCode[error.name] ?? 'This page had expired. Enter the code again.')
  if (error && ctx.status === 200) ctx.status = 422
  const { userCode = ctx.state['prefilledUserCode'] } = (error ?? {}) as { userCode?: unknown }
  const hidden = { xsrf: xsrfOf(ctx) }
  show(ctx, DeviceCodePage({ action: endpoints.code_verification.path, hidden, userCode: textOf(userCode), alert }))
}

const wordsForCode: Record<string, string> = {
  NoCodeError: 'Enter the code that your device shows.',
  NotFoundError: 'This code is not right. Compare it with the one that your device shows.',
  ExpiredError: 'This code has expired. Let your device show a new one.',
  AlreadyUsedError: 'This code was used already. Let your device show a new one.',
  LoginRequired: 'Your device asks for another account. Let it show a new code, and sign in with that account.',
}

/** Asks whether the code that was entered is the one on the person's own device. */
export function userCodeConfirmSource(
  ctx: KoaContextWithOIDC,
  _form: string,
  client: { clientName?: string | undefined; clientId: string },
  _deviceInfo: unknown,
  userCode: string,
): void {
  const hidden = { xsrf: xsrfOf(ctx), user_code: userCode, confirm: 'yes' }
  const clientName = client.clientName ?? client.clientId
  show(ctx, DeviceConfirmPage({ action: endpoints.code_verification.path, hidden, clientName, userCode }))
}

/** Says that the device has what it wanted. */
export function successSource(ctx: KoaContextWithOIDC): void {
  show(ctx, DeviceConnectedPage({ clientName: clientNameOf(ctx) ?? 'The device' }))
}

/** Asks whether to sign out, which any page on the web can ask for. */
export function logoutSource(ctx: KoaContextWithOIDC): void {
  const { postLogoutRedirectUri: uri } = ctx.oidc.session?.state ?? {}
  const page = SignOutPage({
    action: derivedEndpoints.end_session_confirm.path,
    hidden: { xsrf: xsrfOf(ctx) },
    clientName: clientNameOf(ctx),
  })
  show(ctx, page, ...(typeof uri === 'string' ? [uri] : []))
}

/** Where people are after signing out, or not, when the client named no place of its own. */
export async function postLogoutSuccessSource(ctx: KoaContextWithOIDC): Promise<undefined> {
  // Asked, not told by an address that anybody can make.
  const { accountId } = await ctx.oidc.provider.Session.get(ctx)
  show(ctx, SignedOutPage({ isSignedIn: accountId !== undefined }))
}

const clientNameOf = ({ oidc }: KoaContextWithOIDC) => oidc.client?.clientName
