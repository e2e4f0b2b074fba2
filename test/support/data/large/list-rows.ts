import type pg from 'pg'

/** Adds 3,000 rows to each list of a team, and to those of staff. Few invoices are for the application `flow`. */
export async function addListRows(pool: pg.Pool, teamId: string): Promise<void> {
  await pool.query(
    `INSERT INTO users (email, name) SELECT 'member-' || n || '@example.com', 'Ada ' || n FROM generate_series(1, 3000) n;
     INSERT INTO teams (slug, name) SELECT 'team-' || n, 'Team ' || n FROM generate_series(1, 3000) n`,
  )
  await pool.query(`UPDATE members SET joined_at = '2026-01-01Z' WHERE team_id = $1`, [teamId])
  await pool.query(
    `INSERT INTO members (team_id, user_id, role, joined_at)
     SELECT $1, id, 'member', '2026-01-01Z'::timestamptz + split_part(name, ' ', 2)::int * interval '1 minute' FROM users WHERE name LIKE 'Ada %'`,
    [teamId],
  )
  await pool.query(
    `INSERT INTO invoices (team_id, number, application, status, currency, subtotal, invoice_date)
     SELECT $1, 'INV-' || n, (CASE WHEN n % 1000 = 0 THEN 'flow' ELSE 'deploy' END)::"Application", 'paid', 'eur', n, date '2018-01-01' + n
     FROM generate_series(1, 3000) n`,
    [teamId],
  )
  await pool.query(
    `INSERT INTO audit_entries (team_id, at, action, actor_kind, actor_name, authentication_method, subject, request_id)
     SELECT $1, '2026-01-01Z'::timestamptz + n * interval '1 minute', 'action', 'user', 'Ada', 'session', 'subject-' || n, n::text
     FROM generate_series(1, 3000) n
     UNION ALL
     SELECT id, '2026-01-02Z'::timestamptz + row_number() OVER () * interval '1 second', 'action', 'user', 'Ada', 'session', slug, slug FROM teams`,
    [teamId],
  )
  // Nine of ten are answered: the people of a team are found among all of its invitations.
  await pool.query(
    `INSERT INTO invitations (team_id, email, role, status, token_hash, nonce, created_at, sent_at, expires_at)
     SELECT $1, 'invited-' || n || '@example.com', 'member', (CASE WHEN n % 10 > 0 THEN 'accepted' ELSE 'pending' END)::"InvitationStatus",
       sha256(n::text::bytea), '', sent, sent, now() + interval '1 day'
     FROM (SELECT n, '2025-01-01Z'::timestamptz + n * interval '1 minute' AS sent FROM generate_series(1, 3000) n) numbered`,
    [teamId],
  )
  await pool.query(
    `INSERT INTO access_tokens (kind, name, hash, team_id, scopes, created_at)
     SELECT 'team', 'CI', sha256(n::text::bytea), $1, '{}', '2026-06-01Z'::timestamptz - n * interval '1 day' FROM generate_series(1, 3000) n`,
    [teamId],
  )
  await pool.query('VACUUM ANALYZE')
}
