import { expect, onTestFinished, test } from 'vitest'
import { withSession } from '../../../src/database/connection.ts'
import { applyMigrations } from '../../../src/database/migrate.ts'
import { expectExactCounts } from '../../support/data/kept-counts.ts'
import { createDatabase } from '../../support/service/database.ts'
import { copyEarlierMigrations } from '../../support/service/earlier-migrations.ts'

const migration = '20261122150000_team_counts'
const quiet = { info: () => {}, warn: () => {} }

test('the migration counts the rows that exist', async () => {
  const { poolConfig, drop } = await createDatabase({ migrated: false })
  onTestFinished(drop)
  await applyMigrations(poolConfig, quiet, copyEarlierMigrations(migration))
  await withSession(poolConfig, async (session) => {
    await session.query(`
      INSERT INTO teams (slug, name) VALUES ('acme', 'Acme'), ('empty', 'Empty');
      INSERT INTO users (email, name) VALUES ('ada@example.com', 'Ada'), ('ben@example.com', 'Ben');
      INSERT INTO members (team_id, user_id, role) SELECT t.id, u.id, 'owner' FROM teams t, users u WHERE slug = 'acme';
      INSERT INTO invoices (team_id, number, application, status, currency, subtotal, invoice_date)
        SELECT id, coalesce(a::text, 'none'), a, 'open', 'eur', 1, now() FROM teams, unnest('{deploy,flow,NULL}'::"Application"[]) a WHERE slug = 'acme';`)
    await applyMigrations(poolConfig, quiet)
    expect(await expectExactCounts(session)).toBe(5)
  })
})
