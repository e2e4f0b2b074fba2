import { createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { executeAs, operator } from '../support/in-process.ts'
import { authorize, createClient, createPerson, exchangeCode } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service

async function idToken(algorithm: string): Promise<string> {
  const client = await createClient(database, { idTokenAlgorithm: algorithm })
  const { body } = await exchangeCode(service, client, await authorize(service, client, await createPerson(database)))
  return body.id_token
}

/** What a client does that has never seen the keys before. */
async function verify(token: string) {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', service.url))
  const { protectedHeader } = await jwtVerify(token, keys, { issuer: service.url, clockTolerance: '1 minute' })
  return protectedHeader
}

describe.each(['ES256', 'RS256'])('ID tokens of a client registered for %s', (algorithm) => {
  test('name their key, and verify before and after it is rotated, each by its own', async () => {
    const before = await idToken(algorithm)
    const old = await verify(before)
    expect(old).toMatchObject({ alg: algorithm, kid: expect.stringMatching(/^[\w-]{43}$/) })
    const document = 'mutation ($input: RotateSigningKeysInput!) { rotateSigningKeys(input: $input) { signingKeys { kid } } }'
    const { data } = await executeAs(service, operator, document, { input: { algorithm, publishSeconds: 0 } })
    service.clock.advance(10_000)
    const after = await verify(await idToken(algorithm))
    expect(after).toEqual({ ...old, kid: data.rotateSigningKeys.signingKeys[0].kid })
    expect(after.kid).not.toBe(old.kid)
    expect(await verify(before)).toEqual(old)
  })
})

test('the published keys are public', async () => {
  const response = await fetch(`${service.url}/.well-known/jwks.json`)
  const { keys } = (await response.json()) as { keys: Record<string, string>[] }
  const names = { EC: ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'], RSA: ['alg', 'e', 'kid', 'kty', 'n', 'use'] }
  expect([response.status, new Set(keys.map(({ kty }) => kty))]).toEqual([200, new Set(['EC', 'RSA'])])
  for (const key of keys) expect(Object.keys(key).toSorted()).toEqual(names[key['kty'] as keyof typeof names])
})
