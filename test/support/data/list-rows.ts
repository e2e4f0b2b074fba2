import type pg from 'pg'

/** The user of a few audit entries. */
export const rareActor = '00000000-0000-4000-8000-000000000007'

/** The users, numbered, and the columns of their tokens and grants. */
const numbered = `SELECT id, n, n % 1000 = 0 AS rare FROM (SELECT id, split_part(name, ' ', 2)::int AS n FROM users WHERE name LIKE 'Ada %') named`
const scopes = `CASE WHEN rare THEN '{acct:team:invoices:read}' ELSE '{acct:team:read}' END::text[]`
const instants = `'2031-01-01Z'::timestamptz + n * interval '1 day', '2026-06-01Z'::timestamptz - n * interval '1 day',
  CASE WHEN rare THEN '2025-06-01Z'::timestamptz ELSE '2026-06-01Z'::timestamptz + n * interval '20 minutes' END`

/** Adds 3,000 rows to each list of a team, and to those of staff. Each property has one value that is rare. */
export async function addListRows(pool: pg.Pool, teamId: string): Promise<void> {
  await pool.query(
    `INSERT INTO users (email, name, disabled_at, last_active_at)
       SELECT CASE WHEN n % 1000 = 0 THEN 'lovelace-' ELSE 'member-' END || n || '@example.com', 'Ada ' || n, CASE WHEN n % 1000 = 0 THEN now() END,
         CASE WHEN n % 50 > 0 THEN '2026-06-01Z'::timestamptz + n * interval '20 minutes' END
       FROM generate_series(1, 3000) n;
     INSERT INTO teams (slug, name, deleted_at)
       SELECT CASE WHEN n % 1000 = 0 THEN 'lovelace-' ELSE 'team-' END || n, 'Team ' || n, CASE WHEN n % 1000 = 0 THEN now() END
       FROM generate_series(1, 3000) n`,
  )
  await pool.query(`UPDATE members SET joined_at = '2026-01-01Z' WHERE team_id = $1`, [teamId])
  await pool.query(
    `INSERT INTO members (team_id, user_id, role, all_applications, applications, joined_at)
     SELECT $1, id, (CASE WHEN n % 1000 = 0 THEN 'billing' ELSE 'member' END)::"Role", false,
       (CASE WHEN n % 1000 = 0 THEN '{flow}' ELSE '{deploy}' END)::"Application"[], '2026-01-01Z'::timestamptz + n * interval '1 minute'
     FROM (SELECT id, split_part(name, ' ', 2)::int AS n FROM users WHERE name LIKE 'Ada %') numbered`,
    [teamId],
  )
  await pool.query(
    `INSERT INTO invoices (team_id, number, application, status, currency, subtotal, invoice_date, due_date)
     SELECT $1, CASE WHEN rare THEN 'LATE-' ELSE 'INV-' END || n, (CASE WHEN rare THEN 'flow' ELSE 'deploy' END)::"Application",
       (CASE WHEN rare THEN 'open' ELSE 'paid' END)::"InvoiceStatus", CASE WHEN rare THEN 'chf' ELSE 'eur' END, n * 7 % 3001,
       date '2018-01-01' + n, date '2018-02-01' + n
     FROM (SELECT n, n % 1000 = 0 AS rare FROM generate_series(1, 3000) n) numbered`,
    [teamId],
  )
  await pool.query(
    `INSERT INTO audit_entries (team_id, at, action, actor_kind, actor_user_id, actor_name, authentication_method, subject, request_id)
     SELECT $1, '2026-01-01Z'::timestamptz + n * interval '1 minute', CASE WHEN n % 1000 = 0 THEN 'removeMember' ELSE 'action' || n % 30 END, 'user',
       CASE WHEN n % 1000 = 0 THEN '${rareActor}' ELSE '00000000-0000-4000-8000-000000000001' END::uuid, 'Ada ' || n % 7, CASE WHEN n % 1000 = 0 THEN 'command_line' ELSE 'session' END, 'subject-' || n, n
     FROM generate_series(1, 3000) n`,
    [teamId],
  )
  await pool.query(
    `INSERT INTO audit_entries (team_id, at, action, actor_kind, actor_name, authentication_method, subject, request_id)
     SELECT id, '2026-01-02Z'::timestamptz + row_number() OVER () * interval '1 second', 'action' || right(slug, 1), 'user', 'Ada', 'session', slug, slug FROM teams`,
  )
  await pool.query(
    `INSERT INTO invitations (team_id, email, role, token_hash, nonce, sent_at, expires_at)
     SELECT id, 'invited@example.com', 'member', sha256(slug::bytea), '', now(), now() + interval '1 day' FROM teams`,
  )
  await pool.query(
    `INSERT INTO invitations (team_id, email, role, status, token_hash, nonce, created_at, sent_at, expires_at)
     SELECT $1, CASE WHEN rare THEN 'lovelace-' ELSE 'invited-' END || n || '@example.com', (CASE WHEN rare THEN 'billing' ELSE 'member' END)::"Role",
       (CASE WHEN n % 500 = 0 THEN 'accepted' ELSE 'pending' END)::"InvitationStatus", sha256(n::text::bytea), '', '2026-01-01Z'::timestamptz + n * interval '1 minute', '2026-01-02Z'::timestamptz + n * interval '1 minute',
       now() + CASE WHEN n % 1000 = 11 THEN -1 ELSE 1 END * interval '1 day'
     FROM (SELECT n, n % 1000 = 7 AS rare FROM generate_series(1, 3000) n) numbered`,
    [teamId],
  )
  await pool.query(
    `INSERT INTO access_tokens (kind, name, hash, user_id, team_id, scopes, expires_at, created_at, last_used_at)
     SELECT kind::"TokenKind", CASE WHEN rare THEN 'lovelace' ELSE 'laptop' END, sha256((kind || n)::bytea), CASE WHEN kind = 'personal' THEN id END,
       CASE WHEN kind = 'team' THEN $1::uuid END, ${scopes}, ${instants}
     FROM (${numbered}) n, unnest(ARRAY['personal', 'team']) kind`,
    [teamId],
  )
  await pool.query(
    `UPDATE access_tokens SET revoked_at = CASE WHEN kind = 'team' THEN now() END, expires_at = CASE WHEN kind = 'personal' THEN created_at ELSE expires_at END
     WHERE expires_at = '2031-01-01Z'::timestamptz + interval '500 days'`,
  )
  await pool.query(
    `INSERT INTO oauth_clients (client_id, name, redirect_uris, confidential, grant_types, required_scopes, optional_scopes)
       SELECT name, name, '{}', false, '{}', '{}', '{}' FROM unnest(ARRAY['lovelace', 'portal']) name;
     INSERT INTO oauth_grants (user_id, oauth_client_id, scopes, expires_at, created_at, last_used_at)
     SELECT n.id, c.id, ${scopes}, ${instants}
     FROM (${numbered}) n JOIN oauth_clients c ON c.name = CASE WHEN rare THEN 'lovelace' ELSE 'portal' END`,
  )
  await pool.query('VACUUM ANALYZE')
}
