import fc from 'fast-check'
import { canIssueCertificates } from '../../postgres/certificates.ts'
import { createSigner } from '../../saml/signer.ts'
import { application, instant, name, nullable, text } from './record-values.ts'

// Arbitrary valid records of the identity provider of a team, with its domain, group roles and users.

const subject = fc.tuple(fc.uuid(), text).map(([id, rest]) => `${id}${rest}`.slice(0, 100).toWellFormed())
const certificate = canIssueCertificates ? createSigner().certificate : null

export const signInRecords = (user: fc.Arbitrary<string>, team: fc.Arbitrary<string>): fc.Arbitrary<object[]> =>
  fc.tuple(fc.uuid(), team, fc.boolean()).chain(([id, team, isSaml]) => {
    const protocol =
      isSaml && certificate !== null
        ? { kind: 'saml', issuer: 'https://idp.example/metadata', sso_url: 'https://idp.example/sso', certificates: [certificate] }
        : { kind: 'oidc', issuer: 'https://idp.example', client_id: 'client-1' }
    const provider = fc.record({
      type: fc.constant('identity_provider'),
      id: fc.constant(id),
      team: fc.constant(team),
      name,
      groups_claim: nullable(fc.constant('groups')),
      jit_role: nullable(fc.constantFrom('member', 'billing')),
      created_at: nullable(instant),
      disabled_at: nullable(instant),
      agents_enabled_at: nullable(instant),
      agent_client_ids: nullable(fc.uniqueArray(name, { maxLength: 3 })),
      agent_scopes: nullable(fc.uniqueArray(fc.constantFrom('teams', 'acct:team:read'), { maxLength: 2 })),
      links_agents_by_address: fc.boolean(),
    })
    const domain = fc.record({
      type: fc.constant('domain'),
      team: fc.constant(team),
      // No two teams can have verified one.
      domain: fc.uuid().map((label) => `${label}.example`),
      value: fc.constant('team-account-verification=x'),
      created_at: nullable(instant),
      verified_at: nullable(instant),
    })
    const groupRole = fc.record({
      type: fc.constant('group_role'),
      team: fc.constant(team),
      group: name,
      role: fc.constantFrom('member', 'billing'),
      accessible_app_ids: nullable(fc.uniqueArray(application, { maxLength: 8 })),
    })
    const identity = fc.record({
      type: fc.constant('linked_identity'),
      provider: fc.constantFrom(id, 'google', 'github'),
      subject,
      user,
      email: nullable(fc.constantFrom('ada@corp.example', 'Ünï@corp.example')),
      created_at: nullable(instant),
      last_sign_in_at: nullable(instant),
      needs_proof: fc.boolean(),
    })
    return fc
      .tuple(provider, domain, fc.array(groupRole, { maxLength: 3 }), fc.array(identity, { maxLength: 3 }))
      .map(([first, ...others]): object[] => [Object.assign(first, protocol), others].flat(2))
  })
