import { isDeepStrictEqual } from 'node:util'
import type { ClientBase } from 'pg'
import { sha256 } from '../../../../schema/core/sha256.ts'
import type { Resolved } from '../chunk.ts'
import { clientRecord } from '../../records/types/client-record.ts'
import type { Row } from '../../records/storage.ts'
import type { RecordOf } from '../../records/record-types.ts'
import type { Report } from '../report.ts'
import { recordset, upsertRows } from '../upsert.ts'

const upsertClients = upsertRows(clientRecord, { returnsId: true })

/** A stored secret: its SHA-256 in hexadecimal and its expiry. */
interface Secret {
  hash: string
  expires_at: string | null
}
interface StoredClient {
  client_id: string
  id: string
  confidential: boolean
  secrets: Secret[]
}
interface ClientToWrite {
  row: Row
  record: RecordOf<'client'>
  stored: StoredClient | undefined
  /** The new list of secrets; undefined leaves them unchanged. */
  secrets: Secret[] | undefined
}

const findStored = `
  SELECT client_id, id, confidential, (
    SELECT coalesce(json_agg(json_build_object('hash', encode(hash, 'hex'),
      'expires_at', to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY hash), '[]')
    FROM oauth_client_secrets WHERE oauth_client_id = c.id
  ) AS secrets FROM oauth_clients c WHERE client_id = ANY ($1)`
const findHolders = `
  SELECT encode(hash, 'hex') AS hash, client_id FROM oauth_client_secrets s JOIN oauth_clients c ON c.id = s.oauth_client_id
  WHERE hash = ANY ($1::bytea[])`
// This is the lock that secret rotation takes. It is NO KEY, because foreign keys of other transactions hold the row in KEY SHARE.
const lockClients = 'SELECT 1 FROM oauth_clients WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE'
const removeSecrets = `DELETE FROM oauth_client_secrets WHERE oauth_client_id = ANY ($1::uuid[]) AND hash <> ALL ($2::bytea[])`
const writeSecret = `
  INSERT INTO oauth_client_secrets (oauth_client_id, hash, expires_at)
  SELECT oauth_client_id, decode(hash, 'hex'), expires_at
  FROM ${recordset({ oauth_client_id: 'uuid', hash: 'text', expires_at: 'timestamptz' })}
  ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at`

/** Writes clients and replaces secrets that differ from the record. Reports records that conflict with stored clients. */
export async function writeClients(session: ClientBase, entries: readonly Resolved<'client'>[], report: Report): Promise<void> {
  if (entries.length === 0) return
  const clients = await withoutConflicts(session, entries, report)
  const rows = clients.map(({ row }) => row)
  const written = new Map((await upsertClients(session, rows)).map((row) => [row.n, row]))
  const replaced: { id: string; secrets: Secret[] }[] = []
  for (const [n, { stored, secrets }] of clients.entries()) {
    const id = stored?.id ?? written.get(n)?.id
    if (id === undefined || secrets === undefined || isDeepStrictEqual(secrets, stored?.secrets ?? [])) continue
    replaced.push({ id, secrets })
    if (!written.has(n)) written.set(n, { n, created: false })
  }
  await replaceSecrets(session, replaced)
  report.add('client', clients.length, [...written.values()])
}

/**
 * Returns a row whose state does not depend on the setting CLIENT_METADATA_DOCUMENTS of the exporting service. This service gives a client by
 * URL the state of its own setting when it starts or fetches the document.
 */
const withoutSetting = (row: Row): Row => (row['source'] === 'metadata' ? { ...row, state: 'draft' } : row)

/** Returns the clients that can be written. Reports the others. */
async function withoutConflicts(session: ClientBase, entries: readonly Resolved<'client'>[], report: Report): Promise<ClientToWrite[]> {
  const { rows } = await session.query<StoredClient>(findStored, [entries.map(({ record }) => record.client_id)])
  const byId = new Map(rows.map((row) => [row.client_id, row]))
  const clients = entries.map(({ line, record, row }) => {
    const stored = byId.get(record.client_id)
    return { line, row: withoutSetting(row), record, stored, secrets: listSecrets(record, stored?.secrets ?? []) }
  })
  const hashes = toBytes(clients.flatMap(({ secrets = [] }) => secrets))
  const { rows: held } = await session.query<{ hash: string; client_id: string }>(findHolders, [hashes])
  const holders = new Map(held.map(({ hash, client_id }) => [hash, client_id]))
  return clients.filter(({ line, record, stored, secrets = [] }) => {
    const { client_id, confidential, client_secret } = record
    const wrong = (member: string, message: string) => ({ line, subject: clientRecord.getSubject(record), member, message })
    // Two clients with the same secret could act as each other.
    const isShared = secrets.some(({ hash }) => (holders.get(hash) ?? client_id) !== client_id)
    if (stored && stored.confidential !== confidential)
      report.refuse(wrong('confidential', 'Whether a client is confidential cannot be changed.'))
    else if (isShared)
      report.refuse(wrong(client_secret === undefined ? 'client_secret_hashes' : 'client_secret', 'Another client has this secret.'))
    else {
      for (const { hash } of secrets) holders.set(hash, client_id)
      return true
    }
    return false
  })
}

/** Returns the new list of secrets. A plain text secret that is already valid changes nothing, because it may be part of a rotation. */
function listSecrets({ client_secret: secret, client_secret_hashes: hashes }: RecordOf<'client'>, stored: Secret[]): Secret[] | undefined {
  if (hashes)
    return hashes.map(({ sha256: hash, expires_at = null }) => ({ hash, expires_at })).toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  if (secret === undefined) return undefined
  const hash = sha256(secret).toString('hex')
  const now = new Date().toISOString()
  const isValid = stored.some((each) => each.hash === hash && (each.expires_at === null || each.expires_at > now))
  return isValid ? undefined : [{ hash, expires_at: null }]
}

async function replaceSecrets(session: ClientBase, clients: readonly { id: string; secrets: Secret[] }[]): Promise<void> {
  if (clients.length === 0) return
  const ids = clients.map(({ id }) => id)
  await session.query(lockClients, [ids])
  const rows = clients.flatMap(({ id, secrets }) => secrets.map((secret) => ({ oauth_client_id: id, ...secret })))
  await session.query(removeSecrets, [ids, toBytes(rows)])
  await session.query(writeSecret, [JSON.stringify(rows)])
}

const toBytes = (secrets: readonly Secret[]) => secrets.map(({ hash }) => Buffer.from(hash, 'hex'))
