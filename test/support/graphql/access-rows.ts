import type { TestService } from '../service/service.ts'

/**
 * Adds `count` team tokens, members with a personal token and a grant, workload identities, clients of its own, invitations and audit entries to a team. Values repeat, so that
 * identifiers decide the order, and some are absent. Names are unique within the team, except those that lists are sorted by.
 */
export async function addAccess({ database: { pool } }: TestService, teamId: string, count: number): Promise<void> {
  for (const text of [tokens, members, grants, identities, clients, invitations, auditEntries]) await pool.query(text, [teamId, count])
}

const times = `now() - (10 + i % 4) * interval '1 day', CASE WHEN i % 3 > 0 THEN now() - i % 5 * interval '1 day' END`
const scopes = `CASE WHEN i % 2 = 0 THEN '{teams}' ELSE '{teams,acct:team:members:read}' END::text[]`
const numbered = 'FROM generate_series(1, $2::int) i'

const tokens = `INSERT INTO access_tokens (kind, team_id, name, hash, scopes, created_at, last_used_at, expires_at, revoked_at)
  SELECT 'team', $1, 'Token ' || i, sha256(random()::text::bytea), ${scopes}, ${times},
    CASE WHEN i % 4 > 0 THEN now() + (i % 5 - 1) * interval '10 days' END, CASE WHEN i % 6 = 0 THEN now() END ${numbered}`

const members = `WITH added AS (INSERT INTO users (email, name, last_active_at)
    SELECT gen_random_uuid() || '@example.test', (ARRAY['Ada', 'ada', 'Zoë'])[1 + i % 3],
      CASE WHEN i % 3 > 0 THEN now() - i % 5 * interval '20 minutes' END ${numbered} RETURNING id),
  joined AS (INSERT INTO members (team_id, user_id, role, joined_at)
    SELECT $1, id, (ARRAY['member', 'billing']::"Role"[])[1 + n % 2], '2026-01-01Z'::timestamptz + n % 4 * interval '1 day'
    FROM (SELECT id, row_number() OVER () AS n FROM added) numbered RETURNING user_id)
  INSERT INTO access_tokens (kind, user_id, name, hash, scopes, created_at, last_used_at, expires_at)
  SELECT 'personal', user_id, 'Personal ' || i, sha256(random()::text::bytea), ${scopes}, ${times}, now() + (1 + i % 5) * interval '10 days'
  FROM (SELECT user_id, row_number() OVER () AS i FROM joined) numbered`

const grants = `WITH client AS (INSERT INTO oauth_clients (client_id, name, redirect_uris, confidential, grant_types, required_scopes, optional_scopes)
    SELECT 'client-' || gen_random_uuid(), (ARRAY['Dashboard', 'dashboard', 'Reports'])[1 + i % 3] || ' ' || i, '{}', false, '{}', '{openid}', '{}' ${numbered} RETURNING id)
  INSERT INTO oauth_grants (user_id, oauth_client_id, team_id, scopes, created_at, last_used_at, expires_at)
  SELECT (SELECT u.id FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 AND u.name = (ARRAY['Ada', 'Zoë'])[1 + i % 2] LIMIT 1), id,
    CASE WHEN i % 2 = 0 THEN $1::uuid END, ${scopes}, ${times}, now() + (1 + i % 5) * interval '10 days'
  FROM (SELECT id, row_number() OVER () AS i FROM client) numbered`

const identities = `INSERT INTO workload_identities (team_id, name, issuer, conditions, scopes, created_by_id, created_at, last_used_at)
  SELECT $1, 'Identity ' || i, 'https://ci.example.com', '[]', ${scopes},
    CASE WHEN i % 2 = 0 THEN (SELECT user_id FROM members WHERE team_id = $1 AND role = 'billing' LIMIT 1) END, ${times} ${numbered}`

const clients = `INSERT INTO oauth_clients (client_id, name, redirect_uris, confidential, grant_types, required_scopes, optional_scopes, owner_team_id, created_at, last_used_at)
  SELECT gen_random_uuid(), 'Own ' || i, '{}', true, '{client_credentials}', ${scopes}, '{}', $1, ${times} ${numbered}`

const invitations = `INSERT INTO invitations (team_id, invited_by_id, invited_by_token_id, email, role, status, token_hash, nonce, created_at, sent_at, expires_at)
  SELECT $1, CASE WHEN i % 2 = 0 THEN (SELECT user_id FROM members WHERE team_id = $1 AND role = 'billing' LIMIT 1) END,
    CASE WHEN i % 2 = 1 THEN (SELECT id FROM access_tokens WHERE team_id = $1 LIMIT 1) END, 'guest-' || i || '@example.test', 'member', (ARRAY['pending', 'declined']::"InvitationStatus"[])[1 + i % 5 / 4],
    sha256(random()::text::bytea), '\\x00', now() - i % 3 * interval '1 day', now() - i % 4 * interval '1 day', now() + (i % 3 - 1) * interval '5 days'
  ${numbered}`

const auditEntries = `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, after, request_id)
  SELECT now() - i % 5 * interval '1 hour', (ARRAY['updateTeam', 'updateMember'])[1 + i % 2], (ARRAY['user', 'team'])[1 + i % 2],
    (ARRAY['Ada', 'Bo'])[1 + i / 2 % 2], (ARRAY['session', 'team_token'])[1 + i % 2], $1, 'subject-' || i % 3, jsonb_build_object('userId', gen_random_uuid()), 'x' ${numbered}`
