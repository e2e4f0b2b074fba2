import { describe, expect, test } from 'vitest'
import { assertionOptions, spendAssertion } from '../../schema/passkey-ceremony.ts'
import { secretDeriver } from '../../src/secret-key.ts'
import { Authenticator } from '../support/authenticator.ts'
import { executeAs, sessionOf } from '../support/in-process.ts'
import { secretKey } from '../support/pace.ts'
import { addPasskey, register } from '../support/second-factor.ts'
import { startService } from '../support/service.ts'
import { createUser } from '../support/team.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database
const authUrl = 'https://accounts.example'
const site = { now: clock.now, deriveSecret: secretDeriver(secretKey), authUrl }

async function person() {
  const user = await createUser(database)
  return { service, user, as: { ...(await sessionOf(service, user)), authenticatedAt: clock.now() } }
}
type Person = Awaited<ReturnType<typeof person>>

const options = async ({ as }: Person) =>
  (await executeAs(service, as, '{ viewer { passkeyRegistration } }')).data.viewer.passkeyRegistration as string
const list = async ({ as }: Person) =>
  (await executeAs(service, as, '{ viewer { passkeys { id name isBackedUp createdAt lastUsedAt } } }')).data.viewer.passkeys

describe('a passkey that is registered', () => {
  test('is asked to be discoverable and to verify the person, and not to be made twice', async () => {
    const someone = await person()
    const { authenticator } = await addPasskey(someone)
    expect(JSON.parse(await options(someone))).toMatchObject({
      rp: { id: 'accounts.example', name: 'accounts.example' },
      user: { id: Buffer.from(someone.user.id).toString('base64url'), name: someone.user.email, displayName: someone.user.name },
      attestation: 'none',
      excludeCredentials: [{ id: authenticator.id.toString('base64url'), type: 'public-key' }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  })

  test('is in its person’s list alone', async () => {
    const [someone, other] = [await person(), await person()]
    const { id } = await addPasskey(someone)
    expect(await list(someone)).toEqual([{ id, name: 'Laptop', isBackedUp: false, createdAt: expect.any(String), lastUsedAt: null }])
    expect(await list(other)).toEqual([])
    for (const document of [`renamePasskey(input: { id: "${id}", name: "Mine" })`, `deletePasskey(input: { id: "${id}" })`])
      expect((await executeAs(service, other.as, `mutation { ${document} { __typename } }`)).refusal?.code).toBe('not_found')
    expect(await list(someone)).toHaveLength(1)
  })

  test.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['for another site', { relyingPartyId: 'evil.example' }],
    ['without verifying the person', { isUnverified: true }],
    ['to a challenge that was not ours', { challenge: Buffer.alloc(56).toString('base64url') }],
  ])('is refused %s', async (_, lies) => {
    const someone = await person()
    const response = new Authenticator(authUrl).register(await options(someone), lies)
    const { refusal } = await executeAs(service, someone.as, register, { name: 'Laptop', response })
    expect(refusal?.details.errors).toEqual({ response: ['The passkey was not accepted. Try again.'] })
    expect(await list(someone)).toEqual([])
  })

  test.each(['', '{}', 'null', '[]', '{"id":1}', '"\\u0000"'])('is refused where the browser’s answer is %j', async (response) => {
    const { as } = await person()
    const { refusal } = await executeAs(service, as, register, { name: 'Laptop', response })
    expect(refusal?.details.errors).toEqual({ response: ['The passkey was not accepted. Try again.'] })
  })

  test('is refused to another person, after ten minutes, and a second time', async () => {
    const [someone, other] = [await person(), await person()]
    const authenticator = new Authenticator(authUrl)
    const response = authenticator.register(await options(someone))
    const attempt = async ({ as }: Person, answer = response) =>
      (await executeAs(service, as, register, { name: 'Laptop', response: answer })).refusal?.details.errors ?? null
    const refused = { response: ['The passkey was not accepted. Try again.'] }
    expect(await attempt(other)).toEqual(refused)
    const outcomes = await Promise.all([attempt(someone), attempt(someone)])
    expect(outcomes.toSorted()).toEqual([refused, null])
    expect(await attempt(someone, authenticator.register(await options(someone)))).toEqual({
      response: ['The passkey has been added already.'],
    })
    const late = new Authenticator(authUrl).register(await options(someone))
    clock.advance(600_001)
    expect(await attempt(someone, late)).toEqual(refused)
    expect(await list(someone)).toHaveLength(1)
  })
})

describe('a passkey that signs in', () => {
  const assertion = async (authenticator: Authenticator, lies = {}) => authenticator.assert(assertionOptions(site, 'here'), lies)
  const spend = (answer: string, ...parts: string[]) => spendAssertion(prisma, site, answer, ...(parts.length > 0 ? parts : ['here']))

  test('says whose it is, once, also of ten at once, and notes its use', async () => {
    const someone = await person()
    const { authenticator } = await addPasskey(someone)
    const answer = await assertion(authenticator)
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => spend(answer)))
    expect(outcomes.filter((each) => each !== null)).toEqual([someone.user.id])
    expect(await spend(answer)).toBeNull()
    expect((await list(someone))[0].lastUsedAt).not.toBeNull()
    expect(await spend(await assertion(authenticator))).toBe(someone.user.id)
  })

  test.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['for another site', { relyingPartyId: 'evil.example' }],
    ['without verifying the person', { isUnverified: true }],
    ['to a challenge that was not ours', { challenge: Buffer.alloc(56).toString('base64url') }],
    ['in the name of somebody else', { userHandle: Buffer.from('somebody').toString('base64url') }],
    ['with a counter that went back', { counter: 4 }],
    ['with a counter that stood still', { counter: 5 }],
  ])('is refused %s', async (_, lies) => {
    const someone = await person()
    const { authenticator } = await addPasskey(someone)
    expect(await spend(await assertion(authenticator, { counter: 5 }))).toBe(someone.user.id)
    authenticator.counter = 6
    expect(await spend(await assertion(authenticator, lies))).toBeNull()
  })

  test('is refused for another purpose, too late, by another key, and once it is deleted', async () => {
    const someone = await person()
    const { authenticator, id } = await addPasskey(someone)
    expect(await spend(await assertion(authenticator), 'elsewhere')).toBeNull()
    expect(await spend(await assertion(new Authenticator(authUrl)))).toBeNull()
    const answer = JSON.parse(await assertion(authenticator))
    const foreign = JSON.parse(await assertion(new Authenticator(authUrl)))
    expect(await spend(JSON.stringify({ ...foreign, id: answer.id, rawId: answer.id }))).toBeNull()
    const late = await assertion(authenticator)
    clock.advance(600_001)
    expect(await spend(late)).toBeNull()
    someone.as.authenticatedAt = clock.now()
    await executeAs(service, someone.as, `mutation { deletePasskey(input: { id: "${id}" }) { __typename } }`)
    expect(await spend(await assertion(authenticator))).toBeNull()
  })

  test.each(['', '{}', 'null', '{"id":"AA","rawId":"AA","type":"public-key","response":{}}'])(
    'is refused where the answer is %j',
    async (answer) => {
      expect(await spend(answer)).toBeNull()
    },
  )
})
