import { accessColumns } from '../../../schema/application.ts'
import { sha256 } from '../../../schema/secret.ts'
import { usualSigningAlgorithm } from '../../../schema/signing-algorithm.ts'
import { subtotal } from './invoice-sums.ts'
import type { RecordOf } from './records.ts'
import { upsert } from './upsert.ts'

// Each type of record: its table, and a record as a row of it.

export const upsertUsers = upsert({
  table: 'users',
  key: { email: 'text' },
  columns: { name: 'text', password_hash: 'text', email_verified: 'boolean', disabled_at: 'timestamptz' },
  kept: { password_hash: 'NULL', email_verified: 'false', disabled_at: 'NULL' },
  changedAt: 'updated_at',
})
export const userRow = ({ email, name, email_verified, disabled_at }: RecordOf<'user'>, password_hash: string | undefined) => ({
  email,
  name,
  password_hash,
  email_verified,
  disabled_at,
})

export const upsertTeams = upsert({
  table: 'teams',
  key: { slug: 'text' },
  columns: { name: 'text', timezone: 'text', gravatar_email: 'text', created_at: 'timestamptz' },
  kept: { created_at: 'now()' },
  changedAt: 'updated_at',
})
export const teamRow = ({ slug, name, timezone, gravatar_email, created_at }: RecordOf<'team'>) => ({
  slug,
  name,
  timezone,
  gravatar_email,
  created_at,
})

export const memberColumns = { role: '"Role"', all_applications: 'boolean', applications: '"Application"[]', joined_at: 'timestamptz' }
export const memberKey = { team_id: 'uuid', user_id: 'uuid' }
export const upsertMembers = upsert({ table: 'members', key: memberKey, columns: memberColumns, kept: { joined_at: 'now()' } })
export function memberRow({ role, accessible_app_ids, joined_at }: RecordOf<'member'>, team_id: string, user_id: string) {
  const { allApplications: all_applications, applications } = accessColumns(accessible_app_ids ?? null)
  return { team_id, user_id, role, all_applications, applications, joined_at }
}

export const upsertApps = upsert({
  table: 'connected_apps',
  key: { team_id: 'uuid', application: '"Application"' },
  columns: { name: 'text', description: 'text', url: 'text', status: '"ConnectedAppStatus"', connected_at: 'timestamptz' },
  kept: { connected_at: 'now()' },
})
export const appRow = ({ id, name, description, url, status, connected_at }: RecordOf<'app'>, team_id: string) => ({
  team_id,
  application: id,
  name,
  description,
  url,
  status: status ?? 'active',
  connected_at,
})

export const invoiceKey = { team_id: 'uuid', number: 'text' }
export const upsertInvoices = upsert({
  table: 'invoices',
  key: invoiceKey,
  columns: {
    application: '"Application"',
    status: '"InvoiceStatus"',
    currency: 'text',
    subtotal: 'bigint',
    tax: 'bigint',
    amount_paid: 'bigint',
    invoice_date: 'date',
    due_date: 'date',
    paid_at: 'timestamptz',
    period_start: 'date',
    period_end: 'date',
  },
  returnsId: true,
})
export function invoiceRow(invoice: RecordOf<'invoice'>, team_id: string) {
  const { number, app_id, status, currency, tax = 0, amount_paid = 0, invoice_date, due_date, paid_at, period_start, period_end } = invoice
  const sum = Number(subtotal(invoice.lines))
  const dates = { invoice_date, due_date, paid_at, period_start, period_end }
  return { team_id, number, application: app_id, status, currency, subtotal: sum, tax, amount_paid, ...dates }
}

export const upsertTokens = upsert({
  table: 'access_tokens',
  key: { hash: 'bytea' },
  columns: {
    kind: '"TokenKind"',
    name: 'text',
    scopes: 'text[]',
    user_id: 'uuid',
    team_id: 'uuid',
    last_four: 'text',
    expires_at: 'timestamptz',
    cut_team_ids: 'uuid[]',
    replaced_at: 'timestamptz',
  },
  kept: { last_four: 'NULL', cut_team_ids: `'{}'`, replaced_at: 'NULL' },
})
/** A token's natural key: the hash of its value, in hex. */
export const tokenHash = ({ value, sha256: hash }: RecordOf<'token'>) =>
  value === undefined ? (hash ?? '') : sha256(value).toString('hex')
export const tokenRow = (
  token: RecordOf<'token'>,
  team_id: string | undefined,
  user_id: string | undefined,
  cut_team_ids: readonly string[] | undefined,
) => ({
  hash: `\\x${tokenHash(token)}`,
  kind: token.kind,
  name: token.name,
  scopes: token.scopes,
  user_id,
  team_id,
  last_four: token.value?.slice(-4),
  expires_at: token.expires_at,
  cut_team_ids,
  replaced_at: token.replaced_at,
})

export const upsertClients = upsert({
  table: 'oauth_clients',
  key: { client_id: 'text' },
  columns: {
    name: 'text',
    description: 'text',
    redirect_uris: 'text[]',
    confidential: 'boolean',
    grant_types: 'text[]',
    required_scopes: 'text[]',
    optional_scopes: 'text[]',
    team: '"ClientTeam"',
    refresh_replay_seconds: 'int',
    logo_uri: 'text',
    post_logout_redirect_uris: 'text[]',
    backchannel_logout_uri: 'text',
    id_token_algorithm: 'text',
    disabled_at: 'timestamptz',
  },
  kept: { disabled_at: 'NULL' },
  changedAt: 'updated_at',
  returnsId: true,
})
export const clientRow = (client: RecordOf<'client'>) => ({
  client_id: client.client_id,
  name: client.name,
  description: client.description,
  redirect_uris: client.redirect_uris,
  confidential: client.confidential,
  grant_types: client.grants,
  required_scopes: client.scopes.required,
  optional_scopes: client.scopes.optional,
  team: client.team,
  refresh_replay_seconds: client.refresh_replay_seconds ?? 0,
  logo_uri: client.logo_uri,
  post_logout_redirect_uris: client.post_logout_redirect_uris ?? [],
  backchannel_logout_uri: client.backchannel_logout_uri,
  id_token_algorithm: client.id_token_signed_response_alg ?? usualSigningAlgorithm,
  disabled_at: client.disabled_at,
})
