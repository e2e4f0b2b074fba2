import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { isUnavailable } from '../../prisma/availability.ts'
import { openClient } from '../../prisma/client.ts'
import { open, seal } from '../../schema/sealed.ts'
import { isPlainError } from '../../src/failure.ts'
import { createKeyring } from '../../src/oidc/keyring.ts'
import { secretDeriver } from '../../src/secret-key.ts'
import { createDatabase } from '../support/database.ts'
import { startKeyrings } from '../support/keyrings.ts'
import { secretKey } from '../support/pace.ts'
import { layWire } from '../support/wire.ts'

describe('a private key', () => {
  test('is stored sealed: nothing of it is in the row', async () => {
    const { database, keyrings } = await startKeyrings()
    const { jwks } = (await keyrings[0]?.current()) ?? { jwks: { keys: [] } }
    const { rows } = await database.pool.query<{ text: string }>('SELECT k::text AS text FROM signing_keys k')
    const dump = rows.map(({ text }) => text).join()
    for (const key of jwks.keys) {
      expect(dump).toContain(key.kid)
      for (const part of [key.d, key.p, key.q, key.dp, key.dq, key.qi]) {
        if (part === undefined) continue
        expect(dump).not.toContain(part)
        expect(dump).not.toContain(Buffer.from(part).toString('hex'))
        expect(dump).not.toContain(Buffer.from(part, 'base64url').toString('hex'))
      }
    }
  })

  test.each([
    ['under another SECRET_KEY', 'other '.repeat(8), ''],
    [
      'in the place of another',
      secretKey,
      'UPDATE signing_keys k SET encrypted_private_jwk = o.encrypted_private_jwk FROM signing_keys o WHERE o.kid <> k.kid',
    ],
    [
      'whose bytes were changed',
      secretKey,
      `UPDATE signing_keys SET encrypted_private_jwk = set_byte(encrypted_private_jwk, 40, 255 - get_byte(encrypted_private_jwk, 40))`,
    ],
  ])('does not open %s: the operator reads so in one line', async (_, secretKey, change) => {
    const { database, keyrings, keyringOf } = await startKeyrings()
    await keyrings[0]?.current()
    await database.pool.query(change)
    const error = await keyringOf(database, secretKey)
      .current()
      .catch((error: unknown) => error)
    expect(isPlainError(error)).toBe(true)
    expect((error as Error).message).toMatch(
      /^SECRET_KEY is not the one that the signing keys of this database were stored under: key [\w-]{43} does not open$/,
    )
  })
})

describe.each(['cut', 'dangle'] as const)('while the database is away (%s)', (how) => {
  test('the keys last read serve without a wait; a process that never read any has none', async () => {
    const { poolConfig, drop } = await createDatabase()
    const wire = await layWire(poolConfig)
    const databases = [openClient(wire.poolConfig), openClient(wire.poolConfig)] as const
    afterAll(async () => {
      await wire.mend()
      await Promise.all(databases.map((database) => database.close()))
      await wire.close()
      await drop()
    })
    let late = 0
    const now = () => new Date(Date.now() + late)
    const [keyring, stranger] = databases.map((database) => createKeyring({ database, now, deriveSecret: secretDeriver(secretKey) }))
    const before = await keyring?.current()
    await wire[how]()
    late += 60_000
    const asked = performance.now()
    expect(await keyring?.current()).toBe(before)
    expect(await keyring?.current()).toBe(before)
    expect(performance.now() - asked).toBeLessThan(1000)
    const error = await stranger?.current().catch((error: unknown) => error)
    expect(isUnavailable(error)).toBe(true)
    await wire.mend()
    late += 60_000
    expect(await stranger?.current()).toEqual(before)
    expect(await keyring?.current()).toBe(before)
  })
})

describe('a seal', () => {
  const [key, text, place] = [randomBytes(32), Buffer.from('what is kept'), Buffer.from('row 1')]

  test('opens to what was sealed, and is another each time', () => {
    for (const plaintext of [text, Buffer.alloc(0), randomBytes(100_000)])
      expect(open(key, seal(key, plaintext, place), place)).toEqual(plaintext)
    expect(seal(key, text, place)).not.toEqual(seal(key, text, place))
    expect(seal(key, text, place)).toHaveLength(1 + 12 + 16 + text.length)
  })

  test('opens under no other key, in no other place, and not when a bit of it is another', () => {
    const sealed = seal(key, text, place)
    const broken = /this is no seal|unable to authenticate data/
    expect(() => open(randomBytes(32), sealed, place)).toThrow(broken)
    expect(() => open(key, sealed, Buffer.from('row 2'))).toThrow(broken)
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => open(key, changed, place)).toThrow(broken)
    }
    for (let length = 0; length < sealed.length; length++) expect(() => open(key, sealed.subarray(0, length), place)).toThrow(broken)
  })
})
