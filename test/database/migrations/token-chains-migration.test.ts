import { expect, onTestFinished, test } from 'vitest'
import { withSession } from '../../../src/database/connection.ts'
import { applyMigrations } from '../../../src/database/migrate.ts'
import { createDatabase } from '../../support/service/database.ts'
import { copyEarlierMigrations } from '../../support/service/earlier-migrations.ts'

const quiet = { info: () => {}, warn: () => {} }
const migration = '20261122101000_token_chains'
const ids = {
  user: '00000000-0000-4000-8000-000000000001',
  client: '00000000-0000-4000-8000-000000000002',
  grant: '00000000-0000-4000-8000-000000000003',
  unused: '00000000-0000-4000-8000-000000000004',
}

test('the tokens of each grant that existed before chains form one chain with the scopes of the grant', async () => {
  const { poolConfig, drop } = await createDatabase({ migrated: false })
  onTestFinished(drop)
  await applyMigrations(poolConfig, quiet, copyEarlierMigrations(migration))
  const hash = (text: string) => `sha256('${text}')`
  await withSession(poolConfig, (session) =>
    session.query(`
      INSERT INTO users (id, email, name) VALUES ('${ids.user}', 'ada@example.com', 'Ada');
      INSERT INTO oauth_clients (id, client_id, name, confidential, redirect_uris, grant_types, required_scopes, optional_scopes)
        VALUES ('${ids.client}', 'c', 'Client', true, '{}', '{}', '{}', '{}');
      INSERT INTO oauth_grants (id, user_id, oauth_client_id, scopes, expires_at) VALUES
        ('${ids.grant}', '${ids.user}', '${ids.client}', '{openid,offline_access}', now() + interval '1 year');
      INSERT INTO oauth_grants (id, user_id, oauth_client_id, scopes, revoked_at, expires_at) VALUES
        ('${ids.unused}', '${ids.user}', '${ids.client}', '{openid}', now(), now());
      INSERT INTO oidc_models (id_hash, kind, payload, grant_id, expires_at) VALUES
        (${hash('old')}, 'RefreshToken', '{}', '${ids.grant}', now()), (${hash('new')}, 'RefreshToken', '{}', '${ids.grant}', now()),
        (${hash('interaction')}, 'Interaction', '{}', NULL, now());
      INSERT INTO token_responses (model_hash, encrypted, process_id, created_at) VALUES (${hash('old')}, '', 1, now());`),
  )
  await applyMigrations(poolConfig, quiet)
  await withSession(poolConfig, async (session) => {
    const { rows: chains } = await session.query('SELECT grant_id, scopes, revoked_at FROM token_chains')
    expect(chains).toEqual([{ grant_id: ids.grant, scopes: ['openid', 'offline_access'], revoked_at: null }])
    const { rows: models } = await session.query(
      `SELECT m.kind, k.grant_id, count(*)::int AS count FROM oidc_models m LEFT JOIN token_chains k ON k.id = m.chain_id GROUP BY 1, 2 ORDER BY 1`,
    )
    expect(models).toEqual([
      { kind: 'Interaction', grant_id: null, count: 1 },
      { kind: 'RefreshToken', grant_id: ids.grant, count: 2 },
    ])
    expect((await session.query('SELECT successor_hash, delivered_at FROM token_responses')).rows).toEqual([
      { successor_hash: null, delivered_at: null },
    ])
  })
})
