import { isDeepStrictEqual } from 'node:util'
import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { systemPrincipal, writeAuditEntry } from '../../../schema/core/audit/audit.ts'
import { sendNotice, userToNotify } from '../../../schema/core/notices/send-notice.ts'
import type { Ports } from '../../../schema/core/ports.ts'
import { isUsableGrant } from '../../../schema/core/team-access/live.ts'
import { saveGrant } from '../storage/grant.ts'
import type { SavedGrant } from '../storage/grant.ts'
import { jwtBearerGrant } from '../storage/identity.ts'
import type { IssuedToken, NewModel } from './token-request.ts'

/** The access to a team that its identity provider gives a client for a member (docs/decisions/agent-assertions.md). */
interface VouchedAccess {
  /** Uses the assertion up, and links the account if it is not linked. Returns the account. Throws if the access is refused. */
  accept(transaction: Transaction): Promise<string>
  /** Internal key and public data of the client. */
  client: { id: string; clientId: string; name: string }
  provider: { id: string; name: string; teamId: string; teamName: string }
  scopes: readonly string[]
  requestId: string
}

export type VouchedTokenPorts = Pick<Ports, 'database' | 'now' | 'sendMail'>

type TokenValues = [grantId: string, hash: string, payload: string, scopes: readonly string[], expiresAt: Date, now: Date]

/** Starts a chain of the grant with one access token. Returns no row if the grant cannot be used. */
const insertVouchedToken = statement<{ team: string }, TokenValues>(
  'insert_vouched_token',
  `WITH usable AS (
     SELECT g.id, t.slug FROM oauth_grants g JOIN oauth_clients c ON c.id = g.oauth_client_id JOIN users u ON u.id = g.user_id
       JOIN teams t ON t.id = g.team_id WHERE g.id = $1 AND ${isUsableGrant('$6')}
   ), chain AS (
     INSERT INTO token_chains (grant_id, scopes) SELECT id, $4 FROM usable RETURNING id
   ), token AS (
     INSERT INTO oidc_models (id_hash, kind, payload, chain_id, expires_at) SELECT decode($2, 'hex'), 'AccessToken', $3::jsonb, id, $5 FROM chain
   )
   SELECT slug AS team FROM usable`,
)

const declinedScopes = statement<{ scopes: string[] }, [userId: string, oauthClientId: string, providerId: string]>(
  'declined_scopes_of_vouched_grant',
  `SELECT to_json(declined_scopes) AS scopes FROM oauth_grants
   WHERE user_id = $1 AND oauth_client_id = $2 AND provider_id = $3 AND revoked_at IS NULL AND revoked_team_ids = '{}' FOR NO KEY UPDATE`,
)

/** The access ended during the request. It rolls the grant back. */
class EndedAccess extends Error {}

/**
 * Stores the access token that the identity provider of a team gives, with its grant. Scopes that the user has removed from the grant are
 * left out. Returns the changes of the response; null if the access ended meanwhile, or if no scope remains. It is one transaction, so that a
 * refused request neither links an account nor uses the assertion up.
 */
export async function issueVouchedToken(
  { hash, payload, expires_at }: NewModel,
  access: VouchedAccess,
  ports: VouchedTokenPorts,
): Promise<IssuedToken | null> {
  const { client, provider } = access
  try {
    return await inTransaction(ports.database, async (transaction) => {
      const at = ports.now()
      const userId = await access.accept(transaction)
      const [existing] = await declinedScopes(transaction, userId, client.id, provider.id)
      const granted = access.scopes.filter((scope) => existing?.scopes.includes(scope) !== true)
      if (granted.length === 0) throw new EndedAccess()
      const decision = { userId, oauthClientId: client.id, teamId: provider.teamId, providerId: provider.id, granted, declined: [] }
      const grant = await saveGrant(transaction, decision, at)
      const scope = granted.join(' ')
      const token = { ...payload, kind: 'AccessToken', accountId: userId, grantId: grant.id, gty: jwtBearerGrant, scope }
      const [issued] = await insertVouchedToken(transaction, grant.id, hash, JSON.stringify(token), granted, expires_at, at)
      if (!issued) throw new EndedAccess()
      await recordGrant(transaction, { ...access, userId }, grant, ports)
      return { scope, ...issued }
    })
  } catch (error) {
    if (error instanceof EndedAccess) return null
    throw error
  }
}

/** Writes the audit entry of a new grant or further scopes, and notifies the user of a new one. */
async function recordGrant(
  transaction: Transaction,
  { userId, client, provider, requestId }: VouchedAccess & { userId: string },
  { id, isNew, scopes, before }: SavedGrant,
  { now, sendMail }: VouchedTokenPorts,
): Promise<void> {
  if (isDeepStrictEqual(before, scopes)) return
  writeAuditEntry(transaction, { principal: systemPrincipal, now, requestId }, isNew ? 'createGrant' : 'extendGrant', {
    teamId: provider.teamId,
    subject: id,
    subjectName: client.name,
    ...(before && { before: { scopes: before } }),
    after: { userId, clientId: client.clientId, scopes, provider: provider.name },
  })
  if (!isNew) return
  const [user] = await userToNotify(transaction, userId)
  const data = { name: client.name, team: provider.teamName, provider: provider.name }
  if (user) await sendNotice(transaction, { now, sendMail, principal: null, browser: null }, user, 'app-connected', data)
}
