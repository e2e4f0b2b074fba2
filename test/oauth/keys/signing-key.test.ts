import { generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { SigningKey } from '../../../src/oidc/signing-key.ts'

test('a signature by ES256 consists of two numbers of 32 bytes, however small they are', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = new SigningKey({ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', kid: 'test' })
  // One number in 256 starts with a zero byte, which DER omits.
  for (let count = 0; count < 2_000; count++) {
    const data = Buffer.from(`data ${count}`)
    const signature = await key.sign(data)
    expect([signature.length, verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)]).toEqual([64, true])
  }
})
