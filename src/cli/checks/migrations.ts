import { readMigrationStatus } from '../../database/migrate.ts'
import type { MigrationStatus } from '../../database/migrations.ts'
import type { Check } from './check.ts'

const problemOf: Partial<Record<keyof MigrationStatus, (name: string) => { problem: string; action: string }>> = {
  pending: (name) => ({
    problem: `migration ${name} is not applied`,
    action: 'restart the service, which applies it, or run migrate deploy',
  }),
  failed: (name) => ({
    problem: `migration ${name} was started and did not finish`,
    action: 'restore a backup, or see prisma migrate resolve',
  }),
  edited: (name) => ({
    problem: `migration ${name} was edited after it was applied`,
    action: 'install an unchanged release of the service',
  }),
  unknown: (name) => ({ problem: `migration ${name} belongs to a newer version`, action: 'install the version that applied it' }),
}

export const migrations: Check = {
  name: 'migrations',
  description: 'the database has exactly the migrations of this version',
  async run({ connection }) {
    const status = await readMigrationStatus(connection)
    return (['pending', 'failed', 'edited', 'unknown'] as const).flatMap((state) =>
      status[state].flatMap((name) => problemOf[state]?.(name) ?? []),
    )
  },
}
