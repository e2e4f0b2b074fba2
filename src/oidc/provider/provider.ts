import type { Client, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Ports } from '../../../schema/core/ports.ts'
import { resourceIdentifiers } from '../../../rest-facade/http/protected-resources.ts'
import { shownAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { oauthScopes } from '../../../schema/core/scopes.ts'
import { assertionAlgorithms } from '../../../schema/oauth/public-keys.ts'
import { signingAlgorithms } from '../../../schema/oauth/signing-keys/signing-algorithm.ts'
import type { AttemptLimits } from '../../auth/attempt-limits.ts'
import { dpopAlgorithms } from '../../auth/dpop.ts'
import { sessionCookie } from '../../auth/session-credential.ts'
import { createCsrfTokens } from '../../web/csrf.ts'
import { interactionPath } from '../../web/page-paths.ts'
import type { AdapterPorts } from '../storage/model-adapter.ts'
import { claimsByScope, createFindAccount } from './account.ts'
import { clientClockToleranceSeconds } from '../client-assertion.ts'
import { createAdapter } from '../storage/adapter.ts'
import { clientProperties } from '../storage/client-adapter.ts'
import { endpoints } from './endpoints.ts'
import { MachineProvider } from './token-internals.ts'
import { mayIntrospect } from './introspection.ts'
import type { Keyring } from '../keyring.ts'
import { lifetimes, sessionSeconds } from './lifetimes.ts'
import * as pages from '../pages/provider-pages.ts'
import { checkResponseType, checkScope, createInteractionPolicy, createLoadExistingGrant } from './prompts.ts'
import { createProviderForms } from './provider-forms.ts'
import { changeUserCodeLookup } from './device-internals.ts'
import { compareFormsWith, usePublicOrigin, userCodeRefusal } from './provider-internals.ts'
import { allowAllResources } from './resource-internals.ts'
import { resourceIndicators } from './resource-servers.ts'
import { processSeconds } from '../process-clock.ts'
import type { AssertionCheck } from '../token/assertion-check.ts'
import { addJwtBearerGrant } from '../token/jwt-bearer.ts'
import { isForVouched } from '../token/vouched-request.ts'
import { findActiveUser } from '../storage/live-grants.ts'
import { SigningKey } from '../signing-key.ts'

export interface ProviderPorts extends Omit<AdapterPorts, 'attemptLimits'> {
  /** Checks the assertions of workload identities. */
  assertions: AssertionCheck
  attemptLimits: AttemptLimits
  deriveSecret: Ports['deriveSecret']
  sendMail: Ports['sendMail']
  clientRegistration: Ports['clientRegistration']
  sessionDaysMax: number
  clientMetadataDocuments: Ports['clientMetadataDocuments']
  /** Sends requests to URLs that clients registered. */
  fetch: NonNullable<Configuration['fetch']>
}

/**
 * Configures oidc-provider as docs/decisions/oauth.md describes, with these signing keys. It keeps no state in memory, so that
 * any process can handle any request.
 */
export function createProvider({ keys }: Keyring['jwks'], ports: ProviderPorts): Provider {
  const { authUrl, database, now, deriveSecret, sessionDaysMax, fetch } = ports
  const cookie = cookieOptions(authUrl)
  const forms = createProviderForms(createCsrfTokens(deriveSecret))
  /** Returns what identifies the signed-in user on pages; undefined without one. */
  const findEmail = async ({ oidc }: KoaContextWithOIDC) => {
    const accountId = oidc.session?.accountId
    const user = accountId === undefined ? null : await findActiveUser(database, accountId)
    return user ? shownAddress(user.email, user.name) : undefined
  }
  const configuration: Configuration = {
    adapter: (kind) => createAdapter(kind, ports),
    jwks: { keys: keys.map((key) => new SigningKey(key)) },
    routes: Object.fromEntries(Object.entries(endpoints).map(([name, { path }]) => [name, path])),
    scopes: [...oauthScopes],
    claims: claimsByScope,
    discovery: {
      // Required by RFC 9728 §4.
      protected_resources: resourceIdentifiers(authUrl),
      ...clientAuthentication,
      ...grantProfiles,
      // The service registers clients itself (src/oidc/client-registration.ts), so this is no feature of oidc-provider.
      ...(ports.clientRegistration !== 'closed' && { registration_endpoint: `${authUrl}${endpoints.registration.path}` }),
      ...(ports.clientMetadataDocuments !== 'off' && { client_id_metadata_document_supported: true }),
    },
    findAccount: createFindAccount(database),
    loadExistingGrant: createLoadExistingGrant(ports),
    interactions: { policy: createInteractionPolicy(database, authUrl, now), url: (_, { uid }) => `${interactionPath}/${uid}` },
    cookies: {
      keys: deriveSecret.accepted('cookies', Buffer.alloc(0)).map((key) => key.toString('base64url')),
      names: { session: sessionCookie(authUrl), interaction: 'interaction', resume: 'resume' },
      long: cookie,
      short: cookie,
    },
    ttl: {
      AccessToken: lifetimes.accessToken,
      ClientCredentials: lifetimes.machineToken,
      AuthorizationCode: lifetimes.authorizationCode,
      IdToken: lifetimes.idToken,
      DeviceCode: lifetimes.deviceCode,
      Interaction: lifetimes.interaction,
      // Without a user, a session contains only the CSRF token of a form. Any unauthenticated caller can create one.
      Session: (_, { accountId, loginTs }) =>
        accountId ? sessionSeconds(sessionDaysMax, processSeconds(), loginTs ?? 0) : lifetimes.interaction,
      RefreshToken: (_, token) => Math.max(Math.min(lifetimes.refreshToken, lifetimes.refreshTokenFamily - token.totalLifetime()), 1),
    },
    clockTolerance: clientClockToleranceSeconds,
    clientAuthMethods: [...clientAuthMethods],
    extraClientMetadata: { properties: [...clientProperties] },
    // The API reference is a page of this origin.
    clientBasedCORS: (_, origin, client) => origin === authUrl || isClientOrigin(origin, client),
    responseTypes: ['code'],
    // Machine tokens have 44 characters, so that one statement finds them (src/auth/machine-credential.ts). Others have 43.
    formats: { bitsOfOpaqueRandomness: (ctx, { kind }) => (kind === 'ClientCredentials' && !isForVouched(ctx) ? 264 : 256) },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    issueRefreshToken: (_, client, source) => client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),
    // Tokens end with their grant and not with the browser's session, because a client can have grants for several teams.
    expiresWithSession: () => false,
    // A revoked or reused refresh token ends its chain (storage/model-adapter.ts), but not the grant, which other devices use, too.
    revokeGrantPolicy: () => false,
    fetch,
    extraParams: { scope: checkScope, response_type: checkResponseType },
    enabledJWA: {
      idTokenSigningAlgValues: signingAlgorithms,
      dPoPSigningAlgValues: [...dpopAlgorithms],
      clientAuthSigningAlgValues: [...assertionAlgorithms],
    },
    renderError: pages.renderError,
    features: {
      devInteractions: { enabled: false },
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
      resourceIndicators: resourceIndicators(authUrl),
      clientCredentials: { enabled: true },
      deviceFlow: {
        enabled: true,
        charset: 'base-20',
        mask: '****-****',
        async userCodeInputSource(ctx, _, out, error) {
          ctx.state['isWrongUserCode'] = error !== undefined && userCodeRefusal(error) === 'unknown'
          await pages.userCodeInputSource(ctx, forms, await findEmail(ctx), out, error)
        },
        // The form with the code confirms it, so this page is shown only for a form without `confirm`.
        userCodeConfirmSource: async (ctx) => pages.userCodeInputSource(ctx, forms, await findEmail(ctx)),
        successSource: pages.successSource,
      },
      revocation: { enabled: true, allowedPolicy: isOwnToken },
      introspection: {
        enabled: true,
        allowedPolicy: (_, { clientAuthMethod, clientId }, token) =>
          mayIntrospect({ isConfidential: clientAuthMethod !== 'none', clientId }, token),
      },
      pushedAuthorizationRequests: { enabled: true },
      dPoP: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx) => pages.logoutSource(ctx, forms, await findEmail(ctx)),
        postLogoutSuccessSource: pages.postLogoutSuccessSource,
      },
      backchannelLogout: { enabled: true },
    },
  }
  const provider = new MachineProvider(authUrl, configuration)
  addJwtBearerGrant(provider, ports)
  usePublicOrigin(provider, authUrl)
  allowAllResources(provider, resourceIdentifiers(authUrl))
  compareFormsWith(provider, forms.getState)
  changeUserCodeLookup(provider)
  return provider
}

