import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { applyMigrations } from '../../../src/database/migrate.ts'
import { createDatabase } from '../../support/service/database.ts'
import { copyEarlierMigrations } from '../../support/service/earlier-migrations.ts'

const migration = '20261122104000_token_previous_value'
const quiet = { info: () => {}, warn: () => {} }

/** A database as it was before the migration. */
async function createFormerDatabase() {
  const database = await createDatabase({ migrated: false })
  const pool = new pg.Pool(database.poolConfig)
  onTestFinished(async () => {
    await pool.end()
    await database.drop()
  })
  await applyMigrations(database.poolConfig, quiet, copyEarlierMigrations(migration))
  return { pool, migrate: () => applyMigrations(database.poolConfig, quiet) }
}

test('the migration joins a rotated token with its successor, and ends the old value of a revoked one', async () => {
  const { pool, migrate } = await createFormerDatabase()
  const { rows } = await pool.query<{ id: string }>(`INSERT INTO teams (slug, name) VALUES ('acme', 'Acme') RETURNING id`)
  const teamId = rows[0]?.id
  const [old, fresh, leaked, revoked, expired, latest] = Array.from({ length: 6 }, () => randomUUID())
  const insert = (id: string | undefined, replaced: string, expires: string, revokedAt = 'NULL') =>
    pool.query(
      `INSERT INTO access_tokens (id, kind, name, hash, last_four, scopes, team_id, replaced_at, expires_at, revoked_at)
       VALUES ($1::text::uuid, 'team', 'ci', sha256($1::text::bytea), left($1::text, 4), '{teams}', $2, ${replaced}, ${expires}, ${revokedAt})`,
      [id, teamId],
    )
  await insert(old, 'now()', `now() + '1 day'`)
  await insert(fresh, 'NULL', 'NULL')
  await insert(leaked, 'now()', `now() + '1 day'`)
  await insert(revoked, 'NULL', 'NULL', `'2026-01-01'`)
  await insert(expired, 'now()', `now() - interval '1 day'`)
  await insert(latest, 'NULL', 'NULL')
  for (const [from, to] of [
    [old, fresh],
    [leaked, revoked],
    [expired, latest],
  ])
    await pool.query(
      `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, subject, before, request_id)
       VALUES (now(), 'rotateToken', 'user', 'Ada', 'session', $1, json_build_object('id', $2::text), 'r')`,
      [to, from],
    )
  await pool.query(
    `INSERT INTO invitations (team_id, email, role, token_hash, nonce, invited_by_token_id, sent_at, expires_at)
     VALUES ($1, 'a@example.test', 'member', sha256('secret'), '\\x02', $2, now(), now())`,
    [teamId, old],
  )

  await migrate()
  const hashOf = (id: string | undefined) => sha256(String(id))
  const tokens = await pool.query('SELECT id, previous_hash, previous_expires_at > now() AS works, revoked_at FROM access_tokens')
  const none = { previous_hash: null, works: null, revoked_at: null }
  const ended = { ...none, revoked_at: new Date('2026-01-01') }
  const byId = (one: { id?: string | undefined }, other: { id?: string | undefined }) => String(one.id).localeCompare(String(other.id))
  expect(tokens.rows.toSorted(byId)).toEqual(
    [
      { ...none, id: fresh, previous_hash: hashOf(old), works: true },
      { ...ended, id: leaked, revoked_at: expect.any(Date) },
      { ...ended, id: revoked, revoked_at: expect.any(Date) },
      { ...none, id: expired },
      { ...none, id: latest },
    ].toSorted(byId),
  )
  expect((await pool.query('SELECT invited_by_token_id AS id FROM invitations')).rows).toEqual([{ id: fresh }])
})
