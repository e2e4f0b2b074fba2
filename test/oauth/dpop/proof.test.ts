import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { createKey, dpopAt, tokenDigest } from '../../support/oauth/dpop.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { unique } from '../../support/data/team.ts'

const service = useService()
const { database, clock } = service
const key = createKey()
const other = createKey()
const { path, url, createBoundToken, send, proofFor, expectUnauthenticated, challenge } = dpopAt(service, key)
const now = () => Math.floor(clock.now().getTime() / 1000)

describe('a DPoP proof', () => {
  test('is accepted once, also among 20 simultaneous requests', async () => {
    const { token } = await createBoundToken()
    const proof = await proofFor(token)
    expect((await send(token, proof)).status).toBe(200)
    expect(await expectUnauthenticated(send(token, proof))).toBe(challenge('invalid_dpop_proof'))
    const again = await proofFor(token)
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(token, again)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('is accepted with the jti of a proof of another key', async () => {
    const [first, second] = [await createBoundToken(), await createBoundToken(other)]
    const jti = unique('the-same')
    expect((await send(first.token, await proofFor(first.token, { jti }))).status).toBe(200)
    expect((await send(second.token, await proofFor(second.token, { jti }, {}, other))).status).toBe(200)
  })

  test('is stored only as a digest and only for as long as it could be replayed', async () => {
    const { token } = await createBoundToken()
    const [iat, jti] = [now(), unique('a-jti-to-look-for')]
    await send(token, await proofFor(token, { jti, iat }))
    const idHash = sha256(`dpop:${key.thumbprint}${jti}`)
    const stored = await database.prisma.oidcModel.findUnique({ where: { idHash } })
    expect(stored).toMatchObject({ kind: 'ReplayDetection', payload: {}, chainId: null, expiresAt: new Date((iat + 120) * 1000) })
  })

  test.each([-50, 50])('is accepted when its iat differs from the server time by %i seconds', async (seconds) => {
    const { token } = await createBoundToken()
    expect((await send(token, await proofFor(token, { iat: now() + seconds }))).status).toBe(200)
  })

  test.each([
    ['contains a query and a fragment in htu', `${url}?page=1#top`, path],
    ['is for a request with a query', url, `${path}?access_token=x`],
  ])('that %s is accepted', async (_, htu, target) => {
    const { token } = await createBoundToken()
    expect((await send(token, await proofFor(token, { htu }), target)).status).toBe(200)
  })

  test.each<[string, Record<string, unknown>, object?]>([
    ['for another method', { htm: 'POST' }],
    ['for a method in lower case', { htm: 'get' }],
    ['without a method', { htm: undefined }],
    ['for another path', { htu: `${url}/acme` }],
    ['for another host', { htu: `https://evil.example${path}` }],
    ['for another scheme', { htu: url.replace('http:', 'https:') }],
    ['for a path without an origin', { htu: path }],
    ['without a URL', { htu: undefined }],
    ['for an array of URLs', { htu: [url] }],
    ['for a URL with a user name', { htu: url.replace('://', '://user@') }],
    ['for a URL with a password', { htu: url.replace('://', '://:password@') }],
    ['for another token', { ath: tokenDigest('another') }],
    ['without a token digest', { ath: undefined }],
    ['that was issued 62 seconds ago', { iat: now() - 62 }],
    ['that was issued in the future', { iat: now() + 1000 }],
    ['without iat', { iat: undefined }],
    ['with a string as iat', { iat: String(now()) }],
    ['with an exp in the past', { exp: now() - 10 }],
    ['without jti', { jti: undefined }],
    ['with an empty jti', { jti: '' }],
    ['with a number as jti', { jti: 5 }],
    ['of another type', {}, { typ: 'JWT' }],
    ['without a type', {}, { typ: undefined }],
    ['without a key', {}, { jwk: undefined }],
    ['with a critical header parameter', {}, { crit: ['b64'], b64: true }],
    ['with b64', {}, { b64: true }],
    ['with a private key', {}, { jwk: key.privateJwk }],
    ['with a key that did not sign it', {}, { jwk: other.jwk }],
    ['with an invalid key', {}, { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } }],
  ])('%s is rejected', async (_, claims, header = {}) => {
    const { token } = await createBoundToken()
    expect(await expectUnauthenticated(send(token, await proofFor(token, claims, header)))).toBe(challenge('invalid_dpop_proof'))
  })

  test('is rejected when another key or a shared secret signed it, when it is unsigned, malformed, missing or repeated', async () => {
    const { token } = await createBoundToken()
    const hmacProof = new SignJWT({ jti: 'x', iat: now(), htm: 'GET', htu: url, ath: tokenDigest(token) })
    const hs256 = await hmacProof.setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', jwk: key.jwk }).sign(new Uint8Array(32))
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
    for (const proof of proofs) expect(await expectUnauthenticated(send(token, proof))).toBe(challenge('invalid_dpop_proof'))
  })

  test('is rejected for the URL of the Host or X-Forwarded-Host header field', async () => {
    const { token } = await createBoundToken()
    const htu = url.replace('127.0.0.1', 'localhost')
    const headers = { Authorization: `DPoP ${token}`, DPoP: await proofFor(token, { htu }), 'X-Forwarded-Host': new URL(htu).host }
    expect(await expectUnauthenticated(request({ url: htu.replace(path, '') }, 'GET', path, { headers }))).toBe(
      challenge('invalid_dpop_proof'),
    )
  })

  test('of an invalid token is not stored', async () => {
    const { token } = await createBoundToken()
    await database.prisma.oidcModel.deleteMany({ where: { payload: { path: ['jkt'], equals: key.thumbprint } } })
    service.statements.length = 0
    expect(await expectUnauthenticated(send(token, await proofFor(token)))).toBe(challenge('invalid_token'))
    expect(service.statements).toHaveLength(1)
  })
})
