import { createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

async function issueIdToken(algorithm: string): Promise<string> {
  const { tokens } = await connectClient(service, { idTokenAlgorithm: algorithm })
  return tokens.id_token
}

/** Verifies an ID token with a newly loaded key set, as a client without a cache does. */
async function verify(token: string) {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', service.url))
  const { protectedHeader } = await jwtVerify(token, keys, { issuer: service.url, clockTolerance: '1 minute' })
  return protectedHeader
}

describe.each(['ES256', 'RS256'])('ID tokens of a client registered for %s', (algorithm) => {
  test('name their signing key and can be verified before and after a rotation', async () => {
    const before = await issueIdToken(algorithm)
    const old = await verify(before)
    expect(old).toMatchObject({ alg: algorithm, kid: expect.stringMatching(/^[\w-]{43}$/) })
    const document = 'mutation ($input: RotateSigningKeysInput!) { rotateSigningKeys(input: $input) { signingKeys { kid } } }'
    const { data } = await executeAs(service, operator, document, { input: { algorithm, publishSeconds: 0 } })
    service.clock.advance(10_000)
    const after = await verify(await issueIdToken(algorithm))
    expect(after).toEqual({ ...old, kid: data.rotateSigningKeys.signingKeys[0].kid })
    expect(after.kid).not.toBe(old.kid)
    expect(await verify(before)).toEqual(old)
  })
})

test('the key set contains only public members of each key', async () => {
  const response = await fetch(`${service.url}/.well-known/jwks.json`)
  const { keys }: { keys: Record<string, string>[] } = await response.json()
  const names: Record<string, string[]> = { EC: ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'], RSA: ['alg', 'e', 'kid', 'kty', 'n', 'use'] }
  expect([response.status, new Set(keys.map(({ kty }) => kty))]).toEqual([200, new Set(['EC', 'RSA'])])
  for (const key of keys) expect(Object.keys(key).toSorted()).toEqual(names[key['kty'] ?? ''])
})
