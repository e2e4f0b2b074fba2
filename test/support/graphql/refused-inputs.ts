/** A wrong part of an input, the member that the refusal names, and its text. */
type RefusedInput = readonly [input: object, member: string, text: string]

interface RefusedInputs {
  /** A valid input, to which each wrong part is added. */
  valid: object
  refused: readonly RefusedInput[]
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const url = 'https://hooks.example.com/'
const team = 'acme'
const foreignTeam = 'other-team'

const httpsUrl = 'The url field must be an https URL.'
const publicHost = 'The url field must name a host on the public internet.'
const range = { since: '2026-01-31T09:00:00Z', until: '2026-01-31T10:00:00Z' }
const afterSince = 'The until field must be a date after since.'
const required = 'The issuer field is required.'

/**
 * Inputs that an owner of the team `acme` sends, by the name of the mutation. The team has the member and the webhook whose
 * identifiers are in `valid` as MEMBER and WEBHOOK, and the team `other-team` is one of others.
 */
export const refusedInputs: Readonly<Record<string, RefusedInputs>> = {
  createTeam: {
    valid: { slug: 'crew', name: 'Crew' },
    refused: [
      [{ slug: '' }, 'slug', 'The slug field is required.'],
      [{ slug: 'ab' }, 'slug', 'The slug field must be at least 3 characters.'],
      [{ slug: 'a'.repeat(65) }, 'slug', 'The slug field must not be greater than 64 characters.'],
      [{ slug: 'Crew one' }, 'slug', 'The slug field must be lower-case letters, digits and single hyphens.'],
      [{ slug: 'new' }, 'slug', 'The slug is reserved.'],
      [{ slug: 'api' }, 'slug', 'The slug is reserved.'],
      [{ slug: 'sign-in' }, 'slug', 'The slug is reserved.'],
      [{ slug: 'code' }, 'slug', 'The slug is reserved.'],
      [{ slug: 'second-factor' }, 'slug', 'The slug is reserved.'],
      [{ slug: 'a\0b' }, 'slug', 'The slug field contains characters that cannot be stored.'],
      [{ name: ' ' }, 'name', 'The name field is required.'],
      [{ name: 'W'.repeat(256) }, 'name', 'The name field must not be greater than 255 characters.'],
      [{ timezone: 'Mars/Olympus' }, 'timezone', 'The selected timezone is invalid.'],
    ],
  },
  deleteTeam: {
    valid: { team },
    refused: ['', 'Acme', 'no-such-team', 'acme-1'].map((confirmSlug) => [{ confirmSlug }, 'confirmSlug', 'The slug does not match.']),
  },
  setTwoFactorRequirement: {
    valid: { team },
    refused: [
      [{ graceDays: -1 }, 'graceDays', 'The grace days field must be at least 0.'],
      [{ graceDays: 91 }, 'graceDays', 'The grace days field must not be greater than 90.'],
    ],
  },
  updateBillingDetails: {
    valid: { team },
    refused: [
      [{ vatId: 'IT123' }, 'vatId', 'The vat id field must have the form of a VAT ID of Italy, such as IT12345678901.'],
      [{ vatId: 'xi-1234' }, 'vatId', 'The vat id field must have the form of a VAT ID of Northern Ireland, such as XI123456789.'],
    ],
  },
  updateMember: {
    valid: { team, userId: 'MEMBER' },
    refused: [
      [{}, 'role', 'The role field is required when accessible app ids is not present.'],
      [{ role: null }, 'role', 'The role field is required.'],
      [{ accessibleAppIds: ['FLOW', 'FLOW'] }, 'accessibleAppIds.1', 'The accessible app ids.1 field has a duplicate value.'],
    ],
  },
  createPersonalToken: {
    valid: { name: 'Laptop', scopes: ['teams'], expiresAt: inDays(1) },
    refused: [
      [{ expiresAt: inDays(-1) }, 'expiresAt', 'The expires at field must be a date in the future.'],
      [{ expiresAt: inDays(367) }, 'expiresAt', 'The expires at field must be a date within a year.'],
      [{ scopes: ['unknown'] }, 'scopes.0', 'The selected scopes.0 is invalid.'],
      [{ scopes: ['openid'] }, 'scopes.0', 'The selected scopes.0 is invalid.'],
      [{ scopes: [] }, 'scopes', 'The scopes field must have at least 1 items.'],
      [{ teams: [] }, 'teams', 'The teams field must have at least 1 items.'],
      ...[foreignTeam, 'no-such-team', ''].map((slug): RefusedInput => [
        { teams: [team, slug] },
        'teams',
        'The selected teams is invalid.',
      ]),
    ],
  },
  createWebhook: {
    valid: { team, url },
    refused: [
      [{ team: undefined }, 'team', 'The team field is required.'],
      [{ url: '' }, 'url', 'The url field is required.'],
      [{ url: 'hooks' }, 'url', httpsUrl],
      [{ url: 'ftp://hooks.example.com/' }, 'url', httpsUrl],
      [{ url: 'http://hooks.example.com/' }, 'url', httpsUrl],
      [{ url: 'https://10.0.0.1/' }, 'url', publicHost],
      [{ url: 'https://0x0a000001/' }, 'url', publicHost],
      [{ url: 'https://[::ffff:10.0.0.1]/' }, 'url', publicHost],
      [{ url: 'https://169.254.169.254/' }, 'url', publicHost],
      [{ url: 'https://metadata.internal/' }, 'url', publicHost],
      [{ url: 'https://ada:secret@hooks.example.com/' }, 'url', 'The url field must not have user information.'],
      [{ url: 'https://hooks.example.com:25/' }, 'url', 'The url field must use port 443, or a port from 1024 on.'],
      [{ url: `${url}${'x'.repeat(2000)}` }, 'url', 'The url field must not be greater than 2000 characters.'],
      [{ url: `${url}\0` }, 'url', 'The url field contains characters that cannot be stored.'],
      [{ description: '\0' }, 'description', 'The description field contains characters that cannot be stored.'],
      [{ description: 'x'.repeat(256) }, 'description', 'The description field must not be greater than 255 characters.'],
    ],
  },
  rotateWebhookSecret: {
    valid: { id: 'WEBHOOK' },
    refused: [5, -1, 604_801].map((overlapSeconds) => [{ overlapSeconds }, 'overlapSeconds', 'The selected overlap seconds is invalid.']),
  },
  replayEvents: {
    valid: { id: 'WEBHOOK', ...range },
    refused: [
      [{ until: range.since }, 'until', afterSince],
      [{ until: '2026-01-31T08:59:59Z' }, 'until', afterSince],
    ],
  },
  createIdentityProvider: {
    valid: { team, kind: 'OIDC', name: 'Acme', clientId: '1', issuer: 'ISSUER' },
    refused: [
      [{ issuer: undefined }, 'issuer', required],
      [{ issuer: '' }, 'issuer', required],
      [{ issuer: 'idp' }, 'issuer', 'The issuer field must be an https URL.'],
      [{ issuer: 'http://idp.example.com' }, 'issuer', 'The issuer field must be an https URL.'],
      [{ issuer: 'https://10.0.0.1' }, 'issuer', 'The issuer field must name a host on the public internet.'],
      [{ issuer: 'https://idp.example.com?tenant=1' }, 'issuer', 'The issuer field must be a URL without a query.'],
      [{ jitRole: 'OWNER' }, 'jitRole', 'The selected jit role is invalid.'],
      [{ metadata: '<x/>' }, 'metadata', 'The metadata field is not a setting of OpenID Connect.'],
      [{ name: ' ' }, 'name', 'The name field is required.'],
      [{ clientId: 'a\nb' }, 'clientId', 'The client id field must not contain line breaks or control characters.'],
    ],
  },
}
