import type { ClientBase } from 'pg'
import { prismaFolder, readMigrations } from '../../database/migrations.ts'
import type { CheckProblem } from './check.ts'

/** Indexes with a condition or an expression, which Prisma does not support. */
const indexes = [
  'access_tokens_ended',
  'access_tokens_expiry_events',
  'access_tokens_to_notify',
  'audit_entries_subject_address',
  'audit_entries_teams_created',
  'audit_entries_value_addresses',
  'identity_providers_of_agents',
  'invitations_accepted_by',
  'invitations_ended',
  'invitations_expiry_unrecorded',
  'invitations_invited_by',
  'invitations_invited_by_token',
  'invitations_one_pending',
  'invitations_pending',
  'invoices_to_announce',
  'invoices_to_become_overdue',
  'oauth_client_secrets_ending',
  'oauth_clients_review',
  'oauth_clients_to_review',
  'oauth_clients_words',
  'oauth_grants_of_provider',
  'oauth_grants_one_a_team_and_provider',
  'oauth_grants_over',
  'oidc_models_pending',
  'oidc_models_pending_by_network',
  'scim_groups_team_id_display_name_key',
  'scim_users_team_id_user_name_key',
  'support_sessions_one_open',
  'support_sessions_one_open_account',
  'team_domains_missing',
  'team_domains_verified_domain_key',
  'teams_by_gravatar_email',
  'teams_to_erase',
  'teams_words',
  'token_responses_delivered',
  'users_password_parameters',
  'users_to_erase',
  'users_words',
  'webhooks_failing',
  'webhooks_of_worker',
  'webhooks_to_disable',
  'webhooks_to_warn_about',
]

const triggers = [
  'audit_entries_append_only',
  'invoices_counted_delete',
  'invoices_counted_insert',
  'invoices_counted_truncate',
  'invoices_counted_update',
  'members_counted_delete',
  'members_counted_insert',
  'members_counted_truncate',
  'members_counted_update',
  'members_last_owner',
  'members_joined',
  'members_person',
  'notify_team_event',
  'passkeys_added_end_trust',
  'passkeys_deleted_end_trust',
  'recovery_codes_added_end_trust',
  'recovery_codes_deleted_end_trust',
  'teams_counts_deleted',
  'teams_deleted',
  'users_deleted',
  'users_end_trust',
  'users_renamed',
  'users_staff_role',
]

/** Finds the missing indexes and triggers that Prisma does not compare. */
export async function missingObjects(session: ClientBase): Promise<CheckProblem[]> {
  const { rows } = await session.query<{ kind: string; name: string }>(
    `SELECT 'index' AS kind, name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL
     UNION ALL SELECT 'trigger', name FROM unnest($2::text[]) AS name
       WHERE name NOT IN (SELECT tgname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
                          WHERE relnamespace = current_schema()::regnamespace)
     ORDER BY 1, 2`,
    [indexes, triggers],
  )
  const migrations = rows.length === 0 ? [] : await readMigrations(prismaFolder)
  const missing = rows.map(({ kind, name }) => {
    const migration = migrations.findLast(({ sql }) => sql.includes(` ${kind.toUpperCase()} "${name}"`))?.name
    const file = migration === undefined ? 'prisma/migrations' : `prisma/migrations/${migration}/migration.sql`
    return { problem: `the ${kind} ${name} is missing`, action: `run the statement of ${file} that creates it` }
  })
  return [...missing, ...(await disabledTriggers(session))]
}

async function disabledTriggers(session: ClientBase): Promise<CheckProblem[]> {
  const { rows } = await session.query<{ name: string; table: string }>(
    `SELECT tgname AS name, tgrelid::regclass::text AS table FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
     WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal AND tgenabled = 'D' ORDER BY 1`,
  )
  return rows.map(({ name, table }) => ({
    problem: `the trigger ${name} is disabled`,
    action: `run ALTER TABLE ${table} ENABLE TRIGGER ${name}`,
  }))
}
