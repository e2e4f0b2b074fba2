import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose'
import type { JWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { startKeyrings } from '../support/keyrings.ts'
import { waitFor } from '../support/wait.ts'

const thumbprint = expect.stringMatching(/^[\w-]{43}$/)

describe('given a database without keys', () => {
  test('processes that start together make one key of each algorithm, which sign at once', async () => {
    const { database, clock, keyrings } = await startKeyrings()
    const [first, ...others] = await Promise.all(keyrings.map((keyring) => keyring.current()))
    for (const other of others) expect(other).toEqual(first)
    const [es256, rs256] = ['ES256', 'RS256'].map((alg) => first?.jwks.keys.find((key) => key.alg === alg))
    expect(first?.jwks.keys).toHaveLength(2)
    expect(es256).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', kid: thumbprint, d: expect.any(String) })
    expect(rs256).toMatchObject({ kty: 'RSA', use: 'sig', kid: thumbprint, d: expect.any(String) })
    expect(Buffer.from(rs256?.n ?? '', 'base64url')).toHaveLength(256)
    const { kty, crv, x, y, use, kid } = es256 ?? {}
    const at = clock.now()
    expect(await database.prisma.signingKey.findMany({ where: { algorithm: 'ES256' } })).toEqual([
      {
        kid,
        algorithm: 'ES256',
        publicJwk: { kty, crv, x, y, use, kid, alg: 'ES256' },
        encryptedPrivateJwk: expect.anything(),
        createdAt: at,
        signsFrom: at,
        retiredAt: null,
      },
    ])
  })

  test('keys that are made ahead by a rotation sign at once too', async () => {
    const { rotate, published, database } = await startKeyrings()
    const { made } = await rotate({ algorithm: 'ES256' })
    expect(made).toEqual([{ kid: thumbprint, state: 'SIGNING' }])
    expect(await published()).toEqual([made?.[0]?.kid])
    expect(await database.prisma.signingKey.count()).toBe(2)
  })
})

describe('given a rotation', () => {
  test('the next key is published, then signs, everywhere from the same instant; the old one stays while its tokens live', async () => {
    const { clock, rotate, states, published } = await startKeyrings()
    const [old] = (await published()) ?? []
    const { made } = await rotate({ algorithm: 'ES256' })
    const [next] = made ?? []
    expect(made).toEqual([{ kid: thumbprint, state: 'NEXT' }])
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

  test('what was signed in the last moment before it verifies until it expires', async () => {
    const { database, clock, keyrings, rotate } = await startKeyrings()
    const current = async () => (await keyrings[0]?.current())?.jwks.keys ?? []
    const [first] = await current()
    if (!first) throw new Error('no key')
    await rotate({ publishSeconds: 600 })
    clock.advance(599_999)
    const [signer] = await current()
    expect(signer).toEqual(first)
    const issued = Math.floor(clock.now().getTime() / 1000)
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: String(first.alg), kid: String(first.kid) })
      .setIssuedAt(issued)
      .setExpirationTime(issued + 3600)
      .sign(first)
    clock.advance(3_600_000)
    const kids = (await current()).map(({ kid }) => kid ?? '')
    const rows = await database.prisma.signingKey.findMany({ where: { kid: { in: kids } } })
    const keys = rows.map(({ publicJwk }) => publicJwk as JWK)
    const { protectedHeader } = await jwtVerify(token, createLocalJWKSet({ keys }), { currentDate: new Date((issued + 3599) * 1000) })
    expect(protectedHeader.kid).toBe(first.kid)
  })

  test('another is refused while a key waits, of that algorithm, and two at once are one', async () => {
    const { rotate, states, published } = await startKeyrings()
    await published()
    const outcomes = await Promise.all([rotate({ algorithm: 'ES256' }), rotate({ algorithm: 'ES256' }), rotate({ algorithm: 'ES256' })])
    const refusals = outcomes.flatMap(({ refusal }) => refusal ?? [])
    expect(refusals.map(({ code }) => code)).toEqual(['validation_failed', 'validation_failed'])
    expect(refusals[0]?.details.errors).toEqual({
      algorithm: [
        'The next ES256 key is published already and signs from 2027-01-31T10:30:00.000Z; one that signs at once may take its place.',
      ],
    })
    expect((await states()).map(([, state]) => state)).toEqual(['NEXT', 'SIGNING'])
    expect((await rotate()).refusal?.details.errors).toEqual({ algorithm: [expect.stringContaining('ES256')] })
    expect((await rotate({ algorithm: 'RS256' })).refusal).toBeNull()
  })

  test('one that signs at once withdraws the key that waits; the present one stays for what it signed', async () => {
    const { clock, rotate, states, published } = await startKeyrings()
    const [old] = (await published()) ?? []
    const { made: waiting } = await rotate({ algorithm: 'ES256' })
    clock.advance(1000)
    const { made } = await rotate({ algorithm: 'ES256', publishSeconds: 0 })
    expect(made).toEqual([{ kid: thumbprint, state: 'SIGNING' }])
    const [kid] = made?.map((key) => key.kid) ?? []
    expect(await states()).toEqual([
      [kid, 'SIGNING'],
      [waiting?.[0]?.kid, 'RETIRED'],
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
  ])('of %d seconds is refused', async (publishSeconds, message) => {
    const { rotate, database } = await startKeyrings()
    const { refusal } = await rotate({ publishSeconds })
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', { publishSeconds: [message] }])
    expect(await database.prisma.signingKey.count()).toBe(0)
  })
})

test('rows are read once in ten seconds, however many ask', async () => {
  const { clock, keyrings, statements } = await startKeyrings()
  const [keyring] = keyrings
  const ask = async () => keyring?.current()
  await ask()
  statements.length = 0
  for (const expected of [0, 1, 2]) {
    await Promise.all(Array.from({ length: 50 }, ask))
    expect(statements).toHaveLength(expected)
    clock.advance(10_000)
  }
  // A clock that is set back counts from there.
  clock.advance(-3_600_000)
  await ask()
  expect(statements).toHaveLength(3)
})

test('a process that slept through a rotation waits for a slow database rather than sign with a key that is over', async () => {
  const { database, clock, keyrings, rotate } = await startKeyrings()
  const [idle] = keyrings
  const ask = async () => (await idle?.current())?.jwks.keys.find(({ alg }) => alg === 'ES256')?.kid
  await ask()
  const { made } = await rotate({ algorithm: 'ES256' })
  clock.advance(3 * 3_600_000)
  const other = await database.pool.connect()
  await other.query('BEGIN; LOCK signing_keys')
  const asked = ask()
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND clock_timestamp() - query_start > interval '0.4 s'`
  await waitFor(async () => (await database.pool.query(waiting)).rowCount)
  await other.query('COMMIT')
  other.release()
  expect(await asked).toBe(made?.[0]?.kid)
})
