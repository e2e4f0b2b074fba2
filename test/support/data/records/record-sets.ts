import { normalizeEmail } from '../../../../schema/core/validation.ts'
import fc from 'fast-check'
import { ClientTeam, ConnectedAppStatus, Role } from '../../../../prisma/generated/client/enums.ts'
import { scopesOfKind, tokenScopes } from '../../../../schema/core/scopes.ts'
import { eventTypeNames } from '../../../../schema/events/event-types.ts'
import { timezones } from '../../../../schema/teams/timezones.ts'
import { pngImage } from '../png.ts'
import { invoiceOf } from './invoice-records.ts'
import { application, instant, name, nullable, text } from './record-values.ts'
import { signInRecords } from './sign-in-records.ts'

// Arbitrary valid import records. Optional fields are present or absent, and texts contain difficult characters.

const label = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,2}$/)
const email = fc
  .tuple(fc.stringMatching(/^[a-zA-Z0-9+é☃-]{1,8}(\.[a-zA-Z0-9+é☃-]{1,8}){0,2}$/u), label)
  .map(([local, host]) => `${local}@${host}.example`)
const hash = fc.stringMatching(/^[A-Za-z0-9+/]{22}$/).map((salt) => `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${'A'.repeat(43)}`)

/** Files of pictures, which an import stores as WebP. */
const picture = fc.constantFrom(
  pngImage.toString('base64'),
  'UklGRjgAAABXRUJQVlA4ICwAAADwAQCdASoCAAIAAUAmJaACdLoB+AAETAAA/u+9V/43bjDfgu/33oDeBgAAAA==',
)

const users = fc.uniqueArray(
  fc.record({
    type: fc.constant('user'),
    email,
    name,
    password: nullable(hash),
    email_verified: nullable(fc.boolean()),
    timezone: nullable(fc.constantFrom('UTC', 'Europe/Kyiv', 'Asia/Kolkata')),
    date_format: nullable(fc.constantFrom('day_month_year', 'month_day_year', 'year_month_day')),
    picture: nullable(picture),
    disabled_at: nullable(instant),
  }),
  { minLength: 1, maxLength: 12, selector: (user) => normalizeEmail(user.email) },
)
const teams = fc.uniqueArray(
  fc.record({
    type: fc.constant('team'),
    slug: label,
    name,
    timezone: nullable(fc.constantFrom(...timezones)),
    gravatar_email: nullable(email),
    logo: nullable(picture),
    deleted_at: nullable(instant),
    created_at: nullable(instant),
    billing_name: nullable(name),
    billing_address: nullable(name),
    vat_id: nullable(fc.constantFrom('DE123456789', 'CHE-123.456.789 MWST')),
    agent_hosts: nullable(fc.uniqueArray(fc.constantFrom('agent.example.com', 'xn--mnchen-3ya.example'))),
    invoice_recipients: nullable(fc.uniqueArray(email, { maxLength: 5, selector: normalizeEmail })),
  }),
  { minLength: 1, maxLength: 5, selector: (team) => team.slug },
)

