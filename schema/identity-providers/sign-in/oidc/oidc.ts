import { decodeProtectedHeader, errors } from 'jose'
import * as client from 'openid-client'
import { findRefusedParameter, verifySignature } from '../../../oauth/issuers.ts'
import { assertionAlgorithms } from '../../../oauth/public-keys.ts'
import { ProviderError, UnusableProviderError } from '../../protocol.ts'
import type { Protocol, ProtocolPorts, ProtocolRequest } from '../../protocol.ts'
import { readPerson, hasAuthenticatedSince } from '../assertion.ts'
import { removeNulls, getIssuerDocuments } from './documents.ts'
import { fetchConfiguration, fetchMetadata } from './configuration.ts'
import type { OidcProvider } from './configuration.ts'
import { formatShown, providerError, statusOfError } from './provider-errors.ts'

/** Derives the secret values of a request, which only this service and the provider have, from its identifier. */
const deriveRequestSecret = ({ deriveSecret }: ProtocolPorts, { id }: ProtocolRequest, purpose: 'nonce' | 'code verifier') =>
  deriveSecret(`sign-in ${purpose}`, Buffer.from(id)).toString('base64url')

/** Sign-in through an OpenID provider: authorization code with PKCE (OpenID Connect Core 1.0 §3.1). */
export const oidc: Protocol<OidcProvider> = {
  async requestUrl(ports, provider, request) {
    try {
      const verifier = deriveRequestSecret(ports, request, 'code verifier')
      const url = client.buildAuthorizationUrl(await fetchConfiguration(ports, provider), {
        redirect_uri: provider.redirectUri,
        scope: 'openid email profile',
        state: request.id,
        nonce: deriveRequestSecret(ports, request, 'nonce'),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(request.loginHint !== null && { login_hint: request.loginHint }),
        ...(request.forceAuthentication && { prompt: 'login', max_age: '0' }),
      })
      return url.href
    } catch (error) {
      throw providerError(error)
    }
  },
  async verify(ports, provider, request, response) {
    try {
      const configuration = await fetchConfiguration(ports, provider)
      const address = new URL(provider.redirectUri)
      address.search = response.toString()
      const tokens = await client.authorizationCodeGrant(configuration, address, {
        expectedState: request.id,
        expectedNonce: deriveRequestSecret(ports, request, 'nonce'),
        pkceCodeVerifier: deriveRequestSecret(ports, request, 'code verifier'),
        idTokenExpected: true,
      })
      const token = tokens.claims()
      if (!token || tokens.id_token === undefined) throw new ProviderError('The identity provider did not send an ID token.')
      const claims: Claims = { ...removeNulls(token), sub: token.sub }
      requireOwnToken(claims, provider)
      await requireSignature(ports, provider, tokens.id_token)
      if (request.forceAuthentication) requireAuthentication(claims, request)
      const hasUserInfo = claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      const more = hasUserInfo ? await readUserInfo(configuration, tokens.access_token, claims.sub) : {}
      return readPerson({ ...more, ...claims }, provider.groupsClaim)
    } catch (error) {
      throw providerError(error)
    }
  },
}

/** Claims that are not null. */
type Claims = Readonly<Record<string, unknown>> & { sub: string }

/**
 * Returns the claims of UserInfo, or none if the client may not read it: the ID token alone identifies the person. A temporary fault
 * refuses the sign-in, because a new account would stay without an address permanently.
 */
async function readUserInfo(configuration: client.Configuration, accessToken: string, subject: string): Promise<object> {
  try {
    return await client.fetchUserInfo(configuration, accessToken, subject)
  } catch (error) {
    if (statusOfError(error) === 403) return {}
    throw error
  }
}

/**
 * Refuses an ID token that was issued to another client, even if it has a single audience, for which openid-client does not require this
 * (OpenID Connect Core 1.0 §3.1.3.7).
 */
function requireOwnToken({ azp }: Claims, { clientId }: OidcProvider): void {
  if (azp !== undefined && azp !== clientId)
    throw new ProviderError(`The claim azp of the ID token is ${formatShown(azp)} instead of ${clientId}.`)
}

/** Verifies the signature with the keys of the document cache. openid-client checks the claims. */
async function requireSignature(ports: ProtocolPorts, provider: OidcProvider, idToken: string): Promise<void> {
  const header = decodeProtectedHeader(idToken)
  const { alg, kid } = header
  if (!assertionAlgorithms.some((each) => each === alg))
    throw new ProviderError(`The ID token is signed with ${alg ?? 'nothing'}. It must be signed with ${assertionAlgorithms.join(', ')}.`)
  const parameter = findRefusedParameter(header)
  if (parameter !== null) throw new ProviderError(`The ID token has the header parameter ${parameter}, which is not accepted.`)
  const { jwks_uri: url } = await fetchMetadata(ports, provider)
  const keys = await getIssuerDocuments(ports).readKeys(url, kid)
  try {
    await verifySignature(idToken, keys)
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey)
      throw new UnusableProviderError('The key set of the identity provider has no key with the kid of the ID token.')
    throw new UnusableProviderError('The signature of the ID token is not valid.', { cause: error })
  }
}

/** Checks that the person authenticated after the start of the request. */
function requireAuthentication(claims: Claims, request: ProtocolRequest): void {
  if (typeof claims['auth_time'] !== 'number')
    throw new ProviderError('The claim auth_time is missing in the ID token, so it is unknown whether you signed in again.')
  if (!hasAuthenticatedSince(request, claims))
    throw new ProviderError('The claim auth_time of the ID token shows that you did not sign in again.')
}
