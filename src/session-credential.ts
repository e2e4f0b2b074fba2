import type pg from 'pg'
import { statement } from '../prisma/statement.ts'
import type { UserPrincipal } from '../schema/context.ts'
import { isScope, scopes } from '../schema/scopes.ts'
import { sha256 } from '../schema/secret.ts'
import { memberColumns, reachesOf } from './stored-reach.ts'
import type { StoredReach } from './stored-reach.ts'

interface SessionRow {
  id: string
  methods: string[]
  authenticatedAt: string
  lastUsedAt: string
  expiresAt: string
  userId: string
  userName: string
  email: string
  emailVerified: boolean
  teams: StoredReach[] | null
}

/** A session's value → the person signed in, with every team of this moment. What is over or a disabled person's has no row. */
const sessionByHash = statement<SessionRow, [hash: Buffer, now: Date]>(
  'session_by_hash',
  `SELECT s.id, to_json(s.methods) AS methods, s.authenticated_at AS "authenticatedAt", s.last_used_at AS "lastUsedAt", a.expires_at AS "expiresAt",
     u.id AS "userId", u.name AS "userName", u.email, u.email_verified AS "emailVerified",
     (SELECT json_agg(json_build_array(${memberColumns}))
      FROM members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = u.id) AS teams
   FROM oauth_artifacts a JOIN sessions s ON s.uid_hash = a.uid_hash JOIN users u ON u.id = s.user_id
   WHERE a.id_hash = $1 AND a.kind = 'Session' AND a.expires_at > $2 AND u.disabled_at IS NULL`,
)

/** Name of the cookie that carries the session; `__Host-` where browsers accept it (RFC 6265bis §4.1.3.2). */
export const sessionCookie = (authUrl: string): string => (authUrl.startsWith('https:') ? '__Host-session' : 'session')

export interface SessionCredential {
  principal: UserPrincipal & { authenticatedAt: Date }
  lastUsedAt: Date
  /** How the person signed in, in words of RFC 8176. */
  methods: string[]
}

// "Only account-site sessions create tokens": a session is the person, with all they may do (decisions §5).
const everyScope = new Set(Object.keys(scopes).filter(isScope))

/** Who is signed in with this value of the session cookie at this moment; null for nobody. One statement. */
export async function findSession(pool: pg.Pool, value: string | undefined, now: Date): Promise<SessionCredential | null> {
  if (value === undefined || !valuePattern.test(value)) return null
  const [row] = await sessionByHash(pool, sha256(value), now)
  if (!row) return null
  const { userId: id, userName: name, email, emailVerified } = row
  return {
    lastUsedAt: new Date(row.lastUsedAt),
    methods: row.methods,
    principal: {
      kind: 'user',
      via: 'session',
      credentialId: row.id,
      scopes: everyScope,
      teams: reachesOf(row.teams),
      expiresAt: new Date(row.expiresAt),
      user: { id, name, email, emailVerified },
      client: null,
      authenticatedAt: new Date(row.authenticatedAt),
    },
  }
}

const valuePattern = /^[A-Za-z0-9_-]{43}$/

/** The value of a cookie of the request; undefined where it is not sent. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(/; */) ?? []) if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1)
  return undefined
}
