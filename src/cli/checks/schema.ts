import { readMigrationStatus, databaseDrift } from '../../database/apply-migrations.ts'
import type { MigrationStatus } from '../../database/migrations.ts'
import type { Check } from './check.ts'
import { missingObjects } from './schema-objects.ts'

const apply = 'start the service, which applies the migrations, or run migrate deploy'

const findProblem: Partial<Record<keyof MigrationStatus, (name: string) => { problem: string; action: string }>> = {
  pending: (name) => ({
    problem: `migration ${name} is not applied`,
    action: apply,
  }),
  failed: (name) => ({
    problem: `migration ${name} was started and did not finish`,
    action: `restore a backup; or undo what it changed and run UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${name}' AND finished_at IS NULL`,
  }),
  edited: (name) => ({
    problem: `migration ${name} was edited after it was applied`,
    action: 'install an unchanged release of the service',
  }),
  unknown: (name) => ({
    problem: `migration ${name} belongs to a newer version, and this one cannot serve the database`,
    action: 'install the version that applied it, or restore the backup that was written before the upgrade',
  }),
}

export const migrationsCheck: Check = {
  name: 'migrations',
  description: 'the database has exactly the migrations of this version',
  async run({ connection }) {
    const status = await readMigrationStatus(connection)
    if (status.pending.length > 0 && status.applied.length === 0)
      return [{ problem: 'no migration is applied: the database is new', action: apply }]
    return (['pending', 'failed', 'edited', 'unknown'] as const).flatMap((state) =>
      status[state].flatMap((name) => findProblem[state]?.(name) ?? []),
    )
  },
}

export const schemaCheck: Check = {
  name: 'schema',
  description: 'no table, column, index or trigger is missing, and every index is valid',
  needsMigrations: true,
  async run({ session, connection }) {
    const { rows } = await session.query<{ name: string }>(
      'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid ORDER BY 1',
    )
    const invalid = rows.map(({ name }) => ({
      problem: `index ${name} is invalid, so PostgreSQL does not use it`,
      action: `run REINDEX INDEX CONCURRENTLY ${name}`,
    }))
    const drift = await databaseDrift(connection)
    const statements =
      drift?.split(/;\s*$/m).map((part) =>
        part
          .replaceAll(/^--.*$/gm, '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ) ?? []
    const changed = statements.filter(Boolean).map((statement) => ({
      problem: 'the schema of the database differs from the migrations',
      action: `review and run: ${statement}`,
    }))
    return [...invalid, ...changed, ...(await missingObjects(session))]
  },
}
