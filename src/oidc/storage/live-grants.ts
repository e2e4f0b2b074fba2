import type { Database } from '../../../prisma/client.ts'
import { statement } from '../../../prisma/statement.ts'
import { scopes as catalogue } from '../../../schema/scopes.ts'
import { isIdentifier } from '../../../schema/validation.ts'

/** A live grant with what decides whether it still serves. */
export interface StoredGrant {
  id: string
  userId: string
  /** The public `client_id`. */
  clientId: string
  scopes: string[]
  declinedScopes: string[]
  /** What the client is registered for now. */
  registeredScopes: string[]
  /** Slug of the team selected, or null. */
  team: string | null
  /** False once the person left the team selected, or an owner cut it off. */
  isWithinTeam: boolean
  /** The client's replay window for refresh tokens. */
  replaySeconds: number
  /** Seconds since 1970. */
  createdAt: number
  expiresAt: number
}

/** What a grant gives now, in the order of the catalogue: what the person allowed and the client is still registered for. */
export const grantedScopes = ({ scopes, declinedScopes, registeredScopes }: StoredGrant): string[] =>
  Object.keys(catalogue).filter((scope) => scopes.includes(scope) && registeredScopes.includes(scope) && !declinedScopes.includes(scope))

/** A person who may sign in: disabled ones are not read. */
export interface StoredPerson {
  id: string
  name: string
  email: string
  emailVerified: boolean
  /** Seconds since 1970. */
  updatedAt: number
}

export interface StoredArtifact {
  payload: Record<string, unknown>
  isSpent: boolean
  grant: StoredGrant | null
  person: StoredPerson | null
}

// The same conditions wherever a grant is read: what is over, or whose client or person is barred, is not there at all.
const liveGrants = `oauth_grants g JOIN oauth_clients c ON c.id = g.oauth_client_id AND c.disabled_at IS NULL
    AND (c.team <> 'required' OR g.team_id IS NOT NULL)
  JOIN users u ON u.id = g.user_id AND u.disabled_at IS NULL LEFT JOIN teams t ON t.id = g.team_id`
const isLive = 'g.revoked_at IS NULL AND g.expires_at >'

const isWithinTeam = `(g.team_id IS NULL OR g.team_id <> ALL (g.cut_team_ids)
    AND EXISTS (SELECT 1 FROM members m WHERE m.team_id = g.team_id AND m.user_id = g.user_id))`
const grantJson = `json_build_object('id', g.id, 'userId', g.user_id, 'clientId', c.client_id, 'scopes', g.scopes, 'declinedScopes', g.declined_scopes,
  'registeredScopes', c.required_scopes || c.optional_scopes, 'team', t.slug, 'replaySeconds', c.refresh_replay_seconds,
  'isWithinTeam', ${isWithinTeam},
  'createdAt', extract(epoch FROM g.created_at)::bigint, 'expiresAt', extract(epoch FROM g.expires_at)::bigint)`
const personJson = `json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'emailVerified', u.email_verified,
  'updatedAt', extract(epoch FROM u.updated_at)::bigint)`

const artifactBy = (name: string, column: string) =>
  statement<StoredArtifact & { hash: string }, [value: Buffer, kind: string, now: Date]>(
    name,
    `SELECT a.payload, encode(a.id_hash, 'hex') AS hash, a.consumed_at IS NOT NULL AS "isSpent",
       CASE WHEN g.id IS NOT NULL THEN ${grantJson} END AS grant, CASE WHEN g.id IS NOT NULL THEN ${personJson} END AS person
     FROM oauth_artifacts a LEFT JOIN (${liveGrants}) ON g.id = a.grant_id AND ${isLive} $3
     WHERE a.${column} = $1 AND a.kind = $2 AND (a.grant_id IS NULL OR g.id IS NOT NULL)`,
  )

/** Artifacts by what identifies them; one of a grant that is over is not there. */
export const artifactsBy = {
  id: artifactBy('artifact_by_id', 'id_hash'),
  uid: artifactBy('artifact_by_uid', 'uid_hash'),
  userCode: artifactBy('artifact_by_user_code', 'user_code_hash'),
}

const grantById = statement<{ grant: StoredGrant; person: StoredPerson }, [id: string, now: Date]>(
  'live_grant_by_id',
  `SELECT ${grantJson} AS grant, ${personJson} AS person FROM ${liveGrants} WHERE g.id = $1 AND ${isLive} $2`,
)

/** A live grant and its person; null for any other. */
export async function findGrant({ pool }: Database, id: string, now: Date) {
  const [row] = isIdentifier(id) ? await grantById(pool, id, now) : []
  return row ?? null
}

const grantsOf = statement<{ id: string; teamId: string | null; declinedScopes: string[] }, [userId: string, clientId: string, now: Date]>(
  'live_grants_of_client',
  `SELECT g.id, g.team_id AS "teamId", to_json(g.declined_scopes) AS "declinedScopes" FROM ${liveGrants}
   WHERE g.user_id = $1 AND c.client_id = $2 AND ${isLive} $3 AND g.cut_team_ids = '{}' AND ${isWithinTeam} ORDER BY g.created_at DESC`,
)

/** What a person grants a client at present, newest first; what an owner cut a team from is not extended, nor listed. */
export const grantsTo = ({ pool }: Database, userId: string, clientId: string, now: Date) => grantsOf(pool, userId, clientId, now)

const personById = statement<{ person: StoredPerson }, [id: string]>(
  'person_by_id',
  `SELECT ${personJson} AS person FROM users u WHERE u.id = $1 AND u.disabled_at IS NULL`,
)

/** The person of this identifier; null for what is unknown or disabled. */
export async function findPerson({ pool }: Database, id: string): Promise<StoredPerson | null> {
  const [row] = isIdentifier(id) ? await personById(pool, id) : []
  return row?.person ?? null
}
