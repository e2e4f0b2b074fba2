import type { ClientBase } from 'pg'

// Older versions that can serve a database after a migration (docs/operations/upgrade.md#going-back). The database stores them, because a
// version does not have the migrations of later ones.

/**
 * The oldest version that can serve a database after a migration, by the migration's name. Add a migration only if all versions since then
 * keep all promises without it: none of its tables, columns or triggers is a rule of access. By default, only versions that have it can.
 */
export const readableBy: Readonly<Record<string, string>> = {
  '20261126033000_events_by_action': '1.0.0',
  '20261128210300_webhook_indexes': '1.0.0',
  '20261128212900_indexes_of_jobs': '1.0.0',
  '20261129003500_erase_by_index': '1.0.0',
  '20261129010000_deliveries_outlive_webhooks': '1.0.0',
  '20261129045420_sign_in_codes': '1.0.0',
  '20261129053508_last_team': '1.0.0',
  '20261129065500_require_job_queue': '1.0.0',
  '20261129125801_audit_client_name': '1.0.0',
  '20261129172000_staff_search': '1.0.0',
  '20261129173117_provider_failures': '1.0.0',
  '20261129180000_failing_webhooks': '1.0.0',
  '20261129183600_client_reviews': '1.0.0',
  '20261129204659_failed_sign_ins': '1.0.0',
}

const parseRelease = (version: string): number[] => (/^\d+\.\d+\.\d+/.exec(version)?.[0] ?? '0.0.0').split('.').map(Number)

/** Returns true if a version is at least another one. The versions before a release, such as 1.1.0-dev, count as that release. */
function isAtLeast(version: string, minimum: string): boolean {
  const [release, least] = [parseRelease(version), parseRelease(minimum)]
  const index = release.findIndex((number, part) => number !== least[part])
  return index === -1 || (release[index] ?? 0) > (least[index] ?? 0)
}

/** Returns true if a version can serve a database with an unknown migration. `oldest` is the recorded oldest version, or null. */
export const canServe = (version: string, oldest: string | null): boolean => oldest !== null && isAtLeast(version, oldest)

/** Returns SQL for the recorded version in a row of `_prisma_migrations`. It is null if there is none, or no such column yet. */
export const readableBySql = (migration: string): string => `to_jsonb(${migration})->>'readable_by'`

/** Records the oldest versions in the database. Prisma's table has no column for it. */
export async function recordCompatibility(session: ClientBase): Promise<void> {
  const versions = JSON.stringify(readableBy)
  const differing = `FROM jsonb_each_text($1) v WHERE m.migration_name = v.key AND ${readableBySql('m')} IS DISTINCT FROM v.value`
  const { rowCount } = await session.query(`SELECT 1 FROM _prisma_migrations m WHERE EXISTS (SELECT ${differing})`, [versions])
  if (!rowCount) return
  await session.query('ALTER TABLE _prisma_migrations ADD COLUMN IF NOT EXISTS readable_by text')
  await session.query(`UPDATE _prisma_migrations m SET readable_by = v.value ${differing}`, [versions])
}
