import { beforeAll, describe, expect, test } from 'vitest'
import { usePool } from '../support/service/database.ts'

const pool = usePool()
beforeAll(() => pool.query(rows))

const user = '00000000-0000-4000-8000-000000000001'
const team = '00000000-0000-4000-8000-000000000002'
const invoice = '00000000-0000-4000-8000-000000000003'
const client = '00000000-0000-4000-8000-000000000004'
const provider = '00000000-0000-4000-8000-000000000005'
const hash = `decode(repeat('ab', 32), 'hex')`
const rows = `
  INSERT INTO users (id, email, name) VALUES ('${user}', 'ada@example.com', 'Ada');
  INSERT INTO teams (id, slug, name) VALUES ('${team}', 'acme', 'Acme');
  INSERT INTO members (team_id, user_id, role) VALUES ('${team}', '${user}', 'owner');
  INSERT INTO invitations (team_id, email, role, token_hash, nonce, sent_at, expires_at)
    VALUES ('${team}', 'bob@example.com', 'member', ${hash}, '', now(), now());
  INSERT INTO connected_apps (team_id, application, name) VALUES ('${team}', 'flow', 'Flow');
  INSERT INTO invoices (id, team_id, number, status, currency, subtotal, invoice_date)
    VALUES ('${invoice}', '${team}', 'A-1', 'open', 'eur', 100, '2026-01-01');
  INSERT INTO invoice_lines (invoice_id, position, description, quantity, unit_amount)
    VALUES ('${invoice}', 0, 'Line', 1, 100);
  INSERT INTO access_tokens (kind, name, hash, last_four, scopes, user_id, expires_at)
    VALUES ('personal', 'Mine', ${hash}, 'abcd', '{teams}', '${user}', now());
  INSERT INTO access_tokens (kind, name, hash, scopes, team_id)
    VALUES ('team', 'Ours', decode(repeat('cd', 32), 'hex'), '{teams}', '${team}');
  INSERT INTO oauth_clients (id, client_id, name, confidential, redirect_uris, grant_types, required_scopes, optional_scopes)
    VALUES ('${client}', 'c', 'Client', true, '{}', '{}', '{}', '{}');
  INSERT INTO oauth_client_secrets (oauth_client_id, hash) VALUES ('${client}', ${hash});
  INSERT INTO oauth_grants (user_id, oauth_client_id, scopes, expires_at) VALUES ('${user}', '${client}', '{}', now());
  INSERT INTO token_chains (grant_id, scopes) SELECT id, '{}' FROM oauth_grants;
  INSERT INTO oidc_models (id_hash, uid_hash, kind, payload, expires_at) VALUES (${hash}, ${hash}, 'Session', '{}', now());
  INSERT INTO sessions (uid_hash, user_id, created_at, authenticated_at, methods, last_used_at, address, user_agent)
    VALUES (${hash}, '${user}', now(), now(), '{pwd}', now(), '192.0.2.1', '');
  INSERT INTO passkeys (user_id, name, credential_id, public_key, counter, transports, is_backed_up, created_at)
    VALUES ('${user}', 'Laptop', '', '', 0, '{}', false, now());
  INSERT INTO pictures (id, user_id, large, small) VALUES ('p', '${user}', '', '');
  INSERT INTO identity_providers (id, team_id, kind, name, issuer) VALUES ('${provider}', '${team}', 'oidc', 'Acme', 'https://id.example');
  INSERT INTO external_identities (user_id, provider_id, subject, last_sign_in_at) VALUES ('${user}', '${provider}', 's', now());
  INSERT INTO sign_in_requests (id, provider_id, purpose, browser_hash, return_to, created_at, expires_at)
    VALUES ('r', '${provider}', 'sign_in', ${hash}, '/', now(), now());
  INSERT INTO group_roles (team_id, "group", role) VALUES ('${team}', 'Staff', 'member');
  INSERT INTO support_sessions (user_id, opened_by_id, opened_at, expires_at) VALUES ('${user}', '${user}', now(), now());
  INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, subject, request_id)
    VALUES (now(), 'updateTeam', 'user', 'Ada', 'session', 'acme', 'r1');`

const long = (length: number) => `repeat('a', ${length})`