const clientAuthMethods = ['client_secret_basic', 'private_key_jwt', 'none'] as const

/** Authentication methods of endpoints for which the metadata of oidc-provider contains none (RFC 8414 §2). */
const clientAuthentication = {
  revocation_endpoint_auth_methods_supported: clientAuthMethods,
  revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  introspection_endpoint_auth_methods_supported: clientAuthMethods.filter((method) => method !== 'none'),
  introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
}

/** The profile of assertions of identity providers (draft-ietf-oauth-identity-assertion-authz-grant). */
const grantProfiles = { authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'] }

/** Attributes of the session and interaction cookies. */
export const cookieOptions = (authUrl: string) =>
  ({ httpOnly: true, sameSite: 'lax', signed: true, secure: authUrl.startsWith('https:'), overwrite: true }) as const

const isOwnToken = (_: KoaContextWithOIDC, client: Client, token: { clientId?: string | undefined }) => token.clientId === client.clientId

/** Returns true for the origins of a client's redirect URIs, on loopback with any port. CORS requests from them are allowed. */
function isClientOrigin(origin: string, client: Client): boolean {
  const withoutPort = origin.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d+$/, '$1')
  return (client.redirectUris ?? []).some((uri) => /^https?:/.test(uri) && [origin, withoutPort].includes(new URL(uri).origin))
}
