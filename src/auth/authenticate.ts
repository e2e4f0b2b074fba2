import type { Database } from '../../prisma/connection/database.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { Authenticate, Credential } from '../../rest-facade/http/bearer.ts'
import { resourceIdentifier } from '../../rest-facade/http/protected-resources.ts'
import { LazyTeams } from '../../schema/core/team-access/lazy-teams.ts'
import type { Principal } from '../../schema/core/principals.ts'
import { unauthenticated } from '../../schema/core/errors.ts'
import type { DomainError } from '../../schema/core/errors.ts'
import { effectiveScopes } from '../../schema/core/scopes.ts'
import { sha256 } from '../../schema/core/sha256.ts'
import { staffRoleSql } from '../../schema/core/staff/staff-role.ts'
import type { AnyStaffRole } from '../../schema/core/staff/staff-role.ts'
import { toTeamAccesses } from '../../schema/core/team-access/queries.ts'
import { tokenReach } from '../../schema/core/team-access/reach.ts'
import type { StoredTeamAccess } from '../../schema/core/team-access/queries.ts'
import { isLiveAt } from '../../schema/core/team-access/live.ts'
import { isWithinOverlap, tokenKind } from '../../schema/tokens/token-value.ts'
import { credentialStatement, ownerAccessSql, teamsOfCredential } from './credential-teams.ts'
import { createCheckProof, dpopRefusal } from './dpop.ts'
import { findMachineCredential, isMachineToken } from './machine-credential.ts'
import type { MachineCredential } from './machine-credential.ts'
import { findOAuthCredential, isAccessToken } from './oauth-credential.ts'
import type { OAuthCredential } from './oauth-credential.ts'

interface TokenRow {
  id: string
  scopes: string[]
  expiresAt: string | null
  lastUsedAt: string | null
  /** True if the token was found by its value, and not by the previous one. */
  hasValue: boolean
  previousExpiresAt: string | null
}

interface TeamTokenRow extends TokenRow {
  name: string
  team: StoredTeamAccess
}

interface PersonalTokenRow extends TokenRow {
  userId: string
  userName: string
  email: string
  emailVerified: boolean
  staffRole: AnyStaffRole | null
  /** Teams of a limited token; null for no limit. */
  teamIds: string[] | null
  revokedTeamIds: string[]
  teams: StoredTeamAccess[] | null
}

const reach = tokenReach('c')

// A token is found by the hash of its value or of the previous one. A revoked or expired token has no row. This is SQL, because every
// request with a token runs one of these statements.
const columns = `c.id, to_json(c.scopes) AS scopes, c.expires_at AS "expiresAt", c.last_used_at AS "lastUsedAt",
  c.hash = $1 AS "hasValue", c.previous_expires_at AS "previousExpiresAt"`
const isLive = `(c.hash = $1 OR c.previous_hash = $1) AND ${isLiveAt('$2', 'c')}`

/** Finds a token of a user who is not disabled, with the user and teams, each with the current role and applications. */
const personalTokenByHash = credentialStatement<PersonalTokenRow>(
  'personal_token_by_hash',
  reach,
  (
    teams,
    join,
  ) => `SELECT ${columns}, u.id AS "userId", u.name AS "userName", u.email, u.email_verified AS "emailVerified", ${staffRoleSql('u')} AS "staffRole",
     ${teams} AS teams, to_json(${reach.teamIds}) AS "teamIds", to_json(${reach.revokedTeamIds}) AS "revokedTeamIds"
   FROM access_tokens c JOIN users u ON u.id = c.user_id ${join} WHERE ${isLive} AND u.disabled_at IS NULL`,
)

/** Finds a token of a team that is not deleted. It has the rights of an owner. */
const teamTokenByHash = statement<TeamTokenRow, [hash: Buffer, now: Date]>(
  'team_token_by_hash',
  `SELECT ${columns}, c.name, ${ownerAccessSql} AS team
   FROM access_tokens c JOIN teams t ON t.id = c.team_id WHERE ${isLive} AND t.deleted_at IS NULL`,
  { startsRequests: true },
)

export interface AuthenticatePorts {
  database: Database
  now(): Date
  /** The origin of the resources that tokens can be limited to. */
  authUrl: string
  /** Public URLs of the service, which DPoP proofs contain. */
  publicUrls: readonly string[]
  /** Records the use of a token, grant or machine in the background. */
  recordUse(credentialId: string, lastUsedAt: Date | null): void
}

