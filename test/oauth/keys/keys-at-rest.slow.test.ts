import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { isUnavailable } from '../../../prisma/connection/availability.ts'
import { openClient } from '../../../prisma/connection/database.ts'
import { decrypt, encrypt } from '../../../schema/core/encryption.ts'
import { isPlainError, getErrorMessage } from '../../../src/config/error-message.ts'
import { createKeyring } from '../../../src/oidc/keyring.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { createDatabase } from '../../support/service/database.ts'
import { startKeyrings } from '../../support/oauth/keyrings.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { startTcpProxy } from '../../support/processes/tcp-proxy.ts'

describe('a private signing key', () => {
  test('is stored encrypted: the row contains no private member of the key', async () => {
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
    ['with another SECRET_KEY', 'other '.repeat(8), ''],
    [
      'in the row of another key',
      secretKey,
      'UPDATE signing_keys k SET encrypted_private_jwk = o.encrypted_private_jwk FROM signing_keys o WHERE o.kid <> k.kid',
    ],
    [
      'with a changed byte',
      secretKey,
      `UPDATE signing_keys SET encrypted_private_jwk = set_byte(encrypted_private_jwk, 40, 255 - get_byte(encrypted_private_jwk, 40))`,
    ],
  ])('cannot be decrypted %s, and the error for the operator is one line', async (_, secretKey, change) => {
    const { database, keyrings, keyringOf } = await startKeyrings()
    await keyrings[0]?.current()
    await database.pool.query(change)
    const error = await keyringOf(database, secretKey)
      .current()
      .catch((error: unknown) => error)
    expect(isPlainError(error)).toBe(true)
    expect(getErrorMessage(error)).toMatch(
      /^SECRET_KEY differs from the one that encrypted the signing keys of this database: key [\w-]{43} cannot be decrypted$/,
    )
  })
})

describe.each(['disconnect', 'stall'] as const)('while the database is unreachable (%s)', (how) => {
  test('a process uses the keys that it read last without delay, and a process that has read none receives an error', async () => {
    const { limitedPoolConfig, drop } = await createDatabase()
    const proxy = startTcpProxy(limitedPoolConfig)
    const databases = [openClient(proxy.poolConfig), openClient(proxy.poolConfig)] as const
    afterAll(async () => {
      await proxy.restore()
      await Promise.all(databases.map((database) => database.close()))
      await proxy.close()
      await drop()
    })
    let offset = 0
    const now = () => new Date(Date.now() + offset)
    const [keyring, emptyKeyring] = databases.map((database) => createKeyring({ database, now, deriveSecret: secretDeriver(secretKey) }))
    const before = await keyring?.current()
    await proxy[how]()
    offset += 60_000
    expect(await keyring?.current()).toBe(before)
    expect(await keyring?.current()).toBe(before)
    const error = await emptyKeyring?.current().catch((error: unknown) => error)
    expect(isUnavailable(error)).toBe(true)
    await proxy.restore()
    offset += 60_000
    expect(await emptyKeyring?.current()).toEqual(before)
    expect(await keyring?.current()).toBe(before)
  })
})

describe('a ciphertext', () => {
  const [key, text, context] = [randomBytes(32), Buffer.from('plaintext'), Buffer.from('row 1')]

  test('decrypts to the plaintext and differs for each encryption', () => {
    for (const plaintext of [text, Buffer.alloc(0), randomBytes(100_000)])
      expect(decrypt([key], encrypt(key, plaintext, context), context)).toEqual(plaintext)
    expect(encrypt(key, text, context)).not.toEqual(encrypt(key, text, context))
    expect(encrypt(key, text, context)).toHaveLength(1 + 12 + 16 + text.length)
  })

  test('cannot be decrypted with another key, in another context, after a changed bit or when truncated', () => {
    const encrypted = encrypt(key, text, context)
    const decryptionError = /encrypted under another key, or was changed/
    expect(() => decrypt([randomBytes(32)], encrypted, context)).toThrow(decryptionError)
    expect(() => decrypt([key], encrypted, Buffer.from('row 2'))).toThrow(decryptionError)
    for (let bit = 0; bit < encrypted.length * 8; bit++) {
      const changed = Buffer.from(encrypted)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => decrypt([key], changed, context)).toThrow(decryptionError)
    }
    for (let length = 0; length < encrypted.length; length++)
      expect(() => decrypt([key], encrypted.subarray(0, length), context)).toThrow(decryptionError)
  })
})
