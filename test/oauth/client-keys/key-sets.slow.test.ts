import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createTeam } from '../../support/data/team.ts'
import {
  createAssertion,
  createClientKey,
  keySetOf,
  postWithAssertion,
  sendJson,
  serveKeys,
} from '../../support/oauth/clients/client-keys.ts'
import { createTeamClient } from '../../support/oauth/clients/machines.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Key sets that are refused on registration, and hosts of key sets that fail or attack.

const service = useService()
const { database } = service

const jwkOf = (kind: 'rsa' | 'ec' | 'ed25519' | 'x25519', options: object = {}, isPrivate = false) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the overloads name one kind each
  const pair = generateKeyPairSync(kind as 'ec', options as { namedCurve: string })
  return { ...pair[isPrivate ? 'privateKey' : 'publicKey'].export({ format: 'jwk' }), kid: 'a' }
}
const ec = (curve = 'P-256') => jwkOf('ec', { namedCurve: curve })
const rsa = (bits = 2048, exponent = 65_537) => jwkOf('rsa', { modulusLength: bits, publicExponent: exponent })

const onlySignatures = 'have only keys for signatures: RSA of 2048 to 4096 bits (RS256, PS256), P-256 (ES256) or Ed25519 (EdDSA)'
const noPrivate = 'not have private or symmetric keys. Replace them, and enter the public keys'
const noSet = 'be a JSON Web Key Set: {"keys": [...]}'
const number = 'have 1 to 4 keys'

const refusedSets: [name: string, rule: string, keys: () => unknown][] = [
  ['a private RSA key', noPrivate, () => [jwkOf('rsa', { modulusLength: 2048 }, true)]],
  ['a private EC key', noPrivate, () => [jwkOf('ec', { namedCurve: 'P-256' }, true)]],
  ['a private Ed25519 key beside a public one', noPrivate, () => [ec(), { ...jwkOf('ed25519', {}, true), kid: 'b' }]],
  ['a symmetric key', noPrivate, () => [{ kty: 'oct', k: 'c2VjcmV0', kid: 'a' }]],
  ['no key', number, () => []],
  ['five keys', number, () => Array.from({ length: 5 }, (_, kid) => ({ ...ec(), kid: String(kid) }))],
  ['two keys with one kid', 'have a different kid for each key', () => [ec(), ec()]],
  ['two keys without kid', 'have a different kid for each key', () => [ec(), ec()].map((key) => Object.assign(key, { kid: undefined }))],
  ['an RSA key of 1024 bits', onlySignatures, () => [rsa(1024)]],
  ['an RSA key with the exponent 3', onlySignatures, () => [rsa(2048, 3)]],
  ['an RSA key with the exponent 1', onlySignatures, () => [{ ...rsa(), e: 'AQ' }]],
  ['an RSA key with an even exponent', onlySignatures, () => [{ ...rsa(), e: 'AQAC' }]],
  ['a key on P-384', onlySignatures, () => [ec('P-384')]],
  ['a key on secp256k1', onlySignatures, () => [ec('secp256k1')]],
  ['a key for key agreement', onlySignatures, () => [jwkOf('x25519')]],
  ['a point that is not on its curve', onlySignatures, () => [{ ...ec(), x: ec().x }]],
  ['a key for encryption', onlySignatures, () => [{ ...ec(), use: 'enc' }]],
  ['a key that only signs', onlySignatures, () => [{ ...ec(), key_ops: ['sign'] }]],
  ['a key for another algorithm', onlySignatures, () => [{ ...rsa(), alg: 'RS384' }]],
  ['a key without its coordinates', onlySignatures, () => [{ kty: 'EC', crv: 'P-256', kid: 'a' }]],
  ['a modulus that is not base64url', onlySignatures, () => [{ ...rsa(), n: `${rsa().n}=` }]],
  ['a key that is a text', noSet, () => ['key']],
  ['keys that are an object', noSet, () => ({ a: ec() })],
]

describe('a client is not registered', () => {
  const document = 'mutation ($input: CreateClientInput!) { createClient(input: $input) { client { jwks } } }'
  const register = async (input: object) => {
    const defaults = { name: 'App', confidential: true, redirectUris: ['https://app.example/cb'], grantTypes: ['authorization_code'] }
    const { data, refusal } = await executeAs(service, operator, document, { input: { ...defaults, requiredScopes: ['openid'], ...input } })
    return refusal ? refusal.details.errors : data.createClient.client
  }

  test.each(refusedSets)('with %s', async (_, rule, keys) => {
    expect(await register({ jwks: JSON.stringify({ keys: keys() }) })).toEqual({ jwks: [`The jwks field must ${rule}.`] })
  })

  test.each(['', '{', '[]', '{}', '"keys"', 'null', ' '.repeat(20_001)])('with the text %j', async (jwks) => {
    expect(await register({ jwks })).toEqual({ jwks: [`The jwks field must ${noSet}.`] })
  })

  test.each([
    [{ jwksUri: 'https://app.example/keys', jwks: true }, { jwksUri: ['The jwks uri field must not be used together with jwks.'] }],
    [{ jwks: true, confidential: false }, { jwks: ['The jwks field is for confidential clients, which authenticate.'] }],
    [
      { jwksUri: 'https://app.example/keys', confidential: false },
      { jwksUri: ['The jwks uri field is for confidential clients, which authenticate.'] },
    ],
    [
      { requireKeyAuthentication: true },
      { requireKeyAuthentication: ['The require key authentication field needs a key set, or the URL of one.'] },
    ],
    [{ jwksUri: 'http://app.example/keys' }, { jwksUri: ['The jwks uri field must be https, or http to 127.0.0.1 or [::1].'] }],
    [{ jwksUri: 'https://app.example/keys#a' }, { jwksUri: ['The jwks uri field must not have a fragment.'] }],
    [{ jwksUri: 'https://user@app.example/keys' }, { jwksUri: ['The jwks uri field must not have user information.'] }],
  ])('with %j', async (input, errors) => {
    const jwks = JSON.stringify({ keys: [ec()] })
    expect(await register({ ...input, ...('jwks' in input && { jwks }) })).toEqual(errors)
  })

  test('with more of a key than verifies signatures', async () => {
    const key = ec()
    const given = { ...key, x5c: ['MIIB'], x5u: 'https://app.example/cert', unknown: 'x', alg: 'ES256', use: 'sig' }
    expect(await register({ jwks: JSON.stringify({ keys: [given], more: 1 }) })).toEqual({
      jwks: { keys: [{ ...key, alg: 'ES256', use: 'sig' }] },
    })
  })
})

