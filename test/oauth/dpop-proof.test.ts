import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../schema/secret.ts'
import { createKey, dpopAt, tokenDigest } from '../support/dpop.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database, clock } = service
const key = await createKey()
const other = await createKey()
const { path, url, bound, ask, proofFor, refused, challenge } = dpopAt(service, key)
const now = () => Math.floor(clock.now().getTime() / 1000)

describe('a proof', () => {
  test('counts once, whatever is asked', async () => {
    const { token } = await bound()
    const proof = await proofFor(token)
    expect((await ask(token, proof)).status).toBe(200)
    expect(await refused(ask(token, proof))).toBe(challenge('invalid_dpop_proof'))
    const again = await proofFor(token)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(token, again)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('counts for another key though it has the same identifier', async () => {
    const [first, second] = [await bound(), await bound(other)]
    expect((await ask(first.token, await proofFor(first.token, { jti: 'the-same' }))).status).toBe(200)
    expect((await ask(second.token, await proofFor(second.token, { jti: 'the-same' }, {}, other))).status).toBe(200)
  })

  test('is kept as a digest alone, for as long as it could be sent again', async () => {
    const { token } = await bound()
    const iat = now()
    await ask(token, await proofFor(token, { jti: 'a-jti-to-look-for', iat }))
    const idHash = sha256(`dpop:${key.thumbprint}a-jti-to-look-for`)
    const noted = await database.prisma.oAuthArtifact.findUnique({ where: { idHash } })
    expect(noted).toMatchObject({ kind: 'ReplayDetection', payload: {}, grantId: null, expiresAt: new Date((iat + 120) * 1000) })
  })

  test.each([-55, 55])('is of this moment by %i seconds', async (seconds) => {
    const { token } = await bound()
    expect((await ask(token, await proofFor(token, { iat: now() + seconds }))).status).toBe(200)
  })

  test.each([
    ['names the address with a query and a fragment', `${url}?page=1#top`, path],
    ['is for a request with a query', url, `${path}?access_token=x`],
  ])('that %s counts', async (_, htu, target) => {
    const { token } = await bound()
    expect((await ask(token, await proofFor(token, { htu }), target)).status).toBe(200)
  })

  test.each<[string, Record<string, unknown>, object?]>([
    ['for another method', { htm: 'POST' }],
    ['for a method in lower case', { htm: 'get' }],
    ['without a method', { htm: undefined }],
    ['for another path', { htu: `${url}/acme` }],
    ['for another host', { htu: `https://evil.example${path}` }],
    ['for another scheme', { htu: url.replace('http:', 'https:') }],
    ['for a path alone', { htu: path }],
    ['for no address', { htu: undefined }],
    ['for addresses', { htu: [url] }],
    ['for another token', { ath: tokenDigest('another') }],
    ['for no token', { ath: undefined }],
    ['too old', { iat: now() - 62 }],
    ['too early', { iat: now() + 120 }],
    ['without an instant', { iat: undefined }],
    ['with text for an instant', { iat: String(now()) }],
    ['expired by its own word', { exp: now() - 10 }],
    ['without an identifier', { jti: undefined }],
    ['with an empty identifier', { jti: '' }],
    ['with a number for an identifier', { jti: 5 }],
    ['of another type', {}, { typ: 'JWT' }],
    ['of no type', {}, { typ: undefined }],
    ['without a key', {}, { jwk: undefined }],
    ['with a private key', {}, { jwk: key.privateJwk }],
    ['with another key than it is signed by', {}, { jwk: other.jwk }],
    ['with a key that is none', {}, { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } }],
  ])('%s is refused', async (_, claims, header = {}) => {
    const { token } = await bound()
    expect(await refused(ask(token, await proofFor(token, claims, header)))).toBe(challenge('invalid_dpop_proof'))
  })

  test('by another key, of a secret, or unsigned is refused', async () => {
    const { token } = await bound()
    const ofSecret = new SignJWT({ jti: 'x', iat: now(), htm: 'GET', htu: url, ath: tokenDigest(token) })
    const hs256 = await ofSecret.setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', jwk: key.jwk }).sign(new Uint8Array(32))
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const none = `${encode({ alg: 'none', typ: 'dpop+jwt', jwk: key.jwk })}.${(await proofFor(token)).split('.')[1]}.`
    const proofs = [
      await proofFor(token, {}, {}, other),
      hs256,
      none,
      'nonsense',
      '',
      null,
      `${await proofFor(token)}, ${await proofFor(token)}`,
    ]
    for (const proof of proofs) expect(await refused(ask(token, proof))).toBe(challenge('invalid_dpop_proof'))
  })

  test('does not follow the request’s Host, nor a header field that names one', async () => {
    const { token } = await bound()
    const htu = url.replace('127.0.0.1', 'localhost')
    const headers = { Authorization: `DPoP ${token}`, DPoP: await proofFor(token, { htu }), 'X-Forwarded-Host': new URL(htu).host }
    expect(await refused(request({ url: htu.replace(path, '') }, 'GET', path, { headers }))).toBe(challenge('invalid_dpop_proof'))
  })

  test('of a token that opens nothing is not even noted', async () => {
    const { token } = await bound()
    await database.prisma.oAuthArtifact.deleteMany({ where: { payload: { path: ['jkt'], equals: key.thumbprint } } })
    service.statements.length = 0
    expect(await refused(ask(token, await proofFor(token)))).toBe(challenge('invalid_token'))
    expect(service.statements).toHaveLength(1)
  })
})
