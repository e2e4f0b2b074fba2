import { errors } from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../../../prisma/connection/database.ts'
import { tryAppPath } from '../../web/page-paths.ts'
import { endpoints } from '../provider/endpoints.ts'
import { currentContext } from '../provider/provider-internals.ts'
import type { Client } from './stored-client.ts'
import { findDraft } from './draft.ts'
import { findSessionTeams } from './session-queries.ts'

// Members of a team try its apps on a page of the account site (docs/decisions/clients.md#trying-an-app).

/** Returns the redirect URI of that page; null if oidc-provider would refuse it, which accepts http, and not https, on loopback. */
export function buildTryUri(authUrl: string): string | null {
  const { protocol, hostname } = new URL(authUrl)
  return (protocol === 'http:') === ['localhost', '127.0.0.1', '[::1]'].includes(hostname) ? authUrl + tryAppPath : null
}

/** Returns the redirect URIs of a client, with that of the page if the client belongs to a team. */
export const listRedirectUris = ({ ownerTeamId, redirectUris, grantTypes }: Client, tryUri: string | null): string[] =>
  ownerTeamId !== null && grantTypes.includes('authorization_code') && tryUri !== null ? [...redirectUris, tryUri] : redirectUris

/**
 * Returns true if a code that was sent to the page is exchanged. The page has no secret. A code for it is worthless elsewhere, because the
 * exchange needs the same redirect URI and the verifier of the browser that requested it. The stored URI decides: otherwise, a used code
 * for another URI would end the tokens of its user without the secret.
 */
export function isTriedExchange({ ownerTeamId, model }: Client, tryUri: string | null): boolean {
  const ctx = currentContext()
  if (ctx?.path !== endpoints.token.path || ctx.headers.authorization !== undefined || ownerTeamId === null) return false
  const { grant_type: grantType, redirect_uri: redirectUri } = { ...ctx.oidc.body }
  return grantType === 'authorization_code' && redirectUri === tryUri && model?.payload['redirectUri'] === tryUri
}

/** Refuses to redirect anyone but members of a listed client's team to the page. Others cannot connect an unlisted client at all. */
export async function refuseTryByOthers(
  database: Database,
  tryUri: string | null,
  { client, session, params }: KoaContextWithOIDC['oidc'],
): Promise<false> {
  if (client?.state !== 'listed' || session?.accountId === undefined || params?.['redirect_uri'] !== tryUri) return false
  const reached = await findSessionTeams(database, session.uid)
  const team = await findDraft(
    database,
    { clientId: client.clientId, state: 'draft', source: client.source, ownerTeamId: client.owner_team_id },
    session.accountId,
    reached,
  )
  if (!team?.isMember) throw new errors.AccessDenied('only members of its team try an app')
  return false
}
