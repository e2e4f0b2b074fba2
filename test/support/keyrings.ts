import { afterAll, expect } from 'vitest'
import { openClient } from '../../prisma/client.ts'
import { createKeyring } from '../../src/oidc/keyring.ts'
import { secretDeriver } from '../../src/secret-key.ts'
import { createDatabase } from './database.ts'
import { executeAs, operator } from './in-process.ts'
import { secretKey } from './pace.ts'

/** A database without a key, and processes on it whose clock stands still until it is moved. */
export async function startKeyrings() {
  const { poolConfig, drop } = await createDatabase()
  let instant = new Date('2027-01-31T09:30:00Z').getTime()
  const clock = { now: () => new Date(instant), advance: (milliseconds: number) => void (instant += milliseconds) }
  const statements: string[] = []
  const open = () => openClient(poolConfig, { onStatement: (text) => statements.push(text) })
  const databases = Array.from({ length: 6 }, open)
  const [database = open()] = databases
  afterAll(async () => {
    await Promise.all(databases.map((each) => each.close()))
    await drop()
  })
  const keyringOf = (each: typeof database, key = secretKey) =>
    createKeyring({ database: each, now: clock.now, deriveSecret: secretDeriver(key) })
  const rotate = async (input: object = {}) => {
    const document = 'mutation ($input: RotateSigningKeysInput!) { rotateSigningKeys(input: $input) { signingKeys { kid state } } }'
    const { data, refusal } = await executeAs({ database, clock, mails: [] }, operator, document, { input })
    return { made: data?.rotateSigningKeys.signingKeys as { kid: string; state: string }[] | undefined, refusal }
  }
  /** Of ES256: each key with what it does, the newest first. */
  const states = async () => {
    const { data } = await executeAs({ database, clock, mails: [] }, operator, '{ signingKeys { kid algorithm state } }')
    return (data.signingKeys as Record<'kid' | 'algorithm' | 'state', string>[])
      .filter(({ algorithm }) => algorithm === 'ES256')
      .map(({ kid, state }) => [kid, state])
  }
  const keyrings = databases.map((each) => keyringOf(each))
  /** What every process publishes of ES256, the key that signs first; they must agree. */
  const published = async () => {
    const all = await Promise.all(keyrings.map((keyring) => keyring.current()))
    expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(1)
    return all[0]?.jwks.keys.filter(({ alg }) => alg === 'ES256').map(({ kid }) => kid)
  }
  return { database, clock, statements, keyringOf, keyrings, rotate, states, published }
}
