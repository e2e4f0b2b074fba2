import { documentedPaths } from '../../rest-facade/openapi-security.ts'
import { showAccount } from '../../rest-facade/routes/account.ts'

/** Every endpoint of the authorization server: its path, which both discovery documents derive from, and the methods it answers. */
export const endpoints = {
  authorization: { path: documentedPaths.authorization, methods: ['GET'] },
  token: { path: documentedPaths.token, methods: ['POST'] },
  userinfo: { path: '/api/oauth/userinfo', methods: ['GET', 'POST'] },
  jwks: { path: '/.well-known/jwks.json', methods: ['GET'] },
  revocation: { path: '/api/oauth/revoke', methods: ['POST'] },
  introspection: { path: '/api/oauth/introspect', methods: ['POST'] },
  pushed_authorization_request: { path: '/api/oauth/par', methods: ['POST'] },
  device_authorization: { path: '/api/oauth/device', methods: ['POST'] },
  code_verification: { path: '/login/device', methods: ['GET', 'POST'] },
  end_session: { path: '/login/oauth/logout', methods: ['GET'] },
} as const

/** What oidc-provider derives from them, and the addresses that the standards fix. */
export const derivedEndpoints = {
  resume: { path: `${endpoints.authorization.path}/:uid`, methods: ['GET'] },
  device_resume: { path: `${endpoints.code_verification.path}/:uid`, methods: ['GET'] },
  end_session_confirm: { path: `${endpoints.end_session.path}/confirm`, methods: ['POST'] },
  end_session_success: { path: `${endpoints.end_session.path}/success`, methods: ['GET'] },
  // RFC 8414 §3, OpenID Connect Discovery §4
  oauthMetadata: { path: '/.well-known/oauth-authorization-server', methods: ['GET'] },
  openidMetadata: { path: '/.well-known/openid-configuration', methods: ['GET'] },
} as const

/** Where people sign in and consent, under an interaction's identifier. */
export const interactionPath = '/login/oauth/interaction'

/** The account information that the OAuth metadata names in place of UserInfo (contract §5.3). */
export const accountInformationPath = `/api${showAccount.path}`
