import type { ClientBase } from 'pg'

// Which older versions can serve a database after a migration (docs/operations/upgrade.md#going-back). It is recorded in the database, because
// a version does not have the migrations of later ones.

/**
 * The oldest version that can serve a database after a migration, by the name of the migration. Add a migration only if every version since that one
 * keeps all promises without it: no table, column or trigger in it is a rule of access. Without a line here, only versions that have the migration can.
 */
export const readableBy: Readonly<Record<string, string>> = {
  '20261126033000_events_by_action': '1.0.0',
  '20261128210300_webhook_indexes': '1.0.0',
  '20261128212900_indexes_of_jobs': '1.0.0',
  '20261129003500_erase_by_index': '1.0.0',
  '20261129010000_deliveries_outlive_webhooks': '1.0.0',
}

const releaseOf = (version: string): number[] => (/^\d+\.\d+\.\d+/.exec(version)?.[0] ?? '0.0.0').split('.').map(Number)

/** Whether a version is at least another one. The versions before a release, such as 1.1.0-dev, count as that release. */
function isAtLeast(version: string, minimum: string): boolean {
  const [release, least] = [releaseOf(version), releaseOf(minimum)]
  const index = release.findIndex((number, part) => number !== least[part])
  return index === -1 || (release[index] ?? 0) > (least[index] ?? 0)
}

/** Whether a version can serve a database with a migration that it does not have. `oldest` is the recorded oldest version that can, or null. */
export const canServe = (version: string, oldest: string | null): boolean => oldest !== null && isAtLeast(version, oldest)

/** SQL for the recorded version in a row of `_prisma_migrations`: null if there is none, or no such column yet. */
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
