import { beforeAll, describe, expect, test } from 'vitest'
import { createAgentScene } from '../../support/agents/agent-scene.ts'
import type { AgentScene } from '../../support/agents/agent-scene.ts'
import { createKey } from '../../support/identities/ci-issuer.ts'
import { exchangeAssertion } from '../../support/identities/identity.ts'
import { expectRefusal } from '../../support/identities/job.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { createKey as createProofKey, createProof } from '../../support/oauth/dpop.ts'
import { useService } from '../../support/service/service.ts'

// Assertions of identity providers that are refused, and change nothing.

const service = useService()
const { clock, url } = service
const providers = useProviders(() => clock.now())

// oidc-provider creates its signing keys for the first request.
beforeAll(async () => void (await (await createAgentScene(service, providers)).exchange()))

const seconds = (ahead: number) => Math.floor(clock.now().getTime() / 1000) + ahead
const send =
  (scene: AgentScene, changes: object, header: object = {}) =>
  async () =>
    scene.exchange(await scene.sign(changes, header))

const claims: [attack: string, changes: (scene: AgentScene) => object, description: RegExp][] = [
  ['another issuer', () => ({ iss: 'https://idp.example' }), /\bclaim iss\b/],
  ['the issuer with a slash at the end', ({ idp }) => ({ iss: `${idp.issuer}/` }), /\bclaim iss\b/],
  ['no issuer', () => ({ iss: undefined }), /\bclaim iss\b/],
  ['another audience', () => ({ aud: 'https://other.example' }), /\bclaim aud\b/],
  ['the token endpoint as audience', () => ({ aud: `${url}/api/oauth/token` }), /\bclaim aud\b/],
  ['a further audience', () => ({ aud: [url, 'https://other.example'] }), /\bclaim aud\b/],
  ['no audience', () => ({ aud: undefined }), /\bclaim aud\b/],
  ['another client', () => ({ client_id: 'other' }), /\bclaim client_id\b/],
  ['no client', () => ({ client_id: undefined }), /\bclaim client_id\b/],
  ['a list of clients', ({ client }) => ({ client_id: [client.clientId] }), /\bclaim client_id\b/],
  ['an expiry in the past', () => ({ exp: seconds(-61) }), /\bclaim exp\b/],
  ['an expiry in more than five minutes', () => ({ exp: seconds(400) }), /\bclaim exp\b.* 5 minutes/],
  ['no expiry', () => ({ exp: undefined }), /\bclaim exp\b/],
  ['no time of issue', () => ({ iat: undefined }), /\bclaim iat\b/],
  ['a time of issue in the future', () => ({ iat: seconds(120) }), /\bclaim iat\b/],
  ['a later start', () => ({ nbf: seconds(120) }), /\bclaim nbf\b/],
  ['no identifier', () => ({ jti: undefined }), /\bclaim jti\b/],
  ['no subject', () => ({ sub: undefined }), /\bclaim sub\b/],
  ['an unknown subject', () => ({ sub: 'unknown', email: undefined }), /\bclaim sub\b/],
  ['an unknown subject with the address of a member', () => ({ sub: 'unknown' }), /\bclaim sub\b/],
  ['a tenant', () => ({ tenant: 'acme' }), /\bclaim tenant\b/],
  ['another team', () => ({ aud_tenant: 'other' }), /\bclaim sub\b/],
  ['a scope that is no text', () => ({ scope: ['acct:team:read'] }), /\bclaim scope\b/],
  ['a resource that is no text', () => ({ resource: 1 }), /\bclaim resource\b/],
  ['a key of which there is no proof', () => ({ cnf: { jkt: 'thumbprint' } }), /\bclaim cnf\b/],
  ['another kind of key', () => ({ cnf: { jwk: {} } }), /\bclaim cnf\b/],
]

describe('an assertion is refused with', () => {
  test.each(claims)('%s', async (_, changes, description) => {
    const scene = await createAgentScene(service, providers)
    await expectRefusal(service, send(scene, changes(scene)), { error: 'invalid_grant', description })
  })

  const headers: [attack: string, header: object, description: RegExp][] = [
    ['the type of other tokens', { typ: 'JWT' }, /\btyp\b/],
    ['the type of access tokens', { typ: 'at+jwt' }, /\btyp\b/],
    ['no type', { typ: undefined }, /\btyp\b/],
    ['crit', { crit: ['b64'], b64: true }, /\bcrit\b/],
    ['b64', { b64: true }, /\bb64\b/],
    ['an unknown key', { kid: 'other' }, /\bkey\b/],
  ]
  test.each(headers)('%s in its header', async (_, header, description) => {
    const scene = await createAgentScene(service, providers)
    await expectRefusal(service, send(scene, {}, header), { error: 'invalid_grant', description })
  })

  test('no signature, the signature of another key, and another algorithm', async () => {
    const scene = await createAgentScene(service, providers)
    const [, payload = ''] = (await scene.sign()).split('.')
    const encode = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
    const unsigned = `${encode({ alg: 'none', typ: 'oauth-id-jag+jwt' })}.${payload}.`
    const forged = await scene.idp.sign(scene.claims(), { typ: 'oauth-id-jag+jwt' }, await createKey())
    const other = await createKey('ES384')
    const weak = await scene.idp.sign(scene.claims(), { typ: 'oauth-id-jag+jwt' }, other)
    for (const assertion of [unsigned, forged, weak, `${payload}.${payload}.`, 'text'])
      await expectRefusal(service, () => scene.exchange(assertion), { error: 'invalid_grant', description: /assertion/ })
  })

  test('the proof of another key than that of the claim cnf', async () => {
    const scene = await createAgentScene(service, providers)
    const target = { token: '', method: 'POST', url: `${url}/api/oauth/token`, now: clock.now() }
    const dpop = await createProof(createProofKey(), target, { ath: undefined })
    const { body } = await scene.exchange(await scene.sign({ cnf: { jkt: createProofKey().thumbprint } }), {}, { dpop })
    expect(body).toMatchObject({ error: 'invalid_grant', error_description: expect.stringContaining('claim cnf') })
  })
})

test('an ID token for a workload identity is no assertion of a client, and the reverse', async () => {
  const scene = await createAgentScene(service, providers)
  await expectRefusal(service, send(scene, {}, { typ: 'JWT' }), { error: 'invalid_grant', description: /typ/ })
  const unknown = await exchangeAssertion(service, { client_id: '00000000-0000-4000-8000-000000000000', assertion: await scene.sign() })
  expect([unknown.status, unknown.body.error]).toEqual([401, 'invalid_client'])
})
