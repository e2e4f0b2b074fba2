import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose'
import type { JWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { startKeyrings } from '../../support/oauth/keyrings.ts'
import { holdLocks } from '../../support/processes/locks.ts'
import { waitFor } from '../../support/service/wait.ts'

const thumbprint = expect.stringMatching(/^[\w-]{43}$/)

describe('on a database without keys', () => {
  test('processes that start at the same time create one key per algorithm, which sign immediately', async () => {
    const { database, clock, keyrings } = await startKeyrings()
    const [first, ...others] = await Promise.all(keyrings.map((keyring) => keyring.current()))
    for (const other of others) expect(other).toEqual(first)
    const [es256, rs256] = ['ES256', 'RS256'].map((alg) => first?.jwks.keys.find((key) => key.alg === alg))
    expect(first?.jwks.keys).toHaveLength(2)
    expect(es256).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', kid: thumbprint, d: expect.any(String) })
    expect(rs256).toMatchObject({ kty: 'RSA', use: 'sig', kid: thumbprint, d: expect.any(String) })
    expect(Buffer.from(rs256?.n ?? '', 'base64url')).toHaveLength(256)
    const { kty, crv, x, y, use, kid } = es256 ?? {}
    const createdAt = clock.now()
    expect(await database.prisma.signingKey.findMany({ where: { algorithm: 'ES256' } })).toEqual([
      {
        kid,
        algorithm: 'ES256',
        publicJwk: { kty, crv, x, y, use, kid, alg: 'ES256' },
        encryptedPrivateJwk: expect.anything(),
        createdAt,
        signsFrom: createdAt,
        retiredAt: null,
      },
    ])
  })

  test('keys that a rotation creates sign immediately', async () => {
    const { rotate, published, database } = await startKeyrings()
    const { created } = await rotate({ algorithm: 'ES256' })
    expect(created).toEqual([{ kid: thumbprint, state: 'SIGNING' }])
    expect(await published()).toEqual([created?.[0]?.kid])
    expect(await database.prisma.signingKey.count()).toBe(2)
  })
})

describe('a rotation', () => {
  test('publishes the next key, then signs with it in all processes, and publishes the old key until its tokens expire', async () => {
    const { clock, rotate, states, published } = await startKeyrings()
    const [old] = (await published()) ?? []
    const { created } = await rotate({ algorithm: 'ES256' })
    const [next] = created ?? []
    expect(created).toEqual([{ kid: thumbprint, state: 'NEXT' }])
    clock.advance(10_000)
    expect(await published()).toEqual([old, next?.kid])
    expect(await states()).toEqual([
      [next?.kid, 'NEXT'],
      [old, 'SIGNING'],
    ])
    clock.advance(3_589_999)
    expect(await published()).toEqual([old, next?.kid])
    clock.advance(1)
    expect(await published()).toEqual([next?.kid, old])
    expect(await states()).toEqual([
      [next?.kid, 'SIGNING'],
      [old, 'OLD'],
    ])
    clock.advance(3_899_999)
    expect(await published()).toEqual([next?.kid, old])
    clock.advance(1)
    expect(await published()).toEqual([next?.kid])
    expect(await states()).toEqual([
      [next?.kid, 'SIGNING'],
      [old, 'RETIRED'],
    ])
  })

  test('keeps a token that was signed immediately before it verifiable until the token expires', async () => {
    const { database, clock, keyrings, rotate } = await startKeyrings()
    const current = async () => (await keyrings[0]?.current())?.jwks.keys ?? []
    const [first] = await current()
    if (!first) throw new Error('no key')
    await rotate({ publishSeconds: 600 })
    clock.advance(599_999)
    const [signer] = await current()
    expect(signer).toEqual(first)
    const issuedAt = Math.floor(clock.now().getTime() / 1000)
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: String(first.alg), kid: String(first.kid) })
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 3600)
      .sign(first)
    clock.advance(3_600_000)
    const kids = (await current()).map(({ kid }) => kid ?? '')
    const rows = await database.prisma.signingKey.findMany({ where: { kid: { in: kids } } })
    const keys: JWK[] = JSON.parse(JSON.stringify(rows.map(({ publicJwk }) => publicJwk)))
    const { protectedHeader } = await jwtVerify(token, createLocalJWKSet({ keys }), { currentDate: new Date((issuedAt + 3599) * 1000) })
    expect(protectedHeader.kid).toBe(first.kid)
  })

  test('is refused while a next key of the same algorithm exists; of simultaneous rotations only one succeeds', async () => {
    const { rotate, states, published } = await startKeyrings()
    await published()
    const outcomes = await Promise.all([rotate({ algorithm: 'ES256' }), rotate({ algorithm: 'ES256' }), rotate({ algorithm: 'ES256' })])
    const refusals = outcomes.flatMap(({ refusal }) => refusal ?? [])
    expect(refusals.map(({ code }) => code)).toEqual(['validation_failed', 'validation_failed'])
    expect(refusals[0]?.details.errors).toEqual({
      algorithm: [
        'The next ES256 key is published already and signs from 2027-01-31T10:30:00.000Z; only one that signs at once can replace it.',
      ],
    })
    expect((await states()).map(([, state]) => state)).toEqual(['NEXT', 'SIGNING'])
    expect((await rotate()).refusal?.details.errors).toEqual({ algorithm: [expect.stringContaining('ES256')] })
    expect((await rotate({ algorithm: 'RS256' })).refusal).toBeNull()
  })

  test('that takes effect immediately retires the next key and publishes the old key until its tokens expire', async () => {
    const { clock, rotate, states, published } = await startKeyrings()
    const [old] = (await published()) ?? []
    const { created: next } = await rotate({ algorithm: 'ES256' })
    clock.advance(1000)
    const { created } = await rotate({ algorithm: 'ES256', publishSeconds: 0 })
    expect(created).toEqual([{ kid: thumbprint, state: 'SIGNING' }])
    const [kid] = created?.map((key) => key.kid) ?? []
    expect(await states()).toEqual([
      [kid, 'SIGNING'],
      [next?.[0]?.kid, 'RETIRED'],
      [old, 'OLD'],
    ])
    clock.advance(10_000)
    expect(await published()).toEqual([kid, old])
    clock.advance(3_889_999)
    expect(await published()).toEqual([kid, old])
    clock.advance(1)
    expect(await published()).toEqual([kid])
  })

  test.each([
    [-1, 'The publish seconds field must be at least 0.'],
    [2_592_001, 'The publish seconds field must not be greater than 2592000.'],
  ])('with a publication time of %d seconds is refused', async (publishSeconds, message) => {
    const { rotate, database } = await startKeyrings()
    const { refusal } = await rotate({ publishSeconds })
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', { publishSeconds: [message] }])
    expect(await database.prisma.signingKey.count()).toBe(0)
  })
})

