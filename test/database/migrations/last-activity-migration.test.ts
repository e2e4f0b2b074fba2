import { expect, onTestFinished, test } from 'vitest'
import { withSession } from '../../../src/database/connection.ts'
import { applyMigrations } from '../../../src/database/migrate.ts'
import { createDatabase } from '../../support/service/database.ts'
import { copyEarlierMigrations } from '../../support/service/earlier-migrations.ts'

const firstMigration = '20261124110000_user_last_active'
const quiet = { info: () => {}, warn: () => {} }

test('the migrations find the last activity in sessions, personal tokens and grants', async () => {
  const { poolConfig, drop } = await createDatabase({ migrated: false })
  onTestFinished(drop)
  await applyMigrations(poolConfig, quiet, copyEarlierMigrations(firstMigration))
  await withSession(poolConfig, async (session) => {
    await session.query(`
      INSERT INTO users (email, name) SELECT name || '@example.com', name FROM unnest(ARRAY['session', 'token', 'grant', 'never']) name;
      INSERT INTO teams (slug, name) VALUES ('acme', 'Acme');
      INSERT INTO oidc_models (id_hash, kind, payload, uid_hash, expires_at) VALUES (sha256('id'), 'Session', '{}', sha256('uid'), now());
      INSERT INTO sessions (uid_hash, user_id, created_at, authenticated_at, methods, last_used_at, address, user_agent)
        SELECT sha256('uid'), id, now(), now(), '{pwd}', '2026-01-03T10:30:00Z', '192.0.2.1', '' FROM users WHERE name = 'session';
      INSERT INTO access_tokens (kind, name, hash, user_id, scopes, expires_at, last_used_at)
        SELECT 'personal', 'used', sha256(name::bytea), id, '{}', now(), '2026-01-02T10:30:00Z' FROM users WHERE name IN ('session', 'token');
      INSERT INTO access_tokens (kind, name, hash, user_id, scopes, expires_at)
        SELECT 'personal', 'unused', sha256('unused'), id, '{}', now() FROM users WHERE name = 'token';
      INSERT INTO access_tokens (kind, name, hash, team_id, created_by_id, scopes, last_used_at)
        SELECT 'team', 'team', sha256('team'), t.id, u.id, '{}', now() FROM teams t, users u WHERE u.name = 'never';
      INSERT INTO oauth_clients (client_id, name, confidential, redirect_uris, grant_types, required_scopes, optional_scopes)
        VALUES ('c', 'Client', true, '{}', '{}', '{}', '{}');
      INSERT INTO oauth_grants (user_id, oauth_client_id, scopes, expires_at, last_used_at)
        SELECT u.id, c.id, '{}', now(), '2026-01-01T10:30:00Z' FROM users u, oauth_clients c WHERE u.name IN ('token', 'grant');`)
    await applyMigrations(poolConfig, quiet)
    const { rows } = await session.query('SELECT name, last_active_at FROM users ORDER BY 2')
    expect(rows).toEqual([
      { name: 'grant', last_active_at: new Date('2026-01-01T10:30:00Z') },
      { name: 'token', last_active_at: new Date('2026-01-02T10:30:00Z') },
      { name: 'session', last_active_at: new Date('2026-01-03T10:30:00Z') },
      { name: 'never', last_active_at: null },
    ])
  })
})
