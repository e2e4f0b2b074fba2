import type { ClientBase } from 'pg'
import type { Ports } from '../../schema/core/ports.ts'
import { reencryptClientSecret } from '../../schema/identity-providers/stored-provider.ts'
import { reencryptPrivateJwk } from '../../schema/oauth/signing-keys/signing-key-pair.ts'
import { reencryptTotpSecret } from '../../schema/security/second-factor/totp.ts'
import { reencryptSecret } from '../../schema/webhooks/secret.ts'

type Deriver = Pick<Ports, 'deriveSecret'>

/** Secrets that are stored indefinitely, encrypted under SECRET_KEY. */
interface SecretKind {
  name: string
  /** Statement that selects and locks $2 rows after the identifier $1, with their identifiers and values. */
  select: string
  /** Statement that sets the values $2 of the identifiers $1. */
  update: string
  reencrypt(ports: Deriver, id: string, encrypted: Buffer<ArrayBuffer>): Uint8Array | null
  /** Statement that deletes the identifiers $1. Absent if other data depends on the secret. */
  delete?: string | undefined
}

const kinds: readonly SecretKind[] = [
  {
    name: 'signing_keys',
    select: 'SELECT kid AS id, encrypted_private_jwk AS encrypted FROM signing_keys WHERE kid > $1 ORDER BY kid LIMIT $2 FOR UPDATE',
    update:
      'UPDATE signing_keys k SET encrypted_private_jwk = n.encrypted FROM unnest($1::text[], $2::bytea[]) n (id, encrypted) WHERE k.kid = n.id',
    reencrypt: (ports, kid, encryptedPrivateJwk) => reencryptPrivateJwk({ kid, encryptedPrivateJwk }, ports),
    delete: 'DELETE FROM signing_keys WHERE kid = ANY($1)',
  },
  {
    name: 'totp_secrets',
    select: `SELECT id::text, totp_secret AS encrypted FROM users
      WHERE id > coalesce(nullif($1, '')::uuid, '00000000-0000-0000-0000-000000000000') AND totp_secret IS NOT NULL ORDER BY id LIMIT $2 FOR UPDATE`,
    update: `UPDATE users u SET totp_secret = n.encrypted FROM unnest($1::uuid[], $2::bytea[]) n (id, encrypted) WHERE u.id = n.id`,
    reencrypt: (ports, userId, encrypted) => reencryptTotpSecret(ports, encrypted, userId),
  },
  secretsIn('webhooks', 'secret', 'webhook_secrets', reencryptSecret),
  secretsIn('webhooks', 'previous_secret', 'webhook_previous_secrets', reencryptSecret),
  secretsIn('identity_providers', 'client_secret', 'provider_client_secrets', reencryptClientSecret),
]

function secretsIn(table: string, column: string, name: string, reencryptOne: typeof reencryptSecret): SecretKind {
  return {
    name,
    select: `SELECT id::text, ${column} AS encrypted FROM ${table}
      WHERE id > coalesce(nullif($1, '')::uuid, '00000000-0000-0000-0000-000000000000') AND length(${column}) > 0 ORDER BY id LIMIT $2 FOR UPDATE`,
    update: `UPDATE ${table} w SET ${column} = n.encrypted FROM unnest($1::uuid[], $2::bytea[]) n (id, encrypted) WHERE w.id = n.id`,
    reencrypt: (ports, id, encrypted) => reencryptOne(ports, encrypted, id),
  }
}

export interface ReencryptedSecrets {
  kind: string
  /** Number of secrets that were encrypted again. */
  reencrypted: number
  /** Number of secrets that are now encrypted under the current SECRET_KEY. */
  current: number
  /** Number of secrets that neither SECRET_KEY nor SECRET_KEY_PREVIOUS decrypts. */
  unreadable: number
  /** Number of deleted secrets; they are not part of `unreadable`. */
  deleted: number
}

const batchSize = 200

/**
 * Encrypts all stored secrets under the current SECRET_KEY, in small transactions. After an interruption, the next call continues.
 * With `deletesUnreadable`, deletes the signing keys that cannot be decrypted; the next start of the service creates new ones.
 */
export async function reencryptSecrets(session: ClientBase, ports: Deriver, deletesUnreadable = false): Promise<ReencryptedSecrets[]> {
  const results: ReencryptedSecrets[] = []
  for (const kind of kinds) {
    const result = { kind: kind.name, reencrypted: 0, current: 0, unreadable: 0, deleted: 0 }
    const deletion = deletesUnreadable ? kind.delete : undefined
    for (let after: string | undefined = ''; after !== undefined;)
      after = await reencryptBatch(session, ports, { ...kind, delete: deletion }, after, result)
    results.push(result)
  }
  return results
}

/** Returns the last identifier of the batch, or undefined if there was none. */
async function reencryptBatch(session: ClientBase, ports: Deriver, kind: SecretKind, after: string, result: ReencryptedSecrets) {
  await session.query('BEGIN')
  try {
    const { rows } = await session.query<{ id: string; encrypted: Buffer<ArrayBuffer> }>(kind.select, [after, batchSize])
    const changed: { id: string; encrypted: Uint8Array }[] = []
    const unreadable: string[] = []
    for (const { id, encrypted } of rows) {
      const current = kind.reencrypt(ports, id, encrypted)
      if (current === null) unreadable.push(id)
      else result.current += 1
      if (current !== null && current !== encrypted) changed.push({ id, encrypted: current })
    }
    if (changed.length > 0) await update(session, kind, changed)
    if (unreadable.length > 0 && kind.delete !== undefined) await session.query(kind.delete, [unreadable])
    await session.query('COMMIT')
    result.reencrypted += changed.length
    result[kind.delete === undefined ? 'unreadable' : 'deleted'] += unreadable.length
    return rows.at(-1)?.id
  } catch (error) {
    await session.query('ROLLBACK').catch(() => {})
    throw error
  }
}

async function update(session: ClientBase, kind: SecretKind, changed: { id: string; encrypted: Uint8Array }[]): Promise<void> {
  const ids = changed.map(({ id }) => id)
  // A trigger ends the trust in a user's browsers when `totp_secret` changes. Here only its encryption changes.
  const { rows } = await session.query<{ devices: object }>(
    `SELECT coalesce(jsonb_agg(d), '[]') AS devices FROM trusted_devices d WHERE user_id::text = ANY($1)`,
    [ids],
  )
  await session.query(kind.update, [ids, changed.map(({ encrypted }) => Buffer.from(encrypted))])
  await session.query(
    'INSERT INTO trusted_devices SELECT * FROM jsonb_populate_recordset(NULL::trusted_devices, $1) ON CONFLICT DO NOTHING',
    [JSON.stringify(rows[0]?.devices ?? [])],
  )
}
