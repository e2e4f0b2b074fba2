import { randomUUID } from 'node:crypto'
import { sha256 } from '../../../../schema/core/sha256.ts'
import { createTokenValue } from '../../../../schema/tokens/token-value.ts'
import { pngImage } from '../png.ts'
import { unique } from '../team.ts'
import { clientOptions } from './client-members.ts'

/** Creates import records of every type with every field, for a new team. */
export function everything() {
  const slug = unique('team')
  const [owner, member] = [`${unique('ada')}@example.com`, `${unique('bob')}@example.com`]
  const token = createTokenValue('team')
  const [client, clientSecret] = [unique('app'), unique('a-secret-of-another-service-with-enough-characters')]
  const [webhook, provider] = [randomUUID(), randomUUID()]
  const domain = `${unique('acme')}.example`
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
    provider,
    domain,
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
        billing_name: 'Acme Ltd',
        billing_address: '1 Main Street\nSpringfield',
        vat_id: 'DE123456789',
        invoice_recipients: ['invoices@example.com'],
        agent_hosts: ['agent.example.com'],
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
      ...signInOf({ slug, member, provider, domain }),
    ],
  }
}

/** A domain, an identity provider, a group with a role, and two identities of the member. */
function signInOf({ slug, member, provider, domain }: Readonly<Record<'slug' | 'member' | 'provider' | 'domain', string>>) {
  return [
    {
      type: 'domain',
      team: slug,
      domain,
      value: 'team-account-verification=x',
      created_at: '2026-07-07T07:07:07Z',
      verified_at: '2026-07-08T07:07:07Z',
    },
    {
      type: 'identity_provider',
      id: provider,
      team: slug,
      kind: 'oidc',
      name: 'Acme',
      issuer: 'https://idp.example.com',
      client_id: 'client-1',
      groups_claim: 'groups',
      jit_role: 'billing',
      created_at: '2026-07-07T07:07:07Z',
      disabled_at: '2026-08-08T08:08:08Z',
      agents_enabled_at: '2026-09-09T09:09:09Z',
      agent_client_ids: ['agent-1'],
      agent_scopes: ['acct:team:read'],
      links_agents_by_address: true,
    },
    { type: 'group_role', team: slug, group: 'Engineering', role: 'member', accessible_app_ids: ['flow'] },
    {
      type: 'linked_identity',
      provider,
      subject: '1',
      user: member,
      email: `bob@${domain}`,
      created_at: '2026-07-09T07:07:07Z',
      last_sign_in_at: '2026-07-10T07:07:07Z',
    },
    { type: 'linked_identity', provider: 'google', subject: unique('1'), user: member, last_sign_in_at: '2026-07-10T07:07:07Z' },
  ]
}
