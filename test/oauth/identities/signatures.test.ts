import { createHmac } from 'node:crypto'
import { CompactEncrypt, exportSPKI, importJWK } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { createKey, useCiIssuers } from '../../support/identities/ci-issuer.ts'
import { createJob, expectRefusal, useProvider } from '../../support/identities/job.ts'
import type { Job } from '../../support/identities/job.ts'
import { useService } from '../../support/service/service.ts'

// Assertions that the issuer has not signed.

const service = useService()
const issuers = useCiIssuers()
let job: Job
let other: Job
beforeAll(async () => {
  job = await createJob(service, issuers)
  other = await createJob(service, issuers)
  await useProvider(job)
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = (header: object = {}, key = job.issuer.key) => job.issuer.sign(job.claims(), header, key)
/** Signs with HMAC, with a secret that the attacker knows. */
function hmac(secret: string | Buffer, alg = 'HS256'): string {
  const input = `${encode({ alg, kid: job.issuer.key.publicJwk.kid })}.${encode(job.claims())}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}
const publicKey = async () => {
  const key = await importJWK(job.issuer.key.publicJwk, 'RS256', { extractable: true })
  if (key instanceof Uint8Array) throw new Error('not a public key')
  return exportSPKI(key)
}
const unsigned = (header: object, signature = '') => `${encode(header)}.${encode(job.claims())}.${signature}`

const signatures: [attack: string, assertion: () => Promise<string> | string, description: RegExp][] = [
  ['without a signature, alg none', () => unsigned({ alg: 'none' }), /signed with/],
  ['without a signature, alg None', () => unsigned({ alg: 'None' }), /signed with/],
  ['without a signature, alg of RSA', () => unsigned({ alg: 'RS256', kid: 'key-1' }), /signature/],
  ['without alg', () => unsigned({ kid: 'key-1' }, 'AAAA'), /signed with/],
  ['with a number as alg', () => unsigned({ alg: 256 }, 'AAAA'), /signed with/],
  ['with HMAC under the public key in PEM', async () => hmac(await publicKey()), /signed with/],
  ['with HMAC under the public key as JWK', () => hmac(JSON.stringify(job.issuer.key.publicJwk)), /signed with/],
  ['with HMAC under an empty secret, alg RS256', () => hmac('', 'RS256'), /signature/],
  ['with the key of somebody else, under the kid of the issuer', async () => signed({}, await createKey()), /signature/],
  [
    'with the key of somebody else in the header',
    async () => {
      const key = await createKey()
      return signed({ jwk: key.publicJwk }, key)
    },
    /signature/,
  ],
  [
    'with a key set of somebody else in the header',
    async () => {
      const evil = await issuers.create()
      return signed({ jku: `${evil.url}/jwks` }, evil.key)
    },
    /signature/,
  ],
  [
    'with a certificate of somebody else in the header',
    async () => signed({ x5u: `${issuers.origin()}/cert` }, await createKey()),
    /signature/,
  ],
  [
    'with an unknown critical header parameter',
    () => signed({ crit: ['exp'], exp: 1 }).catch(() => unsigned({ alg: 'RS256', kid: 'key-1', crit: ['exp'], exp: 1 }, 'AAAA')),
    /header parameter crit/,
  ],
  ['with a known critical header parameter', () => signed({ crit: ['b64'], b64: true }), /header parameter crit/],
  ['with b64', () => signed({ b64: true }), /header parameter b64/],
  ['with an unknown kid', () => signed({ kid: 'key-2' }), /no such key/],
  ['with a number as kid', () => unsigned({ alg: 'RS256', kid: 1 }, 'AAAA'), /kid/],
  ['with a path as kid', () => signed({ kid: '../../../../dev/null' }), /no such key/],
  ['with SQL as kid', () => signed({ kid: "' OR 1=1 --" }), /no such key/],
  ['with the algorithm of another kind of key', () => unsigned({ alg: 'ES256', kid: 'key-1' }, 'AAAA'), /no such key/],
  [
    'with an elliptic-curve signature of zeros',
    () => unsigned({ alg: 'ES256', kid: 'key-1' }, Buffer.alloc(64).toString('base64url')),
    /no such key/,
  ],
  ['with RS512', () => unsigned({ alg: 'RS512', kid: 'key-1' }, 'AAAA'), /signed with/],
  ['with the key of another issuer, which has the same kid', () => signed({}, other.issuer.key), /signature/],
  [
    'with a changed payload',
    async () => {
      const [header = '', , signature = ''] = (await signed()).split('.')
      return `${header}.${encode({ ...job.claims(), extra: 1 })}.${signature}`
    },
    /signature/,
  ],
  ['with a changed signature', async () => (await signed()).replace(/.{8}$/, 'AAAAAAAA'), /signature/],
  [
    'that is a JWS in a JWS',
    async () => {
      const inner = await signed()
      return job.issuer.sign({ jws: inner })
    },
    /\biss\b/,
  ],
  ['whose payload is a text', async () => `${encode({ alg: 'RS256', kid: 'key-1' })}.${encode('text')}.AAAA`, /not a signed JWT/],
  ['whose payload is a list', async () => `${encode({ alg: 'RS256', kid: 'key-1' })}.${encode([1])}.AAAA`, /not a signed JWT/],
  ['whose payload is null', async () => `${encode({ alg: 'RS256', kid: 'key-1' })}.${encode(null)}.AAAA`, /not a signed JWT/],
  [
    'that is encrypted',
    async () => {
      const key = await importJWK({ ...job.issuer.key.publicJwk, alg: 'RSA-OAEP-256', use: 'enc' }, 'RSA-OAEP-256')
      return new CompactEncrypt(Buffer.from('{}')).setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' }).encrypt(key)
    },
    /signed with/,
  ],
  ['in two parts', () => `${encode({ alg: 'RS256' })}.${encode(job.claims())}`, /not a signed JWT|signature|no such key/],
  ['in six parts', async () => `${await signed()}.a.b.c`, /not a signed JWT|signature/],
  ['of one letter', () => 'a', /not a signed JWT/],
  ['of dots', () => '..', /not a signed JWT/],
  ['of bytes', () => `\u0000\u00ff.\ud83d\ude00.x`, /not a signed JWT/],
  ['of 20,000 characters', async () => (await signed()).padEnd(20_000, 'A'), /longer than/],
]

describe('an assertion is refused and nothing changes:', () => {
  test.each(signatures)('%s', async (_, assertion, description) => {
    const sent = await assertion()
    await expectRefusal(service, () => job.exchange(sent), { error: 'invalid_grant', description })
  })
})

test('keys other than RSA are accepted, too', async () => {
  for (const alg of ['PS256', 'ES256', 'EdDSA']) {
    const of = await createJob(service, issuers)
    of.issuer.key = await createKey(alg)
    const { status, body } = await of.exchange()
    expect([alg, status, body.error_description]).toEqual([alg, 200, undefined])
  }
})
