import { readMigrationStatus } from '../../database/migrate.ts'
import type { MigrationStatus } from '../../database/migrations.ts'
import type { Check } from './check.ts'

const apply = 'start the service, which applies the migrations, or run migrate deploy'

const problemOf: Partial<Record<keyof MigrationStatus, (name: string) => { problem: string; action: string }>> = {
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
      status[state].flatMap((name) => problemOf[state]?.(name) ?? []),
    )
  },
}
