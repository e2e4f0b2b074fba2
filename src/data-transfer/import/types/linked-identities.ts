import type { ClientBase } from 'pg'
import { linkedIdentityRecord } from '../../records/types/sign-in-record.ts'
import type { Row } from '../../records/storage.ts'
import type { Resolved } from '../chunk.ts'
import type { Report } from '../report.ts'
import { refuse } from '../rows-of-teams.ts'
import { recordset } from '../upsert.ts'
import type { Written } from '../upsert.ts'

const incoming = recordset({ ...linkedIdentityRecord.keyColumns, ...linkedIdentityRecord.otherColumns })
const stored =
  'external_identities e ON e.subject = i.subject AND (e.provider_id = i.provider_id OR e.social = i.social AND e.issuer = i.issuer)'

/** Reports records whose provider does not exist, or that would link a person at a provider with another account, and returns the others. */
export async function checkLinkedIdentities(
  session: ClientBase,
  entries: readonly Resolved<'linked_identity'>[],
  report: Report,
): Promise<readonly Resolved<'linked_identity'>[]> {
  if (entries.length === 0) return entries
  const { rows } = await session.query<{ n: number; hasProvider: boolean; userId: string | null }>(
    `SELECT i.n, i.social IS NOT NULL OR p.id IS NOT NULL AS "hasProvider", e.user_id AS "userId"
     FROM ${incoming} LEFT JOIN identity_providers p ON p.id = i.provider_id LEFT JOIN ${stored}`,
    [JSON.stringify(entries.map(({ row }) => row))],
  )
  const rowsByNumber = new Map(rows.map((row) => [row.n, row]))
  return entries.filter((entry, n) => {
    const { hasProvider = false, userId = null } = rowsByNumber.get(n) ?? {}
    if (!hasProvider)
      return refuse(report, linkedIdentityRecord, entry, 'provider', `There is no identity provider ${entry.record.provider}.`)
    if (userId === null || userId === entry.row['user_id']) return true
    return refuse(report, linkedIdentityRecord, entry, 'user', 'It is linked with another account.')
  })
}

/**
 * Creates or updates identities. Two indexes identify them: one for providers of teams, and one for public ones. The requirement to prove
 * the account again is never removed.
 */
const write = `
  WITH merged AS (
    SELECT i.n, i.provider_id, i.social, i.issuer, i.subject, i.user_id, i.email, e.id,
      coalesce(i.created_at, e.created_at, now()) AS created_at, coalesce(i.last_sign_in_at, e.last_sign_in_at, 'epoch') AS last_sign_in_at,
      i.needs_proof OR coalesce(e.needs_proof, false) AS needs_proof,
      (e.email, e.created_at, e.last_sign_in_at, e.needs_proof) IS DISTINCT FROM
        (i.email, coalesce(i.created_at, e.created_at), coalesce(i.last_sign_in_at, e.last_sign_in_at), i.needs_proof OR e.needs_proof) AS differs
    FROM ${incoming} LEFT JOIN ${stored}
  ),
  created AS (
    INSERT INTO external_identities (provider_id, social, issuer, subject, user_id, email, created_at, last_sign_in_at, needs_proof)
    SELECT provider_id, social, issuer, subject, user_id, email, created_at, last_sign_in_at, needs_proof FROM merged WHERE id IS NULL
  ),
  updated AS (
    UPDATE external_identities e SET email = m.email, created_at = m.created_at, last_sign_in_at = m.last_sign_in_at, needs_proof = m.needs_proof
    FROM merged m WHERE e.id = m.id AND m.differs
  )
  SELECT n, id IS NULL AS created FROM merged WHERE id IS NULL OR differs`

export async function writeLinkedIdentities(session: ClientBase, entries: readonly { row: Row }[]): Promise<Written[]> {
  const { rows } = await session.query<Written>(write, [JSON.stringify(entries.map(({ row }) => row))])
  return rows
}
