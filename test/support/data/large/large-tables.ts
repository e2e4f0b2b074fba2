import { isFull } from '../../service/full.ts'
import type { TestService } from '../../service/service.ts'
import { addRareRows } from './due-rows.ts'
import { fillTables, tablesOf } from './fill-tables.ts'
import { addManyEntries } from './many-entries.ts'

// A tenth of the full size has the same plans: a whole table is still several times what a statement may read.
const sizes = {
  short: { teams: 20_000, webhooks: 6000, entries: 200_000, transactions: 2000 },
  full: { teams: 100_000, webhooks: 30_000, entries: 2_000_000, transactions: 4000 },
  /** The size of docs/operations/scaling.md, with TEST_SIZE=10m: about 40 GB. */
  scaling: { teams: 100_000, webhooks: 30_000, entries: 20_000_000, transactions: 4000 },
}
export const isScalingSize = process.env.TEST_SIZE === '10m'
const size = isScalingSize ? 'scaling' : isFull ? 'full' : 'short'

/** Rows of the tables that have several or a part of one for each of ten million users, at the size of docs/operations/scaling.md. */
const rowsOfTenMillionUsers = new Map(
  Object.entries({
    users: 10_000_000,
    members: 10_000_000,
    sessions: 10_000_000,
    oauth_grants: 5_000_000,
    token_chains: 5_000_000,
    oidc_models: 10_000_000,
    external_identities: 5_000_000,
    access_tokens: 2_000_000,
    scim_users: 2_000_000,
    scim_group_members: 4_000_000,
    invoices: 2_000_000,
    invitations: 1_000_000,
    webhook_deliveries: 10_000_000,
  }),
)
const rowsOfOthers = { short: 20_000, full: 100_000, scaling: 100_000 }[size]
const countRowsToAdd = (table: string): number => (isScalingSize && rowsOfTenMillionUsers.get(table)) || rowsOfOthers

/** Tables that do not grow with teams, users and time: jobs empty them, or they have a row for each job, key or queue. */
const small = new Set(['_prisma_migrations', 'erasures', 'periodic_work', 'signing_keys'])
const isGrowing = (table: string) => !small.has(table) && (!table.startsWith('pgboss.') || table === 'pgboss.job_common')

/** Fills each table that grows. Returns these tables, and those that had no row to copy. */
export async function fillLargeTables({ databaseUrl, database: { pool } }: Pick<TestService, 'databaseUrl' | 'database'>) {
  await addManyEntries(databaseUrl, sizes[size])
  await addRareRows(databaseUrl)
  const growing = (await tablesOf(pool)).filter(isGrowing)
  const others = growing.filter((table) => !['audit_entries', 'teams', 'webhooks'].includes(table))
  return { growing, empty: await fillTables(databaseUrl, others, countRowsToAdd) }
}
