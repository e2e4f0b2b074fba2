import { isDeepStrictEqual } from 'node:util'
import type { ClientBase } from 'pg'
import { sha256 } from '../../../schema/secret.ts'
import type { Entry } from './chunk.ts'
import { subjectOf } from './parse-record.ts'
import type { RecordOf } from './records.ts'
import type { Report } from './report.ts'
import { clientRow, upsertClients } from './tables.ts'
import { recordset } from './upsert.ts'

/** A secret as it is stored: its SHA-256 in hex, and when it ends. */
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
  record: RecordOf<'client'>
  stored: StoredClient | undefined
  /** The secrets it is to have; undefined: those it has. */
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
// Where rotations queue too; NO KEY, since grants of other transactions hold the row in KEY SHARE.
const lockClients = 'SELECT 1 FROM oauth_clients WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE'
const removeSecrets = `DELETE FROM oauth_client_secrets WHERE oauth_client_id = ANY ($1::uuid[]) AND hash <> ALL ($2::bytea[])`
const writeSecret = `
  INSERT INTO oauth_client_secrets (oauth_client_id, hash, expires_at)
  SELECT oauth_client_id, decode(hash, 'hex'), expires_at
  FROM ${recordset({ oauth_client_id: 'uuid', hash: 'text', expires_at: 'timestamptz' })}
  ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at`

/** Writes clients and, where a record says other ones, replaces their secrets; reports those that cannot be written. */
export async function writeClients(session: ClientBase, entries: readonly Entry<'client'>[], report: Report): Promise<void> {
  if (entries.length === 0) return
  const clients = await writable(session, entries, report)
  const rows = clients.map(({ record }) => clientRow(record))
  const written = new Map((await upsertClients(session, rows)).map((row) => [row.n, row]))
  const replaced: { id: string; secrets: Secret[] }[] = []
  for (const [n, { stored, secrets }] of clients.entries()) {
    const id = stored?.id ?? written.get(n)?.id
    if (id === undefined || secrets === undefined || isDeepStrictEqual(secrets, stored?.secrets ?? [])) continue
    replaced.push({ id, secrets })
    if (!written.has(n)) written.set(n, { n, created: false })
  }
  await replaceSecrets(session, replaced)
  report.note('client', clients.length, [...written.values()])
}

/** The clients that can be written; the others are reported. */
async function writable(session: ClientBase, entries: readonly Entry<'client'>[], report: Report): Promise<ClientToWrite[]> {
  const { rows } = await session.query<StoredClient>(findStored, [entries.map(({ record }) => record.client_id)])
  const byId = new Map(rows.map((row) => [row.client_id, row]))
  const clients = entries.map(({ line, record }) => {
    const stored = byId.get(record.client_id)
    return { line, record, stored, secrets: secretsOf(record, stored?.secrets ?? []) }
  })
  const hashes = bytesOf(clients.flatMap(({ secrets = [] }) => secrets))
  const { rows: held } = await session.query<{ hash: string; client_id: string }>(findHolders, [hashes])
  const holders = new Map(held.map(({ hash, client_id }) => [hash, client_id]))
  return clients.filter(({ line, record, stored, secrets = [] }) => {
    const { client_id, confidential, client_secret } = record
    const wrong = (member: string, message: string) => ({ line, subject: subjectOf(record), member, message })
    // A secret that two share would let each act as the other.
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

/** What a record says of its secrets. One in plain that works already says nothing: a rotation may be under way. */
function secretsOf({ client_secret: secret, client_secret_hashes: hashes }: RecordOf<'client'>, stored: Secret[]): Secret[] | undefined {
  if (hashes)
    return hashes.map(({ sha256: hash, expires_at = null }) => ({ hash, expires_at })).toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  if (secret === undefined) return undefined
  const hash = sha256(secret).toString('hex')
  const now = new Date().toISOString()
  const works = stored.some((each) => each.hash === hash && (each.expires_at === null || each.expires_at > now))
  return works ? undefined : [{ hash, expires_at: null }]
}

async function replaceSecrets(session: ClientBase, clients: readonly { id: string; secrets: Secret[] }[]): Promise<void> {
  if (clients.length === 0) return
  const ids = clients.map(({ id }) => id)
  await session.query(lockClients, [ids])
  const rows = clients.flatMap(({ id, secrets }) => secrets.map((secret) => ({ oauth_client_id: id, ...secret })))
  await session.query(removeSecrets, [ids, bytesOf(rows)])
  await session.query(writeSecret, [JSON.stringify(rows)])
}

const bytesOf = (secrets: readonly Secret[]) => secrets.map(({ hash }) => Buffer.from(hash, 'hex'))
