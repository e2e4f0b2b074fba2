import { sha256 } from '../../../schema/core/sha256.ts'
import { createInitialAccessValue } from '../../../schema/tokens/token-value.ts'
import type { Database } from '../../../prisma/connection/database.ts'
import { request } from '../http/request.ts'
import { addSecret } from '../service/secrets/secrets-in-logs.ts'

const day = 86_400_000

/** Creates an initial access token of a team, which expires after 7 days. */
export async function createInitialAccess({ prisma }: Database, team: { id: string }, createdById?: string) {
  const value = createInitialAccessValue()
  addSecret(value)
  const data = { teamId: team.id, hash: sha256(value), lastFour: value.slice(-4), expiresAt: new Date(Date.now() + 7 * day) }
  const { id } = await prisma.initialAccessToken.create({ data: { ...data, ...(createdById !== undefined && { createdById }) } })
  return { id, value, hint: `iat_…${value.slice(-4)}` }
}

/** The metadata of a public client. */
export const publicMetadata = {
  client_name: 'Weather agent',
  redirect_uris: ['http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  scope: 'openid offline_access teams acct:team:read',
}

/** Registers a client (RFC 7591 §3.1). */
export const registerClient = (service: { url: string }, token: string | undefined, body: unknown = publicMetadata) =>
  request(service, 'POST', '/api/oauth/register', { ...(token !== undefined && { token }), body })
