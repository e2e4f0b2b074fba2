import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { decodeJwt } from 'jose'
import { errors, Provider } from 'oidc-provider'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'

// Only the modules *-internals.ts depend on undocumented parts of oidc-provider. Each comment says which internal is used, why, and what
// breaks if it changes. All were checked against oidc-provider 9.13.3 with @types/oidc-provider 9.12.1: check them again before an upgrade.
//
// SQL depends on stored payloads, too. It reads `uid`, `accountId`, `loginTs`, `amr`, `authorizations` and `exp` of a Session, `clientId`,
// `accountId` and `error` of a DeviceCode, `grantId` and `scope` of a code, and `scope`, `jkt` and `aud` of an AccessToken.

declare module 'oidc-provider' {
  interface Client {
    /** The type definitions lack this method. The provider's own sign-out calls it. It rejects when the client does not confirm. */
    backchannelLogout(accountId: string, sid: string | undefined): Promise<void>
  }
}

export type ProviderSession = InstanceType<Provider['Session']>
export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** The error for a rate limit: 429 with `Retry-After`, which the thrower sets. */
export class TooManyAttempts extends errors.OIDCProviderError {
  /** The error handler of the authorization endpoint reads this property and would otherwise redirect to the client. */
  override readonly allow_redirect = false

  constructor() {
    super(429, 'temporarily_unavailable')
    this.error_description = 'Too Many Attempts.'
  }
}

/** Signs a user out at one client (OpenID Connect Back-Channel Logout §2.5), for sessions that end outside of the provider. */
export const sendLogoutToken = (client: Client, accountId: string, sid: string | undefined) => client.backchannelLogout(accountId, sid)

/**
 * Returns the context of the provider request in progress, or undefined elsewhere. `Provider.ctx` is declared but not documented. The
 * storage adapters need it, because the provider calls them without a context. Without it, a secret in the form is ignored instead of
 * refused, and polling limits no longer apply.
 */
export const currentContext = (): KoaContextWithOIDC | undefined => Provider.ctx

/**
 * Returns the cookies of a request outside the provider's endpoints, signed with the provider's keys. `createContext` is a private method
 * of Koa. The account site shares the session cookie and signs with the same keys. If it changes, signing in fails.
 */
export const signedCookies = (provider: Provider, request: IncomingMessage, response: ServerResponse) =>
  provider.createContext(request, response).cookies

/**
 * Returns the browser's session, or a new one, for a request outside the provider's endpoints. `Session.get` expects a context of the
 * provider and accepts one of Koa. If it no longer does, the account site cannot sign users in or out.
 */
export const getProviderSession = (provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<ProviderSession> =>
  provider.Session.get(provider.createContext(request, response))

/**
 * Stores the session under a new identifier and returns it. Assigns `jti` instead of calling `resetIdentifier`, after which
 * `save` deletes the stored row first: our adapter renames the row, which other tables refer to.
 */
export async function saveWithNewIdentifier(session: ProviderSession, lifetimeSeconds: number): Promise<string> {
  session.jti = randomBytes(32).toString('base64url')
  await session.save(lifetimeSeconds)
  return session.jti
}

/**
 * Returns true if this is the identifier that the current session had before the provider replaced it. `Session#save` then deletes `oldId`,
 * an undeclared property, before it stores the session. The adapter ignores that deletion, because it renames the row. If the property gets
 * another name, signing in through an authorization request loses the session's row.
 */
export function isReplacedIdentifier(sessionId: string): boolean {
  const session = Provider.ctx?.oidc.session
  return session !== undefined && 'oldId' in session && session.oldId === sessionId
}

/**
 * Prevents the provider from storing the session of the current request, which it otherwise retries after an error, and from
 * setting its cookie. The provider's session proxy reads the property `destroyed` for that. If a new version of the provider
 * renames the property, a page that starts a session beyond the limit responds with 500 instead of 429.
 */
export function discardSession(): void {
  const ctx = Provider.ctx
  if (!ctx?.oidc.session) return
  Object.assign(ctx.oidc.session, { destroyed: true })
  ctx.remove('Set-Cookie')
}

/**
 * Makes the provider compare client secrets with this function. By default it compares them with the one secret that it holds in plain
 * text; this service stores hashes, two of them during a rotation. If `compareClientSecret` gets another name, every confidential client is
 * refused, because the placeholder in its metadata never matches.
 */
export function compareSecretsWith(
  provider: Provider,
  compare: (client: Client, secret: string, ctx: KoaContextWithOIDC) => Promise<boolean>,
): void {
  provider.Client.prototype.compareClientSecret = function compareClientSecret(secret: string) {
    if (!Provider.ctx) throw new Error('a client secret was compared outside of a request')
    return compare(this, secret, Provider.ctx)
  }
}

/**
 * Builds every URL in a response on AUTH_URL, not on the request's `Host` or target (docs/decisions/oauth.md#host-check).
 * Replaces getters of Koa's request, which the provider reads for endpoint URLs, DPoP's `htu` and cookies' `secure`. If it
 * reads others, those follow the request; the check of `Host` still refuses foreign ones.
 */
export function usePublicOrigin(provider: Provider, authUrl: string): void {
  const { protocol, host } = new URL(authUrl)
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    href: {
      get(this: { originalUrl: string }) {
        const { pathname, search } = new URL(this.originalUrl, authUrl)
        return `${authUrl}${pathname}${search}`
      },
    },
  })
}

