import { expect } from 'vitest'
import { randomUUID } from 'node:crypto'
import { sha256 } from '../../../schema/core/sha256.ts'
import { createTokenValue } from '../../../schema/tokens/token-value.ts'
import { pngImage } from './png.ts'
import { unique } from './team.ts'

const types = ['user', 'team', 'member', 'app', 'invoice', 'token', 'client', 'webhook'] as const
/** Numbers of records by type: read, created, updated and unchanged. */
export type Counts = Partial<Record<(typeof types)[number], [read: number, created: number, updated: number, unchanged: number]>>
/** The output of an import with `--json`. */
export const summary = (counts: Counts, wrong = 0) => ({
  records: Object.fromEntries(
    types.map((type) => {
      const [read, created, updated, unchanged] = counts[type] ?? [0, 0, 0, 0]
      return [type, { read, created, updated, unchanged }]
    }),
  ),
  wrong,
})
/** The optional members of a client record. */
export const clientOptions = {
  refresh_replay_seconds: 30,
  logo_uri: 'https://app.example/logo.svg',
  publisher: 'Example GmbH',
  verified: true,
  client_uri: 'https://app.example/',
  policy_uri: 'https://app.example/privacy',
  tos_uri: 'https://app.example/terms',
  post_logout_redirect_uris: ['https://app.example/bye'],
  backchannel_logout_uri: 'https://app.example/logout',
  id_token_signed_response_alg: 'RS256',
  dpop_bound_access_tokens: true,
  require_pushed_authorization_requests: true,
  require_key_authentication: true,
  jwks_uri: 'https://app.example/keys.json',
}
/** What the output has of reviews, of a client of the operator. */
export const unreviewed = { state: 'listed', owner_team: null, rejection_reason: null, proposed_changes: [], version: expect.any(String) }

/** The values of these members in a client that was created without them. */
export const clientDefaults = {
  description: null,
  refresh_replay_seconds: 0,
  logo_uri: null,
  publisher: null,
  verified: false,
  client_uri: null,
  policy_uri: null,
  tos_uri: null,
  post_logout_redirect_uris: [],
  backchannel_logout_uri: null,
  id_token_signed_response_alg: 'ES256',
  dpop_bound_access_tokens: false,
  require_pushed_authorization_requests: false,
  require_key_authentication: false,
  jwks: null,
  jwks_uri: null,
  disabled_at: null,
}
/** Creates import records of every type with every field, for a new team. */
export function everything() {
  const slug = unique('team')
  const [owner, member] = [`${unique('ada')}@example.com`, `${unique('bob')}@example.com`]
  const token = createTokenValue('team')
  const [client, clientSecret] = [unique('app'), unique('a-secret-of-another-service-with-enough-characters')]
  const webhook = randomUUID()
  const line = {
    description: 'Seats',
    quantity: 3,
    unit_amount: 1000,
    tax_rate: 30,
    app_id: 'deploy',
    period_start: '2026-01-01',
    period_end: '2026-01-31',
  }
  return {
    slug,
    owner,
    member,
    token,
    client,
    clientSecret,
    webhook,
    records: [
      {
        type: 'user',
        email: owner,
        name: 'Ada',
        password: 'correct horse',
        email_verified: true,
        timezone: 'Asia/Kolkata',
        date_format: 'year_month_day',
        picture: pngImage.toString('base64'),
      },
      { type: 'user', email: member, name: 'Bob' },
      {
        type: 'team',
        slug,
        name: 'Acme',
        timezone: 'Europe/Kyiv',
        gravatar_email: 'crew@example.com',
        created_at: '2020-02-29T12:00:00+02:00',
      },
      { type: 'member', team: slug, user: owner, role: 'owner', joined_at: '2020-03-01T00:00:00Z' },
      { type: 'member', team: slug, user: member, role: 'member', accessible_app_ids: ['flow', 'deploy'] },
      { type: 'app', team: slug, id: 'flow', name: 'Flow', description: 'Filters', url: 'https://flow.example.com', status: 'suspended' },
      {
        type: 'invoice',
        team: slug,
        number: 'ACME-1',
        app_id: 'deploy',
        status: 'paid',
        currency: 'eur',
        tax: 600,
        amount_paid: 2600,
        invoice_date: '2026-02-01',
        due_date: '2026-02-15',
        paid_at: '2026-02-03T08:00:00.5Z',
        period_start: '2026-01-01',
        period_end: '2026-01-31',
        lines: [line, { description: 'Credit', quantity: 1, unit_amount: -1000, tax_rate: 30 }],
      },
      { type: 'token', kind: 'team', team: slug, name: 'ci', scopes: ['teams', 'acct:team:members:read', 'teams'], value: token },
      {
        type: 'token',
        kind: 'personal',
        user: owner,
        name: 'script',
        scopes: ['teams'],
        expires_at: '2020-01-01T00:00:00Z',
        limited_to_teams: [slug],
        revoked_teams: [slug],
        previous_sha256: sha256(unique('pat')).toString('hex'),
        previous_expires_at: '2019-12-31T23:00:00Z',
        sha256: sha256(unique('pat')).toString('hex').toUpperCase(),
      },
      {
        type: 'client',
        client_id: client,
        name: 'Dashboard',
        description: 'Shows things',
        redirect_uris: ['https://app.example/cb', 'http://127.0.0.1/cb'],
        confidential: true,
        client_secret: clientSecret,
        grants: ['authorization_code', 'refresh_token'],
        scopes: { required: ['openid'], optional: ['offline_access', 'teams', 'teams'] },
        team: 'optional',
        ...clientOptions,
        disabled_at: '2026-05-05T05:05:05Z',
      },
      {
        type: 'webhook',
        id: webhook,
        team: slug,
        url: 'https://hooks.example.com/acme',
        description: 'Sync',
        types: ['member.removed', 'team.updated', 'team.updated'],
        created_at: '2026-06-06T06:06:06Z',
      },
    ],
  }
}
/** Returns the import counts for the records of `everything`: all created (1) or all unchanged (0). */
export const all = (created: 0 | 1): Counts => {
  const count = (n: number): [number, number, number, number] => (created ? [n, n, 0, 0] : [n, 0, 0, n])
  return {
    user: count(2),
    team: count(1),
    member: count(2),
    app: count(1),
    invoice: count(1),
    token: count(2),
    client: count(1),
    webhook: count(1),
  }
}
