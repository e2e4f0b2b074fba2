import { basicAuthorization } from '../data/seed-oauth.ts'
import type { OAuthData } from '../data/seed-oauth.ts'
import { bearer, connections, onEachConnection } from './request.ts'
import type { BenchRequest } from './request.ts'

const asClient = (client: OAuthData['machine']) => ({
  Authorization: basicAuthorization(client),
  'Content-Type': 'application/x-www-form-urlencoded',
})

/** Requests to the authorization server. */
export const oauthRequests: readonly BenchRequest[] = [
  {
    name: 'userinfo',
    title: 'UserInfo',
    goals: { 'bare-oauth': 0.5 },
    bodies: 'equal',
    scripts: ({ oauth }) => onEachConnection({ method: 'GET', path: '/api/oauth/userinfo', headers: bearer(oauth.accessToken) }),
  },
  {
    name: 'introspection',
    title: 'introspection',
    goals: { 'bare-oauth': 0.45 },
    bodies: 'equal',
    scripts: ({ oauth }) =>
      onEachConnection({ method: 'POST', path: '/api/oauth/introspect', headers: asClient(oauth), body: `token=${oauth.accessToken}` }),
  },
  {
    name: 'refresh',
    title: 'refresh with ID token',
    goals: { 'bare-oauth': 0.55 },
    bodies: 'same members',
    // Each connection has a chain of its own and presents the refresh token of the last response.
    scripts: ({ oauth }, contestant) =>
      oauth.refreshTokens.slice(...(contestant === 'service' ? [0, connections] : [connections])).map((initial) => ({
        method: 'POST',
        path: '/api/oauth/token',
        headers: asClient(oauth),
        body: 'grant_type=refresh_token&refresh_token={value}',
        remember: { member: 'refresh_token', initial },
      })),
  },
  {
    name: 'client-credentials',
    title: 'client credentials',
    goals: { 'bare-oauth': 0.5 },
    bodies: 'same members',
    scripts: ({ oauth: { machine } }) =>
      onEachConnection({ method: 'POST', path: '/api/oauth/token', headers: asClient(machine), body: 'grant_type=client_credentials' }),
  },
  {
    name: 'jwt-bearer',
    title: 'JWT bearer',
    goals: { 'bare-oauth': 0.5 },
    bodies: 'same members',
    scripts: ({ origin, workload: { id, issuer, privateKey, claims } }) =>
      onEachConnection({
        method: 'POST',
        path: '/api/oauth/token',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&client_id=${id}&assertion={assertion}`,
        assertions: { privateKey, claims: { ...claims, iss: issuer, aud: origin } },
      }),
  },
]
