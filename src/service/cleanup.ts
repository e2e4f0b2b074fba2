import type { Database } from '../../prisma/connection/database.ts'
import { failedSignInDays } from '../../schema/core/attempts/failed-sign-in.ts'
import { deliveryDays } from '../../schema/webhooks/rules.ts'
import { anonymousKinds } from '../oidc/storage/anonymous-models.ts'
import { buildBatch, batchSize } from '../jobs/cleanup-batch.ts'
import { everyMinute } from '../jobs/every-minute.ts'
import type { PeriodicWork } from '../jobs/every-minute.ts'
import { eraseDeletedAccounts, eraseDeletedUsers, retentionBatches } from '../jobs/retention.ts'
import type { RetentionSettings } from '../jobs/retention.ts'

/** Maximum number of stored anonymous models of each kind. Each takes about 2 KB. */
const maxAnonymousModels = 20_000

const isExpired = `expires_at < $1::timestamptz - interval '10 minutes'`

const expired = [
  // Chains precede models, because a chain is deleted together with the last of its codes and tokens.
  buildBatch(
    'token_chains',
    'id',
    `id = ANY (ARRAY(SELECT DISTINCT e.chain_id
       FROM (SELECT chain_id FROM oidc_models WHERE ${isExpired} ORDER BY expires_at) e
       WHERE (SELECT true FROM oidc_models m WHERE m.chain_id = e.chain_id AND NOT m.${isExpired} LIMIT 1) IS NULL LIMIT ${batchSize}))`,
  ),
  // An expired code or token is refused like an unknown one. Its stored response is deleted with it.
  buildBatch('oidc_models', 'id_hash', isExpired),
  // Only the latest anonymous models are kept, however many networks they come from.
  ...anonymousKinds.map((kind) =>
    buildBatch(
      'oidc_models',
      'id_hash',
      `network_hash IS NOT NULL AND kind = '${kind}' AND expires_at <= (SELECT expires_at FROM oidc_models
        WHERE network_hash IS NOT NULL AND kind = '${kind}' AND $1::timestamptz IS NOT NULL
        ORDER BY expires_at DESC OFFSET ${maxAnonymousModels} LIMIT 1)`,
      `anonymous_${kind}`,
    ),
  ),
  // The time exceeds every replay window, which is at most two minutes.
  buildBatch('token_responses', 'model_hash', `delivered_at < $1::timestamptz - interval '10 minutes'`),
  buildBatch('oauth_client_secrets', 'id', `expires_at < $1::timestamptz - interval '30 days'`),
  buildBatch('initial_access_tokens', 'id', `expires_at < $1::timestamptz - interval '30 days'`),
  buildBatch('support_sessions', 'id', `expires_at < $1::timestamptz - interval '30 days'`),
  // The time exceeds the two weeks for which mails are listed, because the list reads their recipients from these rows.
  buildBatch('mail_links', 'id', `expires_at < $1::timestamptz - interval '15 days'`),
  buildBatch('sign_in_requests', 'id', 'expires_at < $1'),
  buildBatch('trusted_devices', 'id', 'expires_at < $1'),
  buildBatch('failed_sign_ins', 'ctid', `last_at < $1::timestamptz - interval '${failedSignInDays} days'`),
  buildBatch('webhook_deliveries', 'id', `at < $1::timestamptz - interval '${deliveryDays} days'`),
  buildBatch('directory_errors', 'team_id', `at < $1::timestamptz - interval '30 days'`),
  buildBatch('authorization_failures', 'ctid', `day < ($1::timestamptz AT TIME ZONE 'UTC')::date - 7`),
  buildBatch('idempotency_keys', 'key_hash', 'expires_at < $1'),
  // The margin covers a clock of this process that differs from the database's, which wrote these times.
  buildBatch('request_counts', 'credential_id', `ends_at < $1::timestamptz - interval '10 minutes'`),
  // A disabled client stays, or its next request would store it as an enabled one. Grants that are over are deleted before.
  buildBatch(
    'oauth_clients',
    'id',
    `source = 'metadata' AND disabled_at IS NULL AND fetched_at < $1::timestamptz - interval '1 day'
       AND NOT EXISTS (SELECT FROM oauth_grants g WHERE g.oauth_client_id = oauth_clients.id
         AND (least(g.expires_at, g.revoked_at) IS NULL OR least(g.expires_at, g.revoked_at) > $1::timestamptz - interval '30 days'))`,
  ),
  eraseDeletedAccounts,
  eraseDeletedUsers,
  buildBatch('attempt_counts', 'key', `expire < (extract(epoch FROM $1::timestamptz) * 1000)::bigint`),
]

interface CleanupPorts {
  database: Database
  retention: RetentionSettings
  now(): Date
  report(error: unknown): void
}

/** Deletes, every minute, rows that have expired or are older than the settings allow, and erases deleted teams and accounts. */
export const createCleanup = ({ database, retention, now, report }: CleanupPorts): PeriodicWork =>
  everyMinute(
    { name: 'cleanup', database, report },
    ...expired.map((batch) => async () => (await batch(database.pool, now()))[0]?.count ?? 0),
    ...retentionBatches(retention).map((batch) => async () => (await batch(database, now()))[0]?.count ?? 0),
  )
