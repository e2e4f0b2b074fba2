import { afterAll, expect } from 'vitest'
import { openClient } from '../../../prisma/connection/database.ts'
import { createKeyring } from '../../../src/oidc/keyring.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { createDatabase } from '../service/database.ts'
import { executeAs, operator } from '../service/in-process.ts'
import { secretKey } from '../service/test-settings.ts'

/** A database without signing keys and six keyrings on it, as in six processes. The clock only moves by `clock.advance`. */
export async function startKeyrings() {
  const { poolConfig, drop } = await createDatabase()
  let instant = new Date('2027-01-31T09:30:00Z').getTime()
  const clock = { now: () => new Date(instant), advance: (milliseconds: number) => void (instant += milliseconds) }
  const statements: string[] = []
  const open = () => openClient(poolConfig, { onStatement: (text) => void statements.push(text) })
  const databases = Array.from({ length: 6 }, open)
  const [database = open()] = databases
  afterAll(async () => {
    await Promise.all(databases.map((each) => each.close()))
    await drop()
  })
  const keyringOf = (client: typeof database, key = secretKey) =>
    createKeyring({ database: client, now: clock.now, deriveSecret: secretDeriver(key) })
  const rotate = async (input: object = {}) => {
    const document = 'mutation ($input: RotateSigningKeysInput!) { rotateSigningKeys(input: $input) { signingKeys { kid state } } }'
    const { data, refusal } = await executeAs({ database, clock, mails: [] }, operator, document, { input })
    const created: { kid: string; state: string }[] | undefined = data?.rotateSigningKeys?.signingKeys
    return { created, refusal }
  }
  /** `[kid, state]` of each ES256 key, newest first. */
  const states = async () => {
    const { data } = await executeAs({ database, clock, mails: [] }, operator, '{ signingKeys { kid algorithm state } }')
    const signingKeys: Record<'kid' | 'algorithm' | 'state', string>[] = data.signingKeys
    return signingKeys.filter(({ algorithm }) => algorithm === 'ES256').map(({ kid, state }) => [kid, state])
  }
  const keyrings = databases.map((each) => keyringOf(each))
  /** Key IDs of the published ES256 keys, the signing key first. Checks that all keyrings agree. */
  const published = async () => {
    const all = await Promise.all(keyrings.map((keyring) => keyring.current()))
    expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(1)
    return all[0]?.jwks.keys.filter(({ alg }) => alg === 'ES256').map(({ kid }) => kid)
  }
  return { database, clock, statements, keyringOf, keyrings, rotate, states, published }
}
