import type { Check } from './check.ts'

const names = [
  'members',
  'invitations',
  'invoices',
  'users',
  'teams',
  'access_tokens',
  'access_tokens_person',
  'oauth_grants_person',
  'audit_entries',
].map((name) => `${name}_search`)

/** The indexes that the migration omits if the server lacks their modules (docs/decisions/pagination.md#text-search). */
export const searchIndexes: Check = {
  name: 'search',
  description: 'text searches have indexes; --repair creates them, which blocks changes meanwhile',
  needsMigrations: true,
  async run({ session }) {
    const { rows } = await session.query<{ name: string }>('SELECT name FROM unnest($1::text[]) name WHERE to_regclass(name) IS NULL', [
      names,
    ])
    return rows.map(({ name }) => ({
      problem: `the index ${name} is missing: it needs the modules pg_trgm and btree_gin of PostgreSQL`,
      action: 'install the modules, and then run doctor --repair',
    }))
  },
  async repair(session) {
    await session.query('SELECT create_search_indexes()')
  },
}