/**
 * Returns the `scope` parameter as the client sent it, in the query, the form or a pushed request. The provider removes `offline_access`
 * before it runs our check. `PushedAuthorizationRequest#request` is an unsigned JWT; if that changes, pushed requests without
 * `prompt=consent` get no refresh token.
 */
export function requestedScope({ oidc: { body, entities }, query }: KoaContextWithOIDC): unknown {
  const pushed = entities.PushedAuthorizationRequest?.request
  return pushed === undefined ? (body?.['scope'] ?? query['scope']) : decodeJwt(pushed)['scope']
}

/**
 * Removes the session from a stored interaction. The provider refuses to continue an interaction whose session has ended or changed its
 * user (`interactionDetails`), but both are expected during a sign-in. If `session` gets another name, "Use another account" ends in an
 * error page.
 */
export async function unbindFromSession(interaction: Interaction): Promise<void> {
  interaction.session = undefined
  await interaction.persist()
}

/** Changes the prompt for which a stored interaction waits. The provider has no method for that; it reads `prompt` anew each time. */
export async function changePrompt(interaction: Interaction, changes: Partial<Interaction['prompt']>): Promise<void> {
  interaction.prompt = { ...interaction.prompt, ...changes }
  await interaction.persist()
}

export type FormRequest = Pick<KoaContextWithOIDC, 'method' | 'path' | 'querystring'>

/** State that the provider stores in `session.state` for its forms. */
export interface FormState {
  /** The CSRF token, which the form contains as `xsrf`. */
  secret: string
  clientId?: string | undefined
  postLogoutRedirectUri?: string | undefined
  state?: string | undefined
}

/**
 * Makes the provider compare a submitted form with this state instead of the one in its session. It reads sessions with `Session.get`
 * and forms' state from `session.state`; if either changes, the forms of device flow and sign-out are refused.
 */
export function compareFormsWith(
  provider: Provider,
  getState: (request: FormRequest, session: ProviderSession) => FormState | undefined,
): void {
  const { Session } = provider
  const get = Session.get.bind(Session)
  Session.get = async (ctx) => {
    const session = await get(ctx)
    const state = getState(ctx, session)
    if (state) session.state = { ...state }
    return session
  }
}

/** Reasons for which the provider shows the device page again; its error classes are not exported. */
export type UserCodeRefusal = 'no code' | 'unknown' | 'expired' | 'used' | 'denied' | 'other'

/** The refusal `used`, for an adapter that detects it only when it writes. It has the name of the provider's own class. */
export class AlreadyUsedError extends errors.InvalidRequest {}

const refusalByErrorName: Record<string, UserCodeRefusal> = {
  NoCodeError: 'no code',
  NotFoundError: 'unknown',
  ExpiredError: 'expired',
  AlreadyUsedError: 'used',
  AbortedError: 'denied',
}

/** Returns the reason why a user code was refused. A renamed error class is `other`: wrong codes are then not counted as attempts. */
export const userCodeRefusal = (error: Error): UserCodeRefusal => refusalByErrorName[error.name] ?? 'other'

/** Returns the refused user code, to fill in the form again; empty if the error does not contain one. */
export const refusedUserCode = (error: Error): string => ('userCode' in error ? stringOr(error.userCode, '') : '')

const stringOr = <Default>(value: unknown, fallback: Default) => (typeof value === 'string' ? value : fallback)
