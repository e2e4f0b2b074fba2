import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Client } from './stored-client.ts'
import { findSessionTeams } from './session-queries.ts'

/** An unlisted client, as a user sees it: its team, and whether the user is a member and so can connect it. */
export interface DraftClient {
  team: string
  isMember: boolean
}

const draftForUser = statement<DraftClient, [teamId: string | null, userId: string]>(
  'draft_for_user',
  `SELECT t.name AS team, EXISTS (SELECT FROM members m WHERE m.team_id = t.id AND m.user_id = $2) AS "isMember" FROM teams t WHERE t.id = $1`,
)

/**
 * Returns the draft; null for a listed client, which everyone can connect (docs/decisions/clients.md#drafts). `reachedTeamIds` are the
 * teams that the session reaches; null for all.
 */
export async function findDraft(
  { pool }: Database,
  { state, ownerTeamId }: Pick<Client, 'state' | 'ownerTeamId'>,
  userId: string,
  reachedTeamIds: readonly string[] | null,
): Promise<DraftClient | null> {
  if (state === 'listed') return null
  const isReached = reachedTeamIds === null || (ownerTeamId !== null && reachedTeamIds.includes(ownerTeamId))
  const [draft] = isReached ? await draftForUser(pool, ownerTeamId, userId) : []
  return draft ?? { team: '', isMember: false }
}

/** Returns true if the client of a request is not listed and the browser's user is not a member of its team. */
export async function isDraftOfOthers(database: Database, { client, session }: KoaContextWithOIDC['oidc']): Promise<boolean> {
  if (!client || client.state === 'listed') return false
  if (session?.accountId === undefined) return true
  // A sign-out has ended the session before this query. The user is known, and nothing more is opened.
  const reached = await findSessionTeams(database, session.uid, null)
  const draft = await findDraft(database, { state: client.state, ownerTeamId: client.owner_team_id }, session.accountId, reached)
  return draft?.isMember === false
}
