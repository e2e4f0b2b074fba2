import { expect, test } from 'vitest'
import { createDatabaseBefore } from '../../support/service/database-before.ts'

test('sessions from before the upgrade have proved two factors if their sign-in did', async () => {
  const { pool, upgrade } = await createDatabaseBefore('20261126000100_sessions_prove_two_factor')
  const cases: [methods: string[], skipped: boolean, proved: boolean][] = [
    [['pwd'], false, false],
    [['pwd'], true, true],
    [['pwd', 'otp'], false, true],
    [['pwd', 'hwk'], false, true],
    [['hwk'], false, true],
    [[], false, false],
  ]
  await pool.query(
    `INSERT INTO users (id, email, name, updated_at) VALUES ('00000000-0000-4000-8000-000000000001', 'a@example.test', 'Ada', now())`,
  )
  for (const [index, [methods, skipped]] of cases.entries()) {
    const hash = Buffer.alloc(32, index)
    await pool.query(`INSERT INTO oidc_models (id_hash, kind, payload, uid_hash, expires_at) VALUES ($1, 'Session', '{}', $1, now())`, [
      hash,
    ])
    await pool.query(
      `INSERT INTO sessions (uid_hash, user_id, created_at, authenticated_at, methods, skipped_second_factor, last_used_at, address, user_agent)
       SELECT $1, id, now(), now(), $2, $3, now(), '', '' FROM users`,
      [hash, methods, skipped],
    )
  }
  await upgrade()
  const { rows } = await pool.query<{ proved: boolean }>('SELECT proved_two_factor AS proved FROM sessions ORDER BY uid_hash')
  expect(rows.map(({ proved }) => proved)).toEqual(cases.map(([, , proved]) => proved))
})
