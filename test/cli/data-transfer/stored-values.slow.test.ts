import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oauthScopes, scopesOfKind } from '../../../schema/core/scopes.ts'
import { eventTypeNames } from '../../../schema/events/event-types.ts'
import { recordTypes } from '../../../src/data-transfer/records/record-types.ts'
import { everything } from '../../support/data/records/everything.ts'
import { columnsNotExported, tablesInOtherRecords, tablesNotExported } from '../../support/data/records/stored-columns.ts'
import { runCli, useCli } from '../../support/service/cli.ts'
import { createDatabase } from '../../support/service/database.ts'

const cli = useCli()
const exportedColumns = new Map(
  Object.values(recordTypes).map(({ table, keyColumns, otherColumns }) => [table, Object.keys({ ...keyColumns, ...otherColumns })]),
)
let folder: string
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'team-account-values-'))))
afterAll(() => rm(folder, { recursive: true }))

describe('each part of the database is exported, or listed with the reason why not:', () => {
  const columnsByTable = async () => {
    const { rows } = await cli.pool.query<{ table: string; column: string }>(
      `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name) WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'`,
    )
    return Map.groupBy(rows, ({ table }) => table)
  }

  test('tables', async () => {
    const listed = [...exportedColumns.keys(), ...Object.keys(tablesNotExported), ...Object.keys(tablesInOtherRecords)]
    expect(listed.toSorted()).toEqual([...(await columnsByTable()).keys()].toSorted())
  })

  test('columns', async () => {
    const stored = await columnsByTable()
    for (const [table, exported] of exportedColumns) {
      const listed = [...exported, ...Object.keys(columnsNotExported[table] ?? {})]
      expect([table, listed.toSorted()]).toEqual([table, (stored.get(table) ?? []).map(({ column }) => column).toSorted()])
    }
  })
})

/** Creates tokens, clients and a webhook as the operator, with every scope and type that each can have. */
async function createWithEveryScope(slug: string, owner: string) {
  const each = (option: string, values: readonly string[]) => values.flatMap((value) => [option, value])
  await cli.answer('token', 'create', '--team', slug, '--name', 'All', ...each('--scope', scopesOfKind.team))
  await cli.answer('user', 'staff', owner, '--role', 'admin')
  await cli.answer('token', 'create', '--user', owner, '--name', 'All', ...each('--scope', scopesOfKind.personal))
  const client = ['--redirect-uri', 'https://app.example/cb', '--confidential', '--grant', 'authorization_code', '--grant', 'refresh_token']
  for (const team of ['none', 'optional', 'required'])
    await cli.answer('client', 'create', '--name', `App ${team}`, ...client, '--team', team, ...each('--required-scope', oauthScopes))
  const types = each('--types', eventTypeNames)
  await cli.answer('webhook', 'create', '--team', slug, '--url', 'https://hooks.example.com/', ...types)
}

