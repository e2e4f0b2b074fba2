import { expect, onTestFinished, test } from 'vitest'
import { withSession } from '../../../src/database/connection.ts'
import { applyMigrations } from '../../../src/database/migrate.ts'
import { expectExactPersons } from '../../support/data/kept-persons.ts'
import { createDatabase } from '../../support/service/database.ts'
import { copyEarlierMigrations } from '../../support/service/earlier-migrations.ts'

const migration = '20261124140000_person_of_tokens_and_grants'
const quiet = { info: () => {}, warn: () => {} }

test('the migration keeps the names of existing team tokens and grants for a team', async () => {
  const { poolConfig, drop } = await createDatabase({ migrated: false })
  onTestFinished(drop)
  await applyMigrations(poolConfig, quiet, copyEarlierMigrations(migration))
  await withSession(poolConfig, async (session) => {
    await session.query(`
      INSERT INTO users (email, name) VALUES ('ada@example.com', 'Ada');
      INSERT INTO teams (slug, name) VALUES ('acme', 'Acme');
      INSERT INTO access_tokens (kind, name, hash, user_id, created_by_id, scopes, expires_at)
        SELECT 'personal', 'personal', sha256('personal'), id, id, '{}', now() FROM users;
      INSERT INTO access_tokens (kind, name, hash, team_id, created_by_id, scopes)
        SELECT 'team', 'team', sha256('team'), t.id, u.id, '{}' FROM teams t, users u;
      INSERT INTO access_tokens (kind, name, hash, team_id, scopes) SELECT 'team', 'imported', sha256('imported'), id, '{}' FROM teams;
      INSERT INTO oauth_clients (client_id, name, confidential, redirect_uris, grant_types, required_scopes, optional_scopes)
        VALUES ('c', 'Client', true, '{}', '{}', '{}', '{}');
      INSERT INTO oauth_grants (user_id, oauth_client_id, team_id, scopes, expires_at)
        SELECT u.id, c.id, limited.team_id, '{}', now() FROM users u, oauth_clients c,
          (SELECT id AS team_id FROM teams UNION ALL SELECT NULL) limited;`)
    await applyMigrations(poolConfig, quiet)
    await expectExactPersons(session)
    const { rows } = await session.query('SELECT person FROM access_tokens UNION ALL SELECT person FROM oauth_grants ORDER BY 1')
    expect(rows.map(({ person }) => person)).toEqual(['ada\nada@example.com', 'ada\nada@example.com', null, null, null])
  })
})
