import { inTransaction } from '../../prisma/statement/transaction.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { writeAuditEntry } from '../core/audit/audit.ts'
import { unauthenticated } from '../core/errors.ts'
import type { Ports } from '../core/ports.ts'
import type { RegistrationActor } from '../core/principals.ts'
import { sha256 } from '../core/sha256.ts'
import { parse } from '../core/validation.ts'
import { readClientMetadata } from '../oauth/clients/client-metadata.ts'
import { registrationRules } from '../oauth/clients/client-rules.ts'
import { auditedClient } from '../oauth/clients/write-client.ts'
import { registerClientOfTeam } from '../oauth/team-clients/register-client.ts'
import type { OwnerTeam } from '../oauth/team-clients/register-client.ts'
import { isInitialAccessValue } from '../tokens/token-value.ts'
import { initialAccessHint } from './initial-access-token.ts'

/** A valid initial access token. */
export interface InitialAccess {
  actor: RegistrationActor
  team: OwnerTeam
}

const tokenByHash = statement<OwnerTeam & { tokenId: string; lastFour: string }, [hash: Buffer, now: Date]>(
  'initial_access_token_by_hash',
  `SELECT i.id AS "tokenId", i.last_four AS "lastFour", t.id, t.name, t.slug FROM initial_access_tokens i JOIN teams t ON t.id = i.team_id
   WHERE i.hash = $1 AND i.expires_at > $2 AND t.deleted_at IS NULL`,
  { startsRequests: true },
)

/** Returns the initial access token with this value; null if it is unknown or expired, or if its team is deleted. */
export async function findInitialAccess(pool: StatementPool, value: string, now: Date): Promise<InitialAccess | null> {
  if (!isInitialAccessValue(value)) return null
  const [row] = await tokenByHash(pool, sha256(value), now)
  if (!row) return null
  const { tokenId: credentialId, lastFour, ...team } = row
  return {
    actor: { kind: 'team', authenticationMethod: 'initial_access_token', name: initialAccessHint({ lastFour }), credentialId },
    team,
  }
}

type RegistrationPorts = Pick<Ports, 'database' | 'now' | 'sendMail' | 'brandName'>

/**
 * Registers a client of the team of an initial access token, from its metadata (RFC 7591 §3.1). The client is a draft, also if owners need no
 * review: only an owner can decide that others can connect it. Throws `unauthenticated` if the token was deleted meanwhile.
 */
export async function registerByToken(ports: RegistrationPorts, requestId: string, { actor, team }: InitialAccess, metadata: object) {
  const registration = parse(registrationRules(team.id), readClientMetadata(metadata))
  const context = { ...ports, requestId, principal: actor, browser: null }
  return inTransaction(ports.database, async (transaction) => {
    const result = await registerClientOfTeam(transaction, context, team, {
      registration,
      source: 'registration',
      state: 'draft',
      hasNoSecret: registration.requireKeyAuthentication,
    })
    const used = { lastUsedAt: context.now() }
    if ((await updateRows(transaction, 'initial_access_tokens', { id: actor.credentialId }, used)) === 0) throw unauthenticated()
    writeAuditEntry(transaction, context, 'createTeamClient', {
      ...auditedClient(result.client),
      after: { ...registration, state: 'draft' },
    })
    return { ...result, registration }
  })
}