/** The constraint, the table, and a change that only this constraint refuses. */
const refusals: [constraint: string, table: string, change: string][] = [
  ['users_email_normalised', 'users', `email = 'Ada@example.com'`],
  ['users_email_normalised', 'users', `email = ' ada@example.com'`],
  ['users_email_length', 'users', `email = 'a@'`],
  ['users_email_length', 'users', `email = ${long(255)}`],
  ['users_name_length', 'users', `name = ''`],
  ['users_name_length', 'users', `name = ${long(256)}`],
  ['support_sessions_of_one', 'support_sessions', `team_id = '${team}'`],
  ['support_sessions_of_one', 'support_sessions', `user_id = NULL`],
  ['teams_slug_form', 'teams', `slug = 'Acme'`],
  ['teams_slug_form', 'teams', `slug = 'a--b'`],
  ['teams_slug_form', 'teams', `slug = E'acme\\n'`],
  ['teams_slug_form', 'teams', `slug = ''`],
  ['teams_slug_length', 'teams', `slug = ${long(65)}`],
  ['teams_name_length', 'teams', `name = ''`],
  ['teams_name_length', 'teams', `name = ${long(256)}`],
  ['teams_gravatar_email_normalised', 'teams', `gravatar_email = 'A@example.com'`],
  ['teams_gravatar_email_length', 'teams', `gravatar_email = 'a'`],
  ['external_identities_one_provider', 'external_identities', `social = 'google'`],
  ['external_identities_one_provider', 'external_identities', `provider_id = NULL`],
  ['sign_in_requests_one_provider', 'sign_in_requests', `social = 'google'`],
  ['identity_providers_jit_role_not_owner', 'identity_providers', `jit_role = 'owner'`],
  ['identity_providers_agent_client_ids_no_null', 'identity_providers', `agent_client_ids = '{NULL}'`],
  ['identity_providers_agent_scopes_no_null', 'identity_providers', 'agent_scopes = NULL'],
  ['group_roles_not_owner', 'group_roles', `role = 'owner'`],
  ['pictures_one_owner', 'pictures', `team_id = '${team}'`],
  ['external_identities_one_provider', 'external_identities', `social = 'google'`],
  ['external_identities_one_provider', 'external_identities', `provider_id = NULL`],
  ['sign_in_requests_one_provider', 'sign_in_requests', `social = 'google'`],
  ['identity_providers_jit_role_not_owner', 'identity_providers', `jit_role = 'owner'`],
  ['group_roles_not_owner', 'group_roles', `role = 'owner'`],
  ['pictures_one_owner', 'pictures', 'user_id = NULL'],
  ['teams_erased_after_deleted', 'teams', `erased_at = now()`],
  ['members_all_applications_without_list', 'members', `applications = '{flow}'`],
  ['members_applications_no_null', 'members', `all_applications = false, applications = '{NULL}'`],
  ['members_applications_no_null', 'members', `all_applications = false, applications = NULL`],
  ['invitations_email_normalised', 'invitations', `email = 'BOB@example.com'`],
  ['invitations_email_length', 'invitations', `email = 'b'`],
  ['invitations_all_applications_without_list', 'invitations', `applications = '{flow}'`],
  ['invitations_applications_no_null', 'invitations', `all_applications = false, applications = '{NULL}'`],
  ['invitations_token_hash_length', 'invitations', `token_hash = 'short'`],
  ['connected_apps_name_length', 'connected_apps', `name = ''`],
  ['invoices_number_length', 'invoices', `number = ''`],
  ['invoices_currency_form', 'invoices', `currency = 'EUR'`],
  ['invoices_currency_form', 'invoices', `currency = 'eu'`],
  ['invoices_subtotal_range', 'invoices', `subtotal = 9007199254740992`],
  ['invoices_tax_range', 'invoices', `tax = -1`],
  ['invoices_total_range', 'invoices', `subtotal = 9007199254740991, tax = 1`],
  ['invoices_amount_paid_range', 'invoices', `amount_paid = -1`],
  ['invoices_amount_due_range', 'invoices', `subtotal = -9007199254740991, amount_paid = 1`],
  ['invoices_period_order', 'invoices', `period_start = '2026-02-01', period_end = '2026-01-31'`],
  ['invoice_lines_position_range', 'invoice_lines', `position = -1`],
  ['invoice_lines_quantity_range', 'invoice_lines', `quantity = -1`],
  ['invoice_lines_unit_amount_range', 'invoice_lines', `quantity = 0, unit_amount = 9007199254740992`],
  ['invoice_lines_amount_range', 'invoice_lines', `quantity = 2147483647, unit_amount = 9007199254740991`],
  ['invoice_lines_tax_rate', 'invoice_lines', `tax_rate = 100.001`],
  ['invoice_lines_period_order', 'invoice_lines', `period_start = '2026-02-01', period_end = '2026-01-31'`],
  ['access_tokens_owner', 'access_tokens', `team_id = '${team}'`],
  ['access_tokens_owner', 'access_tokens', `user_id = NULL`],
  ['access_tokens_owner', 'access_tokens', `expires_at = NULL`],
  ['access_tokens_owner', 'access_tokens', `kind = 'team'`],
  ['access_tokens_name_length', 'access_tokens', `name = ''`],
  ['access_tokens_hash_length', 'access_tokens', `hash = 'short'`],
  ['access_tokens_previous_hash_length', 'access_tokens', `previous_hash = 'short'`],
  ['access_tokens_last_four_length', 'access_tokens', `last_four = 'abc'`],
  ['access_tokens_scopes_no_null', 'access_tokens', `scopes = '{NULL}'`],
  ['access_tokens_scopes_no_null', 'access_tokens', `scopes = NULL`],
  ['access_tokens_revoked_team_ids_no_null', 'access_tokens', `revoked_team_ids = '{NULL}'`],
  ['oauth_clients_name_length', 'oauth_clients', `name = ''`],
  ['oauth_clients_refresh_replay_seconds_range', 'oauth_clients', `refresh_replay_seconds = 121`],
  ['oauth_clients_refresh_replay_seconds_range', 'oauth_clients', `refresh_replay_seconds = -1`],
  ['oauth_clients_redirect_uris_no_null', 'oauth_clients', `redirect_uris = '{NULL}'`],
  ['oauth_clients_grant_types_no_null', 'oauth_clients', `grant_types = NULL`],
  ['oauth_clients_required_scopes_no_null', 'oauth_clients', `required_scopes = '{NULL}'`],
  ['oauth_clients_optional_scopes_no_null', 'oauth_clients', `optional_scopes = '{NULL}'`],
  ['oauth_clients_post_logout_redirect_uris_no_null', 'oauth_clients', `post_logout_redirect_uris = '{NULL}'`],
  ['oauth_clients_id_token_algorithm_known', 'oauth_clients', `id_token_algorithm = 'none'`],
  ['oauth_client_secrets_hash_length', 'oauth_client_secrets', `hash = 'short'`],
  ['oauth_grants_scopes_no_null', 'oauth_grants', `scopes = '{NULL}'`],
  ['oauth_grants_declined_scopes_no_null', 'oauth_grants', `declined_scopes = NULL`],
  ['oauth_grants_revoked_team_ids_no_null', 'oauth_grants', `revoked_team_ids = '{NULL}'`],
  ['token_chains_scopes_no_null', 'token_chains', `scopes = '{NULL}'`],
  ['oidc_models_hash_lengths', 'oidc_models', `uid_hash = 'short'`],
  ['sessions_methods_no_null', 'sessions', `methods = '{NULL}'`],
  ['passkeys_transports_no_null', 'passkeys', `transports = '{NULL}'`],
]