/** Writes a row for each value of the enumerations in exported tables, of the team $1 and the user $2. */
const insertEveryValue = [
  `INSERT INTO users (email, name, date_format) SELECT format('%s@format.example', f), $1 || $2, f FROM unnest(enum_range(NULL::"DateFormat")) f`,
  `INSERT INTO connected_apps (team_id, application, name, status)
   SELECT t.id, a, $2, CASE WHEN n % 2 = 0 THEN 'active' ELSE 'suspended' END::"ConnectedAppStatus"
   FROM teams t, unnest(enum_range(NULL::"Application")) WITH ORDINALITY AS x (a, n) WHERE t.slug = $1 ON CONFLICT DO NOTHING`,
  `INSERT INTO members (team_id, user_id, role, all_applications, applications)
   SELECT t.id, u.id, r, false, enum_range(NULL::"Application") FROM teams t,
     unnest(enum_range(NULL::"Role"), enum_range(NULL::"DateFormat")) AS x (r, f) JOIN users u ON u.email = f || '@format.example'
   WHERE t.slug = $1 AND $2 <> ''`,
  `INSERT INTO group_roles (team_id, "group", role, all_applications, applications)
   SELECT t.id, r::text, r, false, enum_range(NULL::"Application") FROM teams t, unnest(enum_range(NULL::"Role")) r
   WHERE t.slug = $1 AND r <> 'owner' AND $2 <> ''`,
  `INSERT INTO invoices (team_id, number, status, currency, subtotal, invoice_date, due_date, paid_at, application)
   SELECT t.id, s || a::text, s, 'eur', 0, '2026-01-01', NULL, CASE WHEN s = 'paid' THEN '2026-01-02'::timestamptz END, a
   FROM teams t, unnest(enum_range(NULL::"InvoiceStatus")) s, unnest(enum_range(NULL::"Application")) a WHERE t.slug = $1 AND $2 <> ''`,
  `INSERT INTO oauth_clients (client_id, name, redirect_uris, confidential, grant_types, required_scopes, optional_scopes, owner_team_id, state, source)
   SELECT 'client-' || s, $2, '{https://app.example/cb}', false, '{authorization_code}', '{openid}', '{}', t.id, s,
     CASE s WHEN 'draft' THEN 'registration'::"ClientSource" END
   FROM teams t, unnest(enum_range(NULL::"ClientState")) s WHERE t.slug = $1`,
  `INSERT INTO oauth_clients (client_id, name, redirect_uris, confidential, grant_types, required_scopes, optional_scopes, team, state, source, fetched_at)
   VALUES ('https://' || $1 || '.example/client', $2, '{https://app.example/cb}', false, '{authorization_code}', '{openid}', '{}', 'required', 'draft',
     'metadata', '2026-01-02T03:04:05Z')`,
  `INSERT INTO external_identities (user_id, social, subject, last_sign_in_at)
   SELECT u.id, s, $1, now() FROM users u, unnest(enum_range(NULL::"SocialProvider")) s WHERE u.email = $2`,
]

/** Values that the service never writes there. SAML providers need a certificate, and are in the test of arbitrary records. */
const neverStored = ['group_roles.role: owner', 'identity_providers.jit_role: owner', 'identity_providers.kind: saml']

/** The values of enumerations, also in lists, that an exported column can have and no row has. */
async function findMissingValues(): Promise<string[]> {
  const { rows } = await cli.pool.query<{ table: string; column: string; label: string; isList: boolean }>(
    `SELECT c.relname AS table, a.attname AS column, e.enumlabel AS label, t.typcategory = 'A' AS "isList"
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
     JOIN pg_enum e ON e.enumtypid = CASE WHEN t.typcategory = 'A' THEN t.typelem ELSE t.oid END
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
  )
  const missing: string[] = []
  for (const { table, column, label, isList } of rows) {
    if (!exportedColumns.get(table)?.includes(column)) continue
    const value = isList ? `ANY ("${column}"::text[])` : `"${column}"::text`
    const stored = await cli.pool.query(`SELECT FROM ${table} WHERE $1 = ${value} LIMIT 1`, [label])
    if (stored.rowCount === 0) missing.push(`${table}.${column}: ${label}`)
  }
  return missing.toSorted()
}

test('an export with every value that can be stored has the same bytes after an import into an empty database', async () => {
  const { slug, owner, member, records } = everything()
  expect(await cli.import(records)).toMatchObject({ status: 0, stderr: '' })
  await createWithEveryScope(slug, owner)
  for (const statement of insertEveryValue) await cli.pool.query(statement, [slug, member])
  await cli.pool.query(
    `INSERT INTO identity_providers (team_id, kind, name, issuer, client_id, jit_role)
     SELECT id, 'oidc', 'Members', 'https://idp.example', 'client-2', 'member' FROM teams WHERE slug = $1`,
    [slug],
  )
  expect(await findMissingValues()).toEqual(neverStored)

  const file = path.join(folder, 'all.ndjson')
  expect(await cli.run('export', file)).toMatchObject({ status: 0, stderr: '' })
  const bytes = await readFile(file, 'utf8')
  const { url, drop } = await createDatabase()
  expect(await runCli({ DATABASE_URL: url }, ['import', file])).toMatchObject({ status: 0, stderr: '' })
  expect((await runCli({ DATABASE_URL: url }, ['export'])).stdout).toBe(bytes)
  await drop()
})
