import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { canIssueCertificates } from '../../../support/postgres/certificates.ts'
import { createSigner } from '../../../support/saml/signer.ts'
import { useCli } from '../../../support/service/cli.ts'

const cli = useCli()
beforeAll(async () => {
  for (const slug of ['acme', 'other']) await cli.answer('team', 'create', '--slug', slug, '--name', slug)
  for (const name of ['ada', 'bob']) await cli.import([{ type: 'user', email: `${name}@example.com`, name }])
})

const provider = (changes: object = {}) => ({
  type: 'identity_provider',
  id: randomUUID(),
  team: 'acme',
  kind: 'oidc',
  name: 'Okta',
  issuer: 'https://acme.okta.example',
  client_id: 'client-1',
  ...changes,
})
const domain = (changes: object = {}) => ({
  type: 'domain',
  team: 'acme',
  domain: `${randomUUID()}.example`,
  value: 'team-account-verification=x',
  ...changes,
})
const identity = (changes: object = {}) => ({
  type: 'linked_identity',
  provider: 'google',
  subject: randomUUID(),
  user: 'ada@example.com',
  ...changes,
})
const saml = { kind: 'saml', client_id: undefined, sso_url: 'https://idp.example/sso' }
const verifiedAt = '2026-07-08T07:07:07Z'

describe('an import of what decides how members sign in', () => {
  test('creates providers without a secret and without a test, and keeps both of an existing one', async () => {
    const record = provider()
    expect(await cli.import([record])).toMatchObject({ status: 0, stderr: '' })
    const stored = async () =>
      (await cli.pool.query('SELECT name, client_secret AS secret, tested_at AS tested FROM identity_providers WHERE id = $1', [record.id]))
        .rows
    expect(await stored()).toEqual([{ name: 'Okta', secret: null, tested: null }])
    const tested = new Date(verifiedAt)
    await cli.pool.query(`UPDATE identity_providers SET client_secret = '\\x01', tested_at = $2 WHERE id = $1`, [record.id, tested])
    await cli.import([{ ...record, name: 'Okta 2' }])
    expect(await stored()).toEqual([{ name: 'Okta 2', secret: Buffer.from([1]), tested }])
  })

  test('disables a provider that an operator had disabled, and leaves it disabled without the member', async () => {
    const record = provider()
    await cli.import([{ ...record, disabled_at: verifiedAt }])
    await cli.import([record])
    const { data } = await cli.answer('provider', 'list', '--team', 'acme')
    expect(data).toContainEqual(expect.objectContaining({ disabled_at: '2026-07-08T07:07:07.000Z' }))
  })

  test('links an account with a person at a provider, without a recent sign-in unless the record states one', async () => {
    const [of, social] = [provider(), identity()]
    await cli.import([of, social, identity({ provider: of.id, subject: 'x', email: 'Ada@Example.com', last_sign_in_at: verifiedAt })])
    const { rows } = await cli.pool.query(
      `SELECT e.email, e.last_sign_in_at AS at FROM external_identities e WHERE subject = ANY ($1) ORDER BY at`,
      [[social.subject, 'x']],
    )
    expect(rows).toEqual([
      { email: null, at: new Date(0) },
      { email: 'ada@example.com', at: new Date(verifiedAt) },
    ])
  })

  test('keeps that an account must be proved, which a record cannot take back', async () => {
    const record = identity({ needs_proof: true })
    await cli.import([record])
    await cli.import([{ ...record, needs_proof: false, email: 'ada@example.com' }])
    const { rows } = await cli.pool.query('SELECT email, needs_proof FROM external_identities WHERE subject = $1', [record.subject])
    expect(rows).toEqual([{ email: 'ada@example.com', needs_proof: true }])
  })

  test('refuses records that would take a domain, a provider or an identity from another team or account', async () => {
    const [of, taken, linked] = [provider(), domain({ verified_at: verifiedAt }), identity()]
    expect(await cli.import([of, taken, linked])).toMatchObject({ status: 0 })
    for (const [wrong, message] of [
      [{ ...of, team: 'other' }, 'The identity provider does not belong to this team.'],
      [{ ...of, issuer: 'https://other.example' }, 'An import does not change the issuer of an identity provider.'],
      [{ ...of, client_id: 'client-2' }, 'client_id: An import does not change the client of an identity provider.'],
      [{ ...of, ...saml, certificates: [] }, 'certificates: The certificates field is required.'],
      [provider({ sso_url: 'https://idp.example/sso' }), 'The sso url field does not belong to a provider of kind oidc.'],
      [provider({ client_id: undefined }), 'client_id: The client id field is required.'],
      [provider({ jit_role: 'owner' }), 'jit_role'],
      [provider({ client_secret: 'x' }), 'client_secret: A record of type identity_provider has no such member.'],
      [provider({ ...saml, certificates: ['x'] }), 'must be a certificate in base64.'],
      [{ ...taken, team: 'other' }, `Another team has already verified ${taken.domain}.`],
      [domain({ domain: 'gmail.com' }), 'Anyone can get an email address at gmail.com, so no team can verify this domain.'],
      [domain({ domain: 'co.uk' }), 'Anyone can register a domain under co.uk, so no team can verify it.'],
      [{ ...linked, user: 'bob@example.com' }, 'user: It is linked with another account.'],
      [identity({ provider: randomUUID() }), 'There is no identity provider'],
      [identity({ provider: 'facebook' }), 'provider'],
      [{ type: 'group_role', team: 'acme', group: 'Owners', role: 'owner' }, 'role: The selected role is invalid.'],
    ] as const) {
      const { status, stderr } = await cli.import([wrong])
      expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
    }
  })

  test('refuses the same verified domain in two teams of one file, and more providers and domains than a team can have', async () => {
    await cli.answer('team', 'create', '--slug', 'many', '--name', 'many')
    const name = `${randomUUID()}.example`
    for (const [records, message] of [
      [
        ['acme', 'many'].map((team) => domain({ team, domain: name, verified_at: verifiedAt })),
        `Another team has already verified ${name}.`,
      ],
      [Array.from({ length: 6 }, () => provider({ team: 'many' })), 'A team can have at most 5 identity providers.'],
      [Array.from({ length: 11 }, () => domain({ team: 'many' })), 'A team can have at most 10 domains.'],
    ] as const) {
      const { status, stderr } = await cli.import(records)
      expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
    }
  })

  test.runIf(canIssueCertificates)(
    'creates a SAML provider with its certificates, and removes one of them later, but adds none',
    async () => {
      const [first = '', second = '', other = ''] = Array.from({ length: 3 }, () => createSigner().certificate)
      const record = provider({ ...saml, certificates: [first, second] })
      expect(await cli.import([record])).toMatchObject({ status: 0, stderr: '' })
      const { status, stderr } = await cli.import([{ ...record, certificates: [first, other] }])
      expect([status, stderr]).toEqual([1, expect.stringContaining('An import does not change the certificate of an identity provider.')])
      const stored = async () => (await cli.pool.query('SELECT certificates FROM identity_providers WHERE id = $1', [record.id])).rows
      expect(await stored()).toEqual([{ certificates: [first, second] }])
      await cli.import([{ ...record, certificates: [second] }])
      expect(await stored()).toEqual([{ certificates: [second] }])
    },
  )
})
