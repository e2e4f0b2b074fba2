import { databaseDrift } from '../../database/migrate.ts'
import type { Check } from './check.ts'
import { missingObjects } from './schema-objects.ts'

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