const cannotBeRead = (reason: string) => `the keys at the client's jwks_uri cannot be read. ${reason}`
const timeLimit = 'There was no complete response within 5 seconds.'
type Answer = (request: IncomingMessage, response: ServerResponse) => void

const hosts: [name: string, description: string, answer: Answer][] = [
  ['redirects', cannotBeRead('The response has the status 302.'), (_, response) => response.writeHead(302, { location: '/other' }).end()],
  ['fails', cannotBeRead('The response has the status 500.'), (_, response) => response.writeHead(500).end('{"keys":[]}')],
  [
    'sends 10 MB',
    cannotBeRead('The response is larger than 256 kB.'),
    (_, response) => response.end(`{"keys":[],"x":"${'x'.repeat(10_000_000)}"}`),
  ],
  ['sends nothing', cannotBeRead(timeLimit), () => {}],
  ['sends a byte a second', cannotBeRead(timeLimit), drip],
  ['closes the connection', cannotBeRead('The connection was closed before there was a response.'), (_, response) => response.destroy()],
  ['sends HTML', cannotBeRead('The response is not JSON.'), (_, response) => response.end('<html>')],
  ['sends no body', cannotBeRead('The response is not JSON.'), (_, response) => response.end()],
  ['sends a list', cannotBeRead('The document is not a JSON Web Key Set.'), sendJson([ec()])],
  ['sends keys that are text', cannotBeRead('The document is not a JSON Web Key Set.'), sendJson({ keys: ['a'] })],
  ['sends 101 keys', cannotBeRead('The document is not a JSON Web Key Set.'), sendJson({ keys: Array.from({ length: 101 }, () => ({})) })],
  [
    'sends a private key',
    cannotBeRead('The key set contains a private or symmetric key.'),
    sendJson({ keys: [jwkOf('ec', { namedCurve: 'P-256' }, true)] }),
  ],
  [
    'sends a symmetric key',
    cannotBeRead('The key set contains a private or symmetric key.'),
    sendJson({ keys: [{ kty: 'oct', k: 'AA' }] }),
  ],
  ['sends weak keys', 'the client has no key with the kid of the client assertion', sendJson({ keys: [rsa(1024)] })],
  ['sends no keys', 'the client has no key with the kid of the client assertion', sendJson({ keys: [] })],
]

function drip(_: unknown, response: ServerResponse): void {
  response.writeHead(200)
  const timer = setInterval(() => response.write(' '), 1000)
  response.on('close', () => clearInterval(timer))
}

describe('an assertion is refused if the host of the key set', () => {
  const key = createClientKey('ES256', 'a')

  test.each(hosts)('%s', { timeout: 15_000 }, async (_, error_description, answer) => {
    await using host = await serveKeys(answer)
    expect(await authenticate(host.url)).toEqual([401, { error: 'invalid_client', error_description }])
    // Nothing is kept that would let a wrong key in.
    host.answer = sendJson(keySetOf(key))
    service.clock.advance(61_000)
    expect((await authenticate(host.url))[0]).toBe(200)
  })

  test.each([
    ['https://169.254.169.254/latest/meta-data', 'must name a host on the public internet'],
    ['https://10.0.0.1/keys', 'must name a host on the public internet'],
    ['https://keys.internal/keys', 'must name a host on the public internet'],
    ['http://keys.example.com/keys', 'must be an https URL'],
    ['https://example.com:22/keys', 'must use port 443, or a port from 1024 on'],
  ])('is one that may not be called: %s', async (url, rule) => {
    expect(await authenticate(url)).toEqual([401, { error: 'invalid_client', error_description: cannotBeRead(`the URL ${rule}`) }])
  })

  async function authenticate(jwksUri: string) {
    service.logged.length = 0
    const client = await createTeamClient(database, await createTeam(database), { jwksUri })
    const exp = Math.floor(service.clock.now().getTime() / 1000) + 60
    const assertion = await createAssertion(service, client, key, { exp })
    const { status, body } = await postWithAssertion(service, '/api/oauth/token', assertion, { grant_type: 'client_credentials' })
    expect(service.logged).toEqual([])
    return [status, body]
  }
})
