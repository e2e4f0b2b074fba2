import type { Database } from '../../prisma/connection/database.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { inTransaction } from '../../prisma/statement/transaction.ts'
import { batchSize } from './cleanup-batch.ts'

/** Contents of a team ($1) that are deleted: tables, each with the condition for its rows. Rows that refer to others come before these. */
const contents: readonly (readonly [table: string, condition: string])[] = [
  ['scim_group_members', 'team_id = $1'],
  ['external_identities', 'provider_id IN (SELECT id FROM identity_providers WHERE team_id = $1)'],
  ['webhook_retries', 'webhook_id IN (SELECT id FROM webhooks WHERE team_id = $1)'],
  ['oauth_grants', 'team_id = $1'],
  ['oauth_grants', 'oauth_client_id IN (SELECT id FROM oauth_clients WHERE owner_team_id = $1)'],
  ['members', 'team_id = $1'],
  ['invitations', 'team_id = $1'],
  ['access_tokens', 'team_id = $1'],
  ['scim_users', 'team_id = $1'],
  ['scim_groups', 'team_id = $1'],
  ['connected_apps', 'team_id = $1'],
  ['pictures', 'team_id = $1'],
  ['webhooks', 'team_id = $1'],
  ['identity_providers', 'team_id = $1'],
  ['group_roles', 'team_id = $1'],
  ['directory_removals', 'team_id = $1'],
  ['directory_errors', 'team_id = $1'],
  ['workload_identities', 'team_id = $1'],
  ['initial_access_tokens', 'team_id = $1'],
  ['support_sessions', 'team_id = $1'],
  ['team_domains', 'team_id = $1'],
  ['oauth_clients', 'owner_team_id = $1'],
]

const deletions = contents.map(([table, condition], index) =>
  statement<{ count: number }, [teamId: string]>(
    `erase_${table}_${index}`,
    `WITH deleted AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${batchSize} FOR UPDATE
     )) RETURNING 1) SELECT count(*)::int AS count FROM deleted`,
  ),
)

const findTeamToErase = statement<{ id: string }, [before: Date]>(
  'find_team_to_erase',
  'SELECT id FROM teams WHERE deleted_at <= $1 AND erased_at IS NULL ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED',
)

const markAsErased = statement<{ count: number }, [id: string, now: Date]>(
  'erase_team',
  `WITH erased AS (
     UPDATE teams t SET timezone = NULL, gravatar_email = NULL, logo_id = NULL, sign_in_provider_id = NULL, sign_in_required_at = NULL,
       sign_in_requirement_set_at = NULL, invoice_recipients = '{}', agent_hosts = '{}', updated_at = $2, erased_at = $2,
       name = CASE WHEN i.remain THEN t.name ELSE t.slug END, billing_name = CASE WHEN i.remain THEN t.billing_name END,
       billing_address = CASE WHEN i.remain THEN t.billing_address END, vat_id = CASE WHEN i.remain THEN t.vat_id END
     FROM (SELECT EXISTS (SELECT FROM invoices WHERE team_id = $1) AS remain) i WHERE t.id = $1 RETURNING 1)
   SELECT count(*)::int AS count FROM erased`,
)

/**
 * Continues to erase the first team that was deleted at `before` or earlier: deletes a batch of its rows, or the last ones together with
 * its name. A large team has more rows than one statement can delete in its time. The row of the team with its slug remains, and so do the
 * invoices. A team with invoices keeps its name, billing name, billing address and VAT ID, which are parts of them. The lock of the team leaves it to one process. Returns 0 if there
 * was nothing to do.
 */
export const eraseTeams = (database: Database, before: Date, now: Date): Promise<{ count: number }[]> =>
  inTransaction(database, async (transaction) => {
    const [team] = await findTeamToErase(transaction, before)
    if (!team) return [{ count: 0 }]
    for (const deleteRows of deletions) {
      const [deleted] = await deleteRows(transaction, team.id)
      if (deleted?.count === batchSize) return [deleted]
    }
    return markAsErased(transaction, team.id, now)
  })
