import { Provider } from 'oidc-provider'
import type { Adapter, Client, Configuration, JWKS, KoaContextWithOIDC } from 'oidc-provider'
import type { Ports } from '../../schema/context.ts'
import { scopes } from '../../schema/scopes.ts'
import { signingAlgorithms } from '../../schema/signing-algorithm.ts'
import { dpopAlgorithms } from '../dpop.ts'
import { sessionCookie } from '../session-credential.ts'
import { createArtifactAdapter } from './storage/artifact-adapter.ts'
import type { AdapterPorts } from './storage/artifact-adapter.ts'
import { claimsByScope, createFindAccount } from './account.ts'
import { clientProperties, createClientAdapter } from './storage/client-adapter.ts'
import { endpoints, interactionPath } from './endpoints.ts'
import { createGrantAdapter } from './storage/grant-adapter.ts'
import { lifetimes } from './lifetimes.ts'
import * as pages from './pages.ts'
import { checkScope, existingGrant, promptPolicy } from './prompts.ts'
import { ask } from './turn.ts'

export interface ProviderPorts extends AdapterPorts {
  /** The issuer: AUTH_URL. */
  authUrl: string
  deriveSecret: Ports['deriveSecret']
}

/** oidc-provider as decisions §8 wants it, signing with these keys. It keeps nothing in memory that another process lacks. */
export function createProvider(jwks: JWKS, ports: ProviderPorts): Provider {
  const { authUrl, database, now, deriveSecret } = ports
  const cookie = cookieOptions(authUrl)
  const configuration: Configuration = {
    adapter: (kind) => patient(adapterOf(kind, ports)),
    jwks,
    routes: Object.fromEntries(Object.entries(endpoints).map(([name, { path }]) => [name, path])),
    scopes: Object.keys(scopes),
    claims: claimsByScope,
    findAccount: createFindAccount(database),
    loadExistingGrant: existingGrant(database, now),
    interactions: { policy: promptPolicy(now), url: (_, { uid }) => `${interactionPath}/${uid}` },
    cookies: {
      keys: [deriveSecret('cookies', Buffer.alloc(0)).toString('base64url')],
      names: { session: sessionCookie(authUrl), interaction: 'interaction', resume: 'resume' },
      long: cookie,
      short: cookie,
    },
    ttl: {
      AccessToken: lifetimes.accessToken,
      AuthorizationCode: lifetimes.authorizationCode,
      IdToken: lifetimes.idToken,
      DeviceCode: lifetimes.deviceCode,
      Interaction: lifetimes.interaction,
      // Nobody's: it only holds a form together, and anybody can have one.
      Session: (_, session) => (session.accountId ? lifetimes.session : lifetimes.interaction),
      RefreshToken: (_, token) => Math.max(Math.min(lifetimes.refreshToken, lifetimes.refreshTokensInAll - token.totalLifetime()), 1),
    },
    clientAuthMethods: ['client_secret_basic', 'none'],
    extraClientMetadata: { properties: [...clientProperties] },
    clientBasedCORS: isOwnOrigin,
    responseTypes: ['code'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    issueRefreshToken: (_, client, source) => client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),
    // Tokens end with their grant, not with the browser's session: a client may hold several, of several teams.
    expiresWithSession: () => false,
    // Revoking a refresh token ends the grant, an access token itself alone (RFC 7009 §2.1).
    revokeGrantPolicy: ({ oidc }) => !(oidc.route === 'revocation' && oidc.entities.AccessToken),
    // Only back-channel logout calls out, to addresses that the operator registered: often in a network of their own,
    // which the dispatcher given here would refuse.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    extraParams: { scope: checkScope },
    enabledJWA: { idTokenSigningAlgValues: signingAlgorithms, dPoPSigningAlgValues: [...dpopAlgorithms] },
    renderError: pages.renderError,
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: false },
      deviceFlow: {
        enabled: true,
        charset: 'base-20',
        mask: '****-****',
        userCodeInputSource(ctx, form, out, error) {
          ctx.state['isWrongUserCode'] = error?.name === 'NotFoundError'
          return pages.userCodeInputSource(ctx, form, out, error)
        },
        userCodeConfirmSource: pages.userCodeConfirmSource,
        successSource: pages.successSource,
      },
      revocation: { enabled: true, allowedPolicy: ownToken },
      introspection: {
        enabled: true,
        allowedPolicy: (ctx, client, token) => client.clientAuthMethod !== 'none' && ownToken(ctx, client, token),
      },
      pushedAuthorizationRequests: { enabled: true },
      dPoP: { enabled: true },
      rpInitiatedLogout: { enabled: true, logoutSource: pages.logoutSource, postLogoutSuccessSource: pages.postLogoutSuccessSource },
      backchannelLogout: { enabled: true },
    },
  }
  const provider = new Provider(authUrl, configuration)
  followPublicOrigin(provider, authUrl)
  return provider
}

/** How the cookies of the service are kept from scripts, other sites and open networks. */
export const cookieOptions = (authUrl: string) =>
  ({ httpOnly: true, sameSite: 'lax', signed: true, secure: authUrl.startsWith('https:'), overwrite: true }) as const

function adapterOf(kind: string, ports: ProviderPorts): Adapter {
  if (kind === 'Client') return createClientAdapter(ports)
  return kind === 'Grant' ? createGrantAdapter(ports) : createArtifactAdapter(kind, ports)
}

/** The same, but that a request which could not reach the database once does not try again. */
const patient = (adapter: Adapter): Adapter => ({
  upsert: (...given) => ask(() => adapter.upsert(...given)),
  find: (...given) => ask(() => adapter.find(...given)),
  findByUserCode: (...given) => ask(() => adapter.findByUserCode(...given)),
  findByUid: (...given) => ask(() => adapter.findByUid(...given)),
  consume: (...given) => ask(() => adapter.consume(...given)),
  destroy: (...given) => ask(() => adapter.destroy(...given)),
  revokeByGrantId: (...given) => ask(() => adapter.revokeByGrantId(...given)),
})

const ownToken = (_: KoaContextWithOIDC, client: Client, token: { clientId?: string | undefined }) => token.clientId === client.clientId

/** A page may call for a client if it lives where the client's redirects lead; on loopback at any port, as they do. */
function isOwnOrigin(_: KoaContextWithOIDC, origin: string, client: Client): boolean {
  const withoutPort = origin.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+$/, '$1')
  return (client.redirectUris ?? []).some((uri) => /^https?:/.test(uri) && [origin, withoutPort].includes(new URL(uri).origin))
}

/** Every address in an answer is built on AUTH_URL, never on a request's `Host` or target (decisions §8). */
function followPublicOrigin(provider: Provider, authUrl: string): void {
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
