import type { ClientBase } from 'pg'
import { urlConnection, withSession } from '../../../../src/database/connection.ts'

/** A row for each table that `seedSite` may leave empty, without what it refers to. */
const rareRows: readonly (readonly [table: string, insert: string])[] = [
  ['attempt_counts', `(key, points, expire) VALUES ('a', 1, (extract(epoch FROM now() + interval '1 day') * 1000)::bigint)`],
  ['directory_removals', `(team_id, key_hash, user_id) SELECT id, '\\x01', gen_random_uuid() FROM teams LIMIT 1`],
  [
    'external_identities',
    `(provider_id, user_id, subject, last_sign_in_at)
    SELECT gen_random_uuid(), id, 'subject', now() FROM users LIMIT 1`,
  ],
  [
    'failed_sign_ins',
    `(user_id, method, reason, count, first_at, last_at) SELECT id, 'password', 'wrong_password', 1, now(), now() FROM users LIMIT 1`,
  ],
  ['idempotency_keys', `(key_hash, request_hash, expires_at) VALUES ('\\x01', '\\x01', now() + interval '1 day')`],
  [
    'initial_access_tokens',
    `(team_id, hash, last_four, expires_at) SELECT id, '\\x01', 'abcd', now() + interval '1 day' FROM teams LIMIT 1`,
  ],
  ['support_sessions', `(team_id, opened_at, expires_at) SELECT id, now(), now() + interval '1 day' FROM teams LIMIT 1`],
  ['token_chains', `(grant_id, scopes) SELECT id, '{}' FROM oauth_grants LIMIT 1`],
  [
    'oidc_models',
    `(id_hash, kind, payload, expires_at, chain_id)
    SELECT sha256('1'), 'RefreshToken', '{}', now() + interval '1 day', id FROM token_chains`,
  ],
  [
    'passkeys',
    `(user_id, name, credential_id, public_key, counter, transports, is_backed_up, created_at)
    SELECT id, 'Key', '\\x01', '\\x01', 0, '{}', false, now() FROM users LIMIT 1`,
  ],
  ['pictures', `(id, team_id, large, small) SELECT 'picture', id, '\\x01', '\\x01' FROM teams LIMIT 1`],
  ['recovery_codes', `(hash, user_id) SELECT '\\x01', id FROM users LIMIT 1`],
  ['request_counts', `(credential_id, requests, ends_at) VALUES ('a', 1, now() + interval '1 day')`],
  ['scim_groups', `(team_id, display_name, created_at, updated_at) SELECT id, 'Group', now(), now() FROM teams LIMIT 1`],
  [
    'scim_users',
    `(team_id, user_id, user_name, attributes, created_at, updated_at)
    SELECT team_id, user_id, 'ada', '{}', now(), now() FROM members LIMIT 1`,
  ],
  ['scim_group_members', `(group_id, team_id, user_id) SELECT gen_random_uuid(), team_id, user_id FROM members LIMIT 1`],
  [
    'sessions',
    `(uid_hash, user_id, created_at, authenticated_at, methods, last_used_at, address, user_agent)
    SELECT sha256('1'), id, now(), now(), '{password}', now(), '127.0.0.1', '' FROM users LIMIT 1`,
  ],
  [
    'team_domains',
    `(team_id, domain, value, verified_at, checked_at)
    SELECT id, 'ada.test', 'x', now(), now() + interval '1 day' FROM teams LIMIT 1`,
  ],
  ['team_event_streams', `(team_id, open_until) SELECT id, now() FROM teams LIMIT 1`],
  ['token_responses', `(model_hash, encrypted) VALUES (sha256('1'), '\\x01')`],
  [
    'webhook_retries',
    `(webhook_id, entry_id, part, attempts, first_at, due_at)
    SELECT w.id, e.id, 0, 1, now(), now() + interval '1 day' FROM webhooks w, audit_entries e LIMIT 1`,
  ],
  ['directory_errors', `(team_id, at, method, path, status, detail) SELECT id, now(), 'GET', '/', 400, '' FROM teams LIMIT 1`],
]

/** The first rows of a table, which are not copies and belong to a team and a user. */
const first = (table: string) => `ctid = (SELECT ctid FROM ${table} ORDER BY ctid LIMIT 1)`