/**
 * Returns the principal of a credential; null if it is unknown, expired or revoked. Runs at most one statement, and a second one for a DPoP
 * proof. Throws `unauthenticated` if a token that is bound to a key comes without a proof, or the reverse, or is for another resource.
 */
export function createAuthenticate({ database, now, authUrl, publicUrls, recordUse }: AuthenticatePorts): Authenticate {
  const checkProof = createCheckProof({ database, now, publicUrls })

  /** Returns true if the value by which a token was found currently works. */
  const works = ({ hasValue, previousExpiresAt }: TokenRow) =>
    hasValue || isWithinOverlap(previousExpiresAt === null ? null : new Date(previousExpiresAt), now())

  /** Returns the properties that the principals of both kinds of token share. Records the use of the token. */
  function getCredential({ id: credentialId, scopes, hasValue, lastUsedAt, ...row }: TokenRow, staffRole: AnyStaffRole | null) {
    recordUse(credentialId, lastUsedAt === null ? null : new Date(lastUsedAt))
    // The previous value works until the end of the overlap, which is never after the token's expiry.
    const expiresAt = hasValue ? row.expiresAt : row.previousExpiresAt
    return { credentialId, scopes: effectiveScopes(scopes, staffRole), expiresAt: expiresAt === null ? null : new Date(expiresAt) }
  }

  async function findTeamPrincipal(token: string): Promise<Principal | null> {
    const [row] = await teamTokenByHash(database.pool, sha256(token), now())
    if (!row || !works(row)) return null
    const teams = new LazyTeams(null, toTeamAccesses([row.team]))
    return { kind: 'team', authenticationMethod: 'team_token', name: row.name, clientId: null, ...getCredential(row, null), teams }
  }

  async function findUserPrincipal(token: string, teamSlug: string | null): Promise<Principal | null> {
    const row = await personalTokenByHash(database.pool, sha256(token), now(), teamSlug)
    if (!row || !works(row)) return null
    const { userId: id, userName: name, email, emailVerified, staffRole, teamIds, revokedTeamIds } = row
    return {
      kind: 'user',
      authenticationMethod: 'personal_token',
      user: { id, name, email, emailVerified },
      staffRole,
      client: null,
      authenticatedAt: null,
      provedTwoFactor: null,
      signIns: null,
      pictureId: null,
      lastTeamId: null,
      timeSettings: null,
      isLimitedToTeams: teamIds !== null,
      ...getCredential(row, staffRole),
      teams: teamsOfCredential({ userId: id, teamIds, revokedTeamIds }, row.teams, teamSlug),
    }
  }

  /** The length of an access token shows if it belongs to a machine or to a user's grant. */
  function findAccessToken(token: string, teamSlug: string | null): Promise<OAuthCredential | MachineCredential | null> {
    if (isMachineToken(token)) return findMachineCredential(database.pool, token, now())
    return isAccessToken(token) ? findOAuthCredential(database.pool, token, now(), teamSlug) : Promise.resolve(null)
  }

  async function findOAuthPrincipal(credential: Credential, teamSlug: string | null): Promise<Principal | null> {
    const isDpop = credential.scheme === 'DPoP'
    const accessToken = await findAccessToken(credential.token, teamSlug)
    if (accessToken?.thumbprint && isDpop) {
      if (credential.check === 'first') await checkProof(credential, accessToken.thumbprint)
    } else if (accessToken?.thumbprint) throw dpopRefusal('invalid_token', 'the token is bound to a key and was sent as a bearer token')
    else if (isDpop) throw dpopRefusal('invalid_token', 'the token is unknown or not bound to a key')
    if (!accessToken) return null
    if (accessToken.audience !== null && accessToken.audience !== resourceIdentifier(authUrl, credential.resource))
      throw wrongResource(isDpop)
    recordUse(accessToken.principal.credentialId, accessToken.lastUsedAt)
    return accessToken.principal
  }

  return async (credential, teamSlug) => {
    const { scheme, token } = credential
    // A value of another form, or with a wrong checksum, was never issued. No query is needed (docs/decisions/tokens.md#format).
    const kind = tokenKind(token)
    if (kind === null) return findOAuthPrincipal(credential, teamSlug)
    if (scheme !== 'Bearer') return null
    return kind === 'team' ? findTeamPrincipal(token) : findUserPrincipal(token, teamSlug)
  }
}

/** Returns a 401 for a token that a client obtained for the other API (RFC 8707). */
function wrongResource(isDpop: boolean): DomainError {
  const errorDescription = 'the token is for another resource'
  return isDpop ? dpopRefusal('invalid_token', errorDescription, { errorDescription }) : unauthenticated({ errorDescription })
}
