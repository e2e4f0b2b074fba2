import { documentedPaths } from '../../../rest-facade/openapi/security.ts'
import { showAccount } from '../../../rest-facade/routes/account.ts'

/** The endpoints of the authorization server with their methods. Both discovery documents derive from the paths. */
export const endpoints = {
  authorization: { path: documentedPaths.authorization, methods: ['GET', 'POST'] },
  token: { path: documentedPaths.token, methods: ['POST'] },
  userinfo: { path: '/api/oauth/userinfo', methods: ['GET', 'POST'] },
  jwks: { path: '/.well-known/jwks.json', methods: ['GET'] },
  revocation: { path: '/api/oauth/revoke', methods: ['POST'] },
  introspection: { path: '/api/oauth/introspect', methods: ['POST'] },
  pushed_authorization_request: { path: '/api/oauth/par', methods: ['POST'] },
  registration: { path: '/api/oauth/register', methods: ['POST'] },
  device_authorization: { path: '/api/oauth/device', methods: ['POST'] },
  code_verification: { path: '/login/device', methods: ['GET', 'POST'] },
  end_session: { path: '/login/oauth/logout', methods: ['GET'] },
} as const

const { token, revocation, introspection, pushed_authorization_request: pushed, device_authorization: device } = endpoints

/** Paths at which clients authenticate. */
export const authenticatedPaths: ReadonlySet<string> = new Set([token, revocation, introspection, pushed, device].map(({ path }) => path))

/** Endpoints whose paths are defined by standards, or derived by oidc-provider from the paths above. */
export const derivedEndpoints = {
  resume: { path: `${endpoints.authorization.path}/:uid`, methods: ['GET'] },
  device_resume: { path: `${endpoints.code_verification.path}/:uid`, methods: ['GET'] },
  end_session_confirm: { path: `${endpoints.end_session.path}/confirm`, methods: ['POST'] },
  end_session_success: { path: `${endpoints.end_session.path}/success`, methods: ['GET'] },
  // RFC 8414 §3, OpenID Connect Discovery §4
  oauthMetadata: { path: '/.well-known/oauth-authorization-server', methods: ['GET'] },
  openidMetadata: { path: '/.well-known/openid-configuration', methods: ['GET'] },
} as const

/** The account information endpoint, which the OAuth metadata lists as `userinfo_endpoint` (docs/decisions/oauth.md#userinfo). */
export const accountInformationPath = `/api${showAccount.path}`