// What each job looks for.
const dueRows = `
  UPDATE oidc_models SET expires_at = now() - interval '1 day' WHERE ${first('oidc_models')};
  UPDATE token_responses SET delivered_at = now() - interval '1 day' WHERE ${first('token_responses')};
  UPDATE oauth_client_secrets SET expires_at = now() - interval '100 days' WHERE ${first('oauth_client_secrets')};
  UPDATE initial_access_tokens SET expires_at = now() - interval '100 days' WHERE ${first('initial_access_tokens')};
  UPDATE support_sessions SET expires_at = now() - interval '100 days' WHERE ${first('support_sessions')};
  UPDATE mail_links SET expires_at = now() - interval '100 days' WHERE ${first('mail_links')};
  UPDATE sign_in_requests SET expires_at = now() - interval '1 day' WHERE ${first('sign_in_requests')};
  UPDATE trusted_devices SET expires_at = now() - interval '1 day' WHERE ${first('trusted_devices')};
  UPDATE failed_sign_ins SET last_at = now() - interval '100 days' WHERE ${first('failed_sign_ins')};
  UPDATE webhook_deliveries SET at = now() - interval '40 days' WHERE ${first('webhook_deliveries')};
  UPDATE authorization_failures SET day = now() - interval '40 days' WHERE ${first('authorization_failures')};
  UPDATE idempotency_keys SET expires_at = now() - interval '1 day' WHERE ${first('idempotency_keys')};
  UPDATE request_counts SET ends_at = now() - interval '1 day' WHERE ${first('request_counts')};
  UPDATE attempt_counts SET expire = 1 WHERE ${first('attempt_counts')};
  UPDATE oauth_grants SET revoked_at = now() - interval '100 days' WHERE ${first('oauth_grants')};
  UPDATE users SET deletion_requested_at = now() - interval '100 days'
    WHERE id = (SELECT id FROM users WHERE deletion_requested_at IS NULL AND NOT EXISTS (SELECT FROM members WHERE user_id = users.id) LIMIT 1);
  INSERT INTO erasures (user_id, email, name, requested_at) VALUES (gen_random_uuid(), 'gone@example.test', 'Gone', now() - interval '1 hour');
  UPDATE teams SET deleted_at = now() - interval '100 days' WHERE id = (
    SELECT t.id FROM teams t JOIN identity_providers p ON p.team_id = t.id WHERE t.deleted_at IS NULL LIMIT 1);
  UPDATE audit_entries SET at = now() - interval '500 days' WHERE ${first('audit_entries')};
  UPDATE invitations SET expires_at = now() - interval '1 hour', expiry_recorded_at = NULL, status = 'pending'
    WHERE id = (SELECT id FROM invitations WHERE team_id IN (SELECT id FROM teams) LIMIT 1);
  UPDATE access_tokens SET created_at = now() - interval '300 days', expires_at = now() + interval '3 days', expiry_events = 0,
    expiry_notified_at = NULL WHERE team_id IN (SELECT id FROM teams);
  UPDATE invoices SET announces_issue = true, overdue_notified_at = NULL, status = 'open', due_date = now() - interval '2 days',
    recorded_at = now() - interval '9 days' WHERE team_id IN (SELECT id FROM teams);
  UPDATE team_domains SET checked_at = now() - interval '30 days' WHERE team_id IN (SELECT id FROM teams);
  UPDATE webhooks SET failing_since = now() - interval '9 days', failed_events = 20
    WHERE id = (SELECT id FROM webhooks WHERE disabled_at IS NULL AND failing_since IS NULL LIMIT 1);
  UPDATE webhooks SET failing_since = now() - interval '2 days', failed_events = 1
    WHERE id = (SELECT id FROM webhooks WHERE disabled_at IS NULL AND failing_since IS NULL LIMIT 1);
  UPDATE directory_errors SET at = now() - interval '500 days' WHERE ${first('directory_errors')};
  UPDATE webhook_retries SET due_at = now() WHERE ${first('webhook_retries')}`

const withoutTriggers = (databaseUrl: string, work: (session: ClientBase) => Promise<unknown>): Promise<void> =>
  withSession(urlConnection(databaseUrl), async (session) => {
    await session.query('SET session_replication_role = replica')
    await work(session)
  })

/** Adds a row to each table that is empty. */
export const addRareRows = (databaseUrl: string): Promise<void> =>
  withoutTriggers(databaseUrl, async (session) => {
    for (const [table, insert] of rareRows) {
      const { rowCount } = await session.query(`SELECT FROM ${table} LIMIT 1`)
      if (rowCount === 0) await session.query(`INSERT INTO ${table} ${insert}`)
    }
  })

/** Makes a row due of each kind that a job looks for. */
export const makeRowsDue = (databaseUrl: string): Promise<void> => withoutTriggers(databaseUrl, (session) => session.query(dueRows))