test('a keyring reads its rows at most once in ten seconds', async () => {
  const { clock, keyrings, statements } = await startKeyrings()
  const [keyring] = keyrings
  const read = async () => keyring?.current()
  await read()
  statements.length = 0
  for (const expected of [0, 1, 2]) {
    await Promise.all(Array.from({ length: 50 }, read))
    expect(statements).toHaveLength(expected)
    clock.advance(10_000)
  }
  // After the clock is set back, the ten seconds start again.
  clock.advance(-3_600_000)
  await read()
  expect(statements).toHaveLength(3)
})

test('a process that missed a rotation waits for a slow database instead of signing with a retired key', async () => {
  const { database, clock, keyrings, rotate } = await startKeyrings()
  const [idle] = keyrings
  const signingKid = async () => (await idle?.current())?.jwks.keys.find(({ alg }) => alg === 'ES256')?.kid
  await signingKid()
  const { created } = await rotate({ algorithm: 'ES256' })
  clock.advance(3 * 3_600_000)
  const lock = await holdLocks(database.pool, 'LOCK signing_keys')
  const pendingKid = signingKid()
  const lockWaits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND clock_timestamp() - query_start > interval '0.4 s'`
  await waitFor(async () => (await database.pool.query(lockWaits)).rowCount)
  await lock.commit()
  expect(await pendingKid).toBe(created?.[0]?.kid)
})