// The probability that two clients get the same hash is negligible.
const sha256 = fc.stringMatching(/^[0-9a-fA-F]{64}$/)
const clientSecret = fc.oneof(
  fc.constant({}),
  fc.record({ client_secret: fc.stringMatching(/^[ -~]{30,60}$/).map((text) => `abcdefghijklm-${text}`) }),
  fc.record({
    client_secret_hashes: fc.uniqueArray(fc.record({ sha256, expires_at: nullable(instant) }), {
      maxLength: 2,
      selector: (secret) => secret.sha256.toLowerCase(),
    }),
  }),
)
const keySet = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      kid: '1',
    },
  ],
}
const keys = fc.constantFrom<object[]>(
  {},
  { jwks: keySet, require_key_authentication: true },
  { jwks_uri: 'https://app.example/keys.json' },
)
const withAuthentication = fc.tuple(clientSecret, keys).map(([secret, members]) => Object.assign({}, secret, members))
const clientId = fc.stringMatching(/^[A-Za-z0-9._~-]{1,20}$/)
const declinable = ['email', ...tokenScopes]
const clients = fc.uniqueArray(
  fc
    .record({
      type: fc.constant('client'),
      client_id: clientId,
      name,
      description: nullable(text),
      redirect_uris: fc.uniqueArray(fc.constantFrom('https://app.example/cb', 'https://app.example/cb?x=%C3%A9', 'http://[::1]/cb'), {
        minLength: 1,
      }),
      confidential: fc.boolean(),
      grants: fc.constantFrom(['authorization_code'], ['refresh_token', 'authorization_code']),
      scopes: fc
        .uniqueArray(fc.constantFrom(...declinable), { minLength: 1 })
        .chain((scopes) => fc.nat(scopes.length).map((n) => ({ required: scopes.slice(0, n), optional: scopes.slice(n) }))),
      team: fc.constantFrom(...Object.values(ClientTeam)),
      refresh_replay_seconds: nullable(fc.nat(120)),
      logo_uri: nullable(fc.constant('https://app.example/logo.svg')),
      publisher: nullable(name),
      verified: nullable(fc.boolean()),
      client_uri: nullable(fc.constant('https://app.example/')),
      policy_uri: nullable(fc.constant('https://app.example/privacy')),
      tos_uri: nullable(fc.constant('https://app.example/terms')),
      post_logout_redirect_uris: nullable(fc.constantFrom([], ['https://app.example/bye'])),
      backchannel_logout_uri: nullable(fc.constant('http://127.0.0.1:8080/logout')),
      id_token_signed_response_alg: nullable(fc.constantFrom('ES256', 'RS256')),
      dpop_bound_access_tokens: nullable(fc.boolean()),
      require_pushed_authorization_requests: nullable(fc.boolean()),
      disabled_at: nullable(instant),
    })
    .chain((client) =>
      client.confidential ? withAuthentication.map((members) => Object.assign({}, client, members)) : fc.constant(client),
    ),
  { maxLength: 5, selector: (client) => client.client_id },
)

/** Users and teams, then the records that refer to them. Some keys are repeated; the last line wins. */
export const recordSets = fc.tuple(users, teams, clients).chain(([users, teams, clients]) => {
  const user = fc.constantFrom(...users.map((each) => each.email))
  const team = fc.constantFrom(...teams.map((each) => each.slug))
  const apps = fc.uniqueArray(application, { maxLength: 8 })
  const member = fc.record({
    type: fc.constant('member'),
    team,
    user,
    // No owners: a second line for the same user could leave the team without one.
    role: fc.constantFrom(...Object.values(Role).filter((role) => role !== 'owner')),
    accessible_app_ids: nullable(apps),
    joined_at: nullable(instant),
  })
  const app = fc.record({
    type: fc.constant('app'),
    team,
    id: application,
    name,
    description: nullable(text),
    url: nullable(fc.webUrl({ withFragments: true, withQueryParameters: true })),
    status: nullable(fc.constantFrom(...Object.values(ConnectedAppStatus))),
    connected_at: nullable(instant),
  })
  const common = (kind: keyof typeof scopesOfKind) => ({
    type: fc.constant('token'),
    kind: fc.constant(kind),
    name,
    scopes: fc.uniqueArray(fc.constantFrom(...scopesOfKind[kind]), { minLength: 1 }),
  })
  const token = fc.oneof(
    fc.record({
      ...common('team'),
      team,
      user: fc.constantFrom(null, undefined),
      value: fc.constantFrom(null, undefined),
      expires_at: nullable(instant),
      previous_sha256: sha256,
      previous_expires_at: nullable(instant),
      sha256,
    }),
    fc.record({
      ...common('personal'),
      user,
      expires_at: fc.constantFrom('2020-02-29T00:00:00Z', '2026-01-01T00:00:00.123+01:00'),
      limited_to_teams: nullable(fc.uniqueArray(team, { minLength: 1 })),
      revoked_teams: nullable(fc.uniqueArray(team, { minLength: 1 })),
      sha256,
    }),
  )
  const webhook = fc.record({
    type: fc.constant('webhook'),
    // No two teams: a webhook stays in its team.
    id: fc.uuid(),
    team,
    url: fc.constantFrom('https://hooks.example.com/', 'http://localhost:4000/hook'),
    description: nullable(text),
    types: nullable(fc.array(fc.constantFrom(...eventTypeNames), { maxLength: 4 })),
    created_at: nullable(instant),
  })
  const rest = fc.array(fc.oneof(member, app, invoiceOf(team), token, webhook), { maxLength: 60 })
  const ofSignIn = fc.array(signInRecords(user, team), { maxLength: 4 })
  return fc.tuple(rest, ofSignIn).map(([records, more]): object[] => [users, teams, records, clients, more.flat()].flat())
})
