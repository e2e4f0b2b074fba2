import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { assemble, useAttackedClient } from '../../support/oauth/clients/attacked-client.ts'
import { createAssertion, createClientKey } from '../../support/oauth/clients/client-keys.ts'
import type { TokenResponse } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Each row is an assertion that was made without the private key of the client, or was not meant for this service and this time.

const service = useService()
const { key, rsa, otherKey, client, other, claims, signed, send, forge } = useAttackedClient(service)

const seconds = () => Math.floor(Date.now() / 1000)
const withHmac = (secret: string | Buffer) =>
  assemble({ alg: 'HS256', kid: rsa.kid }, claims(), (text) => createHmac('sha256', secret).update(text).digest('base64url'))
const removed = createClientKey('ES256', 'removed')
const attacker = createClientKey('ES256', 'attacker')
function es384() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  return { ...attacker, alg: 'ES384', kid: 'current', privateKey }
}

const rows: [name: string, attack: () => Promise<TokenResponse>][] = [
  // Algorithm and signature
  ['without a signature (alg none)', () => send(assemble({ alg: 'none' }, claims(), () => ''))],
  ['without a signature, in capitals (alg NONE)', () => send(assemble({ alg: 'NONE', kid: key.kid }, claims(), () => ''))],
  ['with HMAC and the modulus of the public key as secret', () => send(withHmac(JSON.stringify(rsa.jwk)))],
  [
    'with HMAC and the public key in PEM as secret',
    () => send(withHmac(createPublicKey(rsa.privateKey).export({ type: 'spki', format: 'pem' }))),
  ],
  ['with HMAC and the client secret', () => send(withHmac(client().secret ?? ''))],
  ['with HMAC and an empty secret', () => send(withHmac(''))],
  ['signed with an unregistered key that claims a registered kid', () => forge({}, {}, { ...attacker, kid: 'current' })],
  ['signed with an unregistered key', () => forge({}, {}, attacker)],
  ['signed with an unregistered key and no kid', () => forge({}, { kid: undefined }, attacker)],
  ['that names the kid of the client’s other key', () => forge({}, { kid: 'rsa' })],
  ['signed with a key that was removed', () => forge({}, {}, removed)],
  ['with a kid that is not text', () => send(assemble({ alg: 'ES256', kid: 7 }, claims(), () => 'AAAA'))],
  ['with an algorithm that is not accepted (RS384)', () => forge({}, { alg: 'RS384' }, rsa)],
  ['with an algorithm that is not accepted (ES384)', () => forge({}, {}, es384())],
  ['with the algorithm of another kind of key', () => send(assemble({ alg: 'EdDSA', kid: 'current' }, claims(), () => 'A'.repeat(86)))],
  ['with an empty signature', async () => send((await signed()).replace(/[^.]*$/, ''))],
  ['with a changed signature', async () => send((await signed()).replace(/.{4}$/, 'AAAA'))],
  ['with an ECDSA signature of zeros', () => send(assemble({ alg: 'ES256', kid: 'current' }, claims(), () => 'A'.repeat(86)))],
  [
    'whose claims were changed after it was signed',
    async () => {
      const [header, , signature = ''] = (await createAssertion(service, other(), otherKey)).split('.')
      return send(assemble(JSON.parse(Buffer.from(header ?? '', 'base64url').toString()), claims(), () => signature))
    },
  ],
  // Keys that the assertion brings along
  ['with its own key in the header (jwk)', () => forge({}, { jwk: attacker.jwk }, attacker)],
  ['with its own key and a registered kid', () => forge({}, { jwk: attacker.jwk, kid: 'current' }, attacker)],
  ['with a URL of keys in the header (jku)', () => forge({}, { jku: `${service.url}/keys.json` }, attacker)],
  ['with a certificate in the header (x5c)', () => forge({}, { x5c: ['MIIB'] }, attacker)],
  ['with a URL of a certificate in the header (x5u)', () => forge({}, { x5u: 'https://attacker.example/cert' }, attacker)],
  [
    'with a header parameter that must be understood (crit)',
    () => send(assemble({ alg: 'ES256', kid: 'current', crit: ['x'], x: 1 }, claims(), () => 'AA')),
  ],
  ['with a header parameter that is understood (crit and b64)', () => forge({}, { crit: ['b64'], b64: true })],
  ['with b64', () => forge({}, { b64: true })],
  // Audience
  ['for another service', () => forge({ aud: 'https://accounts.other.example' })],
  ['for another service and this one', () => forge({ aud: [service.url, 'https://accounts.other.example'] })],
  ['for the introspection endpoint', () => forge({ aud: `${service.url}/api/oauth/introspect` })],
  ['for the PAR endpoint, at the token endpoint', () => forge({ aud: `${service.url}/api/oauth/par` })],
  ['for the issuer with a slash', () => forge({ aud: `${service.url}/` })],
  ['for a URL that only begins like the issuer', () => forge({ aud: `${service.url}.attacker.example` })],
  ['for nobody', () => forge({ aud: undefined })],
  ['for an empty list', () => forge({ aud: [] })],
  ['for an object', () => forge({ aud: { issuer: service.url } })],
  // Times
  ['that has expired', () => forge({ exp: seconds() - 60 })],
  ['that expires in two hours', () => forge({ exp: seconds() + 7200 })],
  ['that never expires', () => forge({ exp: undefined })],
  ['that expires at a text', () => forge({ exp: String(seconds() + 60) })],
  ['that is valid from later on', () => forge({ nbf: seconds() + 300 })],
  ['that is valid from a text on', () => forge({ nbf: 'now' })],
  // Identity
  ['without jti', () => forge({ jti: undefined })],
  ['with an empty jti', () => forge({ jti: '' })],
  ['with a jti that is not text', () => forge({ jti: ['a'] })],
  ['with a jti of 10,000 characters', () => forge({ jti: 'x'.repeat(10_000) })],
  ['without iss', () => forge({ iss: undefined })],
  ['without sub', () => forge({ sub: undefined })],
  ['of another issuer', () => forge({ iss: 'https://attacker.example' })],
  ['of another client for this one', () => forge({ iss: other().clientId }, {}, otherKey)],
  ['of this client for another one', () => forge({ sub: other().clientId })],
  ['of another client, signed with its own key', () => forge({}, {}, otherKey)],
  ['of an unknown client', () => forge({ iss: 'unknown', sub: 'unknown' })],
  ['with a sub that is not text', () => forge({ sub: 7, iss: 7 })],
]

test.each(rows)('an assertion %s is refused', async (_, attack) => {
  service.logged.length = 0
  const { status, body } = await attack()
  expect([status, body]).toEqual([401, { error: 'invalid_client', error_description: expect.any(String) }])
  expect(service.logged).toEqual([])
  // The client can authenticate as before.
  expect((await send(await signed())).status).toBe(200)
})

test('the table has each attack once', () => {
  expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length)
  expect(rows.length).toBeGreaterThanOrEqual(50)
})