describe('the constraints of a database with one valid row in each table', () => {
  test.each(refusals)('%s refuses UPDATE %s SET %s', async (constraint, table, change) => {
    const condition = table === 'access_tokens' ? `WHERE kind = 'personal'` : ''
    await expect(pool.query(`UPDATE ${table} SET ${change} ${condition}`)).rejects.toMatchObject({
      code: '23514',
      constraint,
    })
  })

  test('include no CHECK constraint that this test does not violate', async () => {
    const { rows: checks } = await pool.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace`,
    )
    expect(new Set(refusals.map(([name]) => name))).toEqual(new Set(checks.map(({ name }) => name)))
  })

  test.each([
    ['another owner', `user_id = '${user}', team_id = NULL`],
    ['no owner', `team_id = NULL`],
  ])('refuse a team token with %s (%s)', async (_, change) => {
    const refused = pool.query(`UPDATE access_tokens SET ${change} WHERE kind = 'team'`)
    await expect(refused).rejects.toMatchObject({ code: '23514', constraint: 'access_tokens_owner' })
  })

  test('refuse a second user with the same email address', async () => {
    const refused = pool.query(`INSERT INTO users (email, name) VALUES ('ada@example.com', 'Other')`)
    await expect(refused).rejects.toMatchObject({ code: '23505', constraint: 'users_email_key' })
  })

  test('allow one pending invitation per team and email address, and any number of closed ones', async () => {
    const invite = (status: string, secret: string) =>
      pool.query(
        `INSERT INTO invitations (team_id, email, role, status, token_hash, nonce, sent_at, expires_at)
         VALUES ('${team}', 'bob@example.com', 'member', $1, sha256($2), '', now(), now())`,
        [status, secret],
      )
    await expect(invite('pending', 'a')).rejects.toMatchObject({ code: '23505', constraint: 'invitations_one_pending' })
    await invite('revoked', 'b')
    await invite('revoked', 'c')
  })

  test('allow one grant per user, client and team and one without a team, not counting grants that are revoked or revoked for a team', async () => {
    const grant = (members: string, values: string) =>
      pool.query(
        `INSERT INTO oauth_grants (user_id, oauth_client_id, scopes, expires_at${members}) VALUES ('${user}', '${client}', '{}', now()${values})`,
      )
    const refusal = { code: '23505', constraint: 'oauth_grants_one_a_team_and_provider' }
    await expect(grant('', '')).rejects.toMatchObject(refusal)
    await grant(', team_id', `, '${team}'`)
    await expect(grant(', team_id', `, '${team}'`)).rejects.toMatchObject(refusal)
    await grant(', revoked_at', ', now()')
    await grant(', revoked_team_ids', `, '{${team}}'`)
  })

  test.each([`UPDATE audit_entries SET actor_name = 'Eve'`, 'DELETE FROM audit_entries', 'DELETE FROM audit_entries WHERE false'])(
    'refuse to change or delete an audit entry: %s',
    async (statement) => {
      const refused = pool.query(statement)
      await expect(refused).rejects.toMatchObject({ code: '23001', constraint: 'audit_entries_append_only' })
    },
  )
})
