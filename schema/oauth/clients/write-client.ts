import { randomBytes, randomUUID } from 'node:crypto'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { insertRow } from '../../../prisma/statement/write-row.ts'
import type { OAuthClient } from '../../../prisma/generated/client/client.ts'
import type { Recorder } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { revokeGrants } from '../../core/team-access/revoke-grants.ts'
import { parse, refused, unlessTaken } from '../../core/validation.ts'
import { toClientColumns } from './client-rules.ts'
import type { Registration } from './client-rules.ts'
import { addSecret, createSecretValue, clientSecretOverlapRules, rotateSecret } from './client-secret.ts'
import type { ClientWithSecrets } from './client.ts'

// These changes of clients are the same for operators and teams.

/** Creates an identifier in hexadecimal, so that it is never read as a command-line option. */
const createClientId = () => randomBytes(12).toString('hex')

/** The members that are not part of a registration. */
const newClient = {
  rejectionReason: null,
  proposedChanges: null,
  lastUsedAt: null,
  disabledAt: null,
  fetchedAt: null,
} as const

export interface NewClient extends Pick<OAuthClient, 'ownerTeamId' | 'source' | 'state'> {
  registration: Registration
  /** When the document of a client by URL was fetched. */
  fetchedAt?: Date
  /** The public identifier; generated if absent. */
  clientId?: string | null | undefined
  /** True for a client that will only use keys. An owner can still create a secret for the client of a team. */
  hasNoSecret?: boolean | undefined
}

/** Registers a client. A confidential one gets a secret, unless it has none, which only the caller receives. */
export function insertClient(
  transaction: Transaction,
  context: Pick<Context, 'now'>,
  { registration, clientId, hasNoSecret = false, ...owner }: NewClient,
): { client: ClientWithSecrets; clientSecret: string | null } {
  const at = context.now()
  const id = randomUUID()
  const row = {
    ...newClient,
    ...toClientColumns(registration),
    ...owner,
    id,
    clientId: clientId ?? createClientId(),
    createdAt: at,
    updatedAt: at,
  }
  transaction.defer(unlessTaken('clientId', insertRow(transaction, 'oauth_clients', row)))
  const clientSecret = registration.confidential && !hasNoSecret ? createSecretValue() : null
  const secrets = clientSecret === null ? [] : [addSecret(transaction, id, clientSecret, at)]
  return { client: { ...row, secrets }, clientSecret }
}

/** Throws for a client by URL, whose document describes it. */
export function requireStoredHere({ source }: OAuthClient): void {
  if (source === 'metadata') throw refused({ clientId: ['The selected client id is a URL. The document at the URL describes the client.'] })
}

/** Gives a locked client a new secret. Throws `validation_failed` for a public client. */
export function giveNewSecret(transaction: Transaction, context: Context, locked: ClientWithSecrets, overlap: number | null | undefined) {
  const { overlapSeconds } = parse(clientSecretOverlapRules, { overlapSeconds: overlap ?? 0 })
  requireStoredHere(locked)
  if (!locked.confidential) throw invalid({ clientId: ['The selected client id is that of a public client, which has no secret.'] })
  const clientSecret = createSecretValue()
  const secrets = rotateSecret(transaction, locked, clientSecret, { now: context.now(), overlapSeconds })
  return { client: { ...locked, secrets }, clientSecret, overlapSeconds }
}

const deleteClient = statement<object, [clientId: string]>('delete_client', 'DELETE FROM oauth_clients WHERE client_id = $1')

/**
 * Deletes a locked client with its grants. Each team gets an audit entry, and so an event, for its own grants. `recorder` is the actor that
 * these teams see.
 */
export async function deleteLockedClient(transaction: Transaction, recorder: Recorder, { id, clientId }: ClientWithSecrets): Promise<void> {
  await revokeGrants(transaction, recorder, { oauthClientId: id })
  transaction.defer(deleteClient(transaction, clientId))
}

/** Returns the part that all audit entries of clients share. The team that owns the client sees them in its log. */
export const auditedClient = ({ clientId, name, ownerTeamId }: OAuthClient) => ({
  ...(ownerTeamId !== null && { teamId: ownerTeamId, subjectName: name }),
  subject: clientId,
})
