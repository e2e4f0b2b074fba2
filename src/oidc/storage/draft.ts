import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { getClientHost } from '../../../schema/oauth/metadata-clients/client-url.ts'
import type { Client } from './stored-client.ts'
import { findSessionTeams } from './session-queries.ts'

/**
 * An unlisted client, as a user sees it: its team, or null for a client by URL, and whether the user can connect it, as a member of its team or
 * of a team that allows its host.
 */
export interface DraftClient {
  team: string | null
  isMember: boolean
}

const draftForUser = statement<DraftClient, [teamId: string | null, userId: string]>(
  'draft_for_user',
  `SELECT t.name AS team, EXISTS (SELECT FROM members m WHERE m.team_id = t.id AND m.user_id = $2) AS "isMember" FROM teams t WHERE t.id = $1`,
)

const metadataDraftForUser = statement<DraftClient, [host: string, userId: string, teamIds: readonly string[] | null]>(
  'metadata_draft_for_user',
  `SELECT NULL AS team, EXISTS (SELECT FROM members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = $2 AND t.deleted_at IS NULL
     AND t.agent_hosts @> ARRAY[$1] AND ($3::uuid[] IS NULL OR t.id = ANY ($3))) AS "isMember"`,
)

/**
 * Returns the draft; null for a listed client, which everyone can connect (docs/decisions/clients.md#drafts). `reachedTeamIds` are the
 * teams that the session reaches; null for all.
 */
export async function findDraft(
  { pool }: Database,
  { clientId, state, source, ownerTeamId }: Pick<Client, 'clientId' | 'state' | 'source' | 'ownerTeamId'>,
  userId: string,
  reachedTeamIds: readonly string[] | null,
): Promise<DraftClient | null> {
  if (state === 'listed') return null
  if (source === 'metadata')
    return (await metadataDraftForUser(pool, getClientHost(clientId), userId, reachedTeamIds))[0] ?? { team: null, isMember: false }
  const isReached = reachedTeamIds === null || (ownerTeamId !== null && reachedTeamIds.includes(ownerTeamId))
  const [draft] = isReached ? await draftForUser(pool, ownerTeamId, userId) : []
  return draft ?? { team: '', isMember: false }
}

/**
 * Returns true if the client of a request is not listed and the browser's user is not a member of its team. A client by URL,
 * which is never reviewed, counts as such a client until a user signs in, even if everyone can connect it.
 */
export async function isDraftOfOthers(database: Database, { client, session }: KoaContextWithOIDC['oidc']): Promise<boolean> {
  if (!client) return false
  if (session?.accountId === undefined) return client.state !== 'listed' || client.source === 'metadata'
  if (client.state === 'listed') return false
  // A sign-out has ended the session before this query. The user is known, and nothing more is opened.
  const reached = await findSessionTeams(database, session.uid, null)
  const { clientId, state, source } = client
  const draft = await findDraft(database, { clientId, state, source, ownerTeamId: client.owner_team_id }, session.accountId, reached)
  return draft?.isMember === false
}
