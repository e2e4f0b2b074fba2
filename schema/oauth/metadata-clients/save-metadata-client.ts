import { isDeepStrictEqual } from 'node:util'
import type { OAuthClient } from '../../../prisma/generated/client/client.ts'
import type { ClientState } from '../../../prisma/generated/client/enums.ts'
import { clientColumns, readRow } from '../../../prisma/statement/read-row.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { difference, systemPrincipal } from '../../core/audit/audit.ts'
import { DomainError } from '../../core/errors.ts'
import type { Ports } from '../../core/ports.ts'
import { revokeGrants } from '../../core/team-access/revoke-grants.ts'
import { toClientColumns, toRegistration } from '../clients/client-rules.ts'
import type { Registration } from '../clients/client-rules.ts'
import { insertClient } from '../clients/write-client.ts'

/**
 * The state of clients by URL under each setting. `isUsableGrant` reads the state and not the setting, so that it has no parameter. A
 * rejected client cannot be used by anyone.
 */
const stateBySetting: Readonly<Record<Ports['clientMetadataDocuments'], ClientState>> = {
  off: 'rejected',
  reviewed: 'draft',
  any: 'listed',
}

const setStates = statement<object, [state: ClientState]>(
  'set_states_of_metadata_clients',
  `UPDATE oauth_clients SET state = $1 WHERE source = 'metadata' AND state <> $1`,
)

/** Gives the stored clients by URL the state of the setting. */
export const applyMetadataSetting = ({ pool }: Pick<Ports['database'], 'pool'>, setting: Ports['clientMetadataDocuments']) =>
  setStates(pool, stateBySetting[setting])

const lockedClient = `SELECT ${clientColumns} FROM oauth_clients c WHERE client_id = $1 FOR NO KEY UPDATE`

/** The parts by which a user recognizes a client, and by which it receives and redeems codes. The description is the name in the document. */
const getTrustedParts = ({ description, redirectUris, confidential, jwks, jwksUri }: ReturnType<typeof toRegistration>) => ({
  description,
  redirectUris: redirectUris.toSorted(),
  confidential,
  jwks,
  jwksUri,
})

interface FetchedClient {
  clientId: string
  registration: Registration
  /** When the request for the document was sent. */
  fetchedAt: Date
  requestId: string
}

/**
 * Stores what the document of a client contains. If the client has another name, other redirect URIs or other keys than before, its grants
 * are revoked, because the users have trusted the former ones.
 */
export function saveMetadataClient(
  { database, now, clientMetadataDocuments: setting }: Pick<Ports, 'database' | 'now' | 'clientMetadataDocuments'>,
  { clientId, registration, fetchedAt, requestId }: FetchedClient,
): Promise<void> {
  const state = stateBySetting[setting]
  return inTransaction(database, async (transaction) => {
    const current = await readRow<OAuthClient>(transaction, 'lock_metadata_client', lockedClient, clientId)
    if (!current) {
      const context = { now }
      insertClient(transaction, context, {
        registration,
        clientId,
        ownerTeamId: null,
        source: 'metadata',
        state,
        fetchedAt,
        hasNoSecret: true,
      })
      return
    }
    // Another process has fetched the document since.
    if (current.fetchedAt && current.fetchedAt >= fetchedAt) return
    const before = toRegistration(current)
    const isUnchanged = difference(before, registration).isUnchanged
    const changes = isUnchanged ? {} : { ...toClientColumns(registration), updatedAt: now() }
    transaction.defer(updateRows(transaction, 'oauth_clients', { clientId }, { state, fetchedAt, ...changes }))
    if (isDeepStrictEqual(getTrustedParts(before), getTrustedParts(registration))) return
    await revokeGrants(transaction, { now, requestId, principal: systemPrincipal }, { oauthClientId: current.id })
  }).catch((error: unknown) => {
    // Another process has stored the client meanwhile.
    if (!(error instanceof DomainError && error.code === 'validation_failed')) throw error
  })
}
