import { describe, expect, test } from 'vitest'
import { assertionOptions, spendAssertion } from '../../../schema/security/passkeys/passkey-assertion.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { Authenticator } from '../../support/browser/authenticator.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { addPasskey, registerPasskey } from '../../support/data/second-factor.ts'
import { useService } from '../../support/service/service.ts'
import { createUser } from '../../support/data/team.ts'

const service = useService()
const { database, clock } = service
const authUrl = 'https://accounts.example'
const site = { now: clock.now, deriveSecret: secretDeriver(secretKey), authUrl }

async function createAccount() {
  const user = await createUser(database)
  return { service, user, principal: { ...(await sessionOf(service, user)), authenticatedAt: clock.now() } }
}
type Account = Awaited<ReturnType<typeof createAccount>>

const readRegistrationOptions = async ({ principal }: Account): Promise<string> =>
  (await executeAs(service, principal, '{ viewer { passkeyRegistration } }')).data.viewer.passkeyRegistration
const listPasskeys = async ({ principal }: Account) =>
  (await executeAs(service, principal, '{ viewer { passkeys { id: passkeyId name isBackedUp createdAt lastUsedAt } } }')).data.viewer
    .passkeys

describe('the registration of a passkey', () => {
  test('requests a discoverable credential with user verification and excludes existing passkeys', async () => {
    const account = await createAccount()
    const { authenticator } = await addPasskey(account)
    expect(JSON.parse(await readRegistrationOptions(account))).toMatchObject({
      rp: { id: 'accounts.example', name: 'accounts.example' },
      user: { id: Buffer.from(account.user.id).toString('base64url'), name: account.user.email, displayName: account.user.name },
      attestation: 'none',
      excludeCredentials: [{ id: authenticator.id.toString('base64url'), type: 'public-key' }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  })

  test('adds the passkey only to the list of its user', async () => {
    const [account, other] = [await createAccount(), await createAccount()]
    const { id } = await addPasskey(account)
    expect(await listPasskeys(account)).toEqual([
      { id, name: 'Laptop', isBackedUp: false, createdAt: expect.any(String), lastUsedAt: null },
    ])
    expect(await listPasskeys(other)).toEqual([])
    for (const document of [`renamePasskey(input: { id: "${id}", name: "Mine" })`, `deletePasskey(input: { id: "${id}" })`])
      expect((await executeAs(service, other.principal, `mutation { ${document} { __typename } }`)).refusal?.code).toBe('not_found')
    expect(await listPasskeys(account)).toHaveLength(1)
  })

  test.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['for another site', { relyingPartyId: 'evil.example' }],
    ['without user verification', { isUnverified: true }],
    ['for an unknown challenge', { challenge: Buffer.alloc(56).toString('base64url') }],
  ])('is rejected %s', async (_, manipulation) => {
    const account = await createAccount()
    const response = new Authenticator(authUrl).register(await readRegistrationOptions(account), manipulation)
    const { refusal } = await executeAs(service, account.principal, registerPasskey, { name: 'Laptop', response })
    expect(refusal?.details.errors).toEqual({ response: ['The passkey was not accepted. Try again.'] })
    expect(await listPasskeys(account)).toEqual([])
  })

  test.each(['', '{}', 'null', '[]', '{"id":1}', '"\\u0000"'])('rejects the browser response %j', async (response) => {
    const { principal } = await createAccount()
    const { refusal } = await executeAs(service, principal, registerPasskey, { name: 'Laptop', response })
    expect(refusal?.details.errors).toEqual({ response: ['The passkey was not accepted. Try again.'] })
  })

  test('rejects a response of another user, after ten minutes, and a second time', async () => {
    const [account, other] = [await createAccount(), await createAccount()]
    const authenticator = new Authenticator(authUrl)
    const response = authenticator.register(await readRegistrationOptions(account))
    const attempt = async ({ principal }: Account, passkeyResponse = response) =>
      (await executeAs(service, principal, registerPasskey, { name: 'Laptop', response: passkeyResponse })).refusal?.details.errors ?? null
    const rejected = { response: ['The passkey was not accepted. Try again.'] }
    expect(await attempt(other)).toEqual(rejected)
    const outcomes = await Promise.all([attempt(account), attempt(account)])
    expect(outcomes.toSorted()).toEqual([rejected, null])
    expect(await attempt(account, authenticator.register(await readRegistrationOptions(account)))).toEqual({
      response: ['This passkey was already added.'],
    })
    const late = new Authenticator(authUrl).register(await readRegistrationOptions(account))
    clock.advance(600_001)
    expect(await attempt(account, late)).toEqual(rejected)
    expect(await listPasskeys(account)).toHaveLength(1)
  })
})

describe('the assertion of a passkey', () => {
  const assertion = async (authenticator: Authenticator, manipulation = {}) =>
    authenticator.assert(assertionOptions(site, 'here'), manipulation)
  const spend = async (response: string, ...parts: string[]) =>
    (await spendAssertion(service.database, site, response, ...(parts.length > 0 ? parts : ['here'])))?.userId ?? null

  test('identifies the user once, also in ten concurrent requests, and records the last use', async () => {
    const account = await createAccount()
    const { authenticator } = await addPasskey(account)
    const response = await assertion(authenticator)
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => spend(response)))
    expect(outcomes.filter((each) => each !== null)).toEqual([account.user.id])
    expect(await spend(response)).toBeNull()
    expect((await listPasskeys(account))[0].lastUsedAt).not.toBeNull()
    expect(await spend(await assertion(authenticator))).toBe(account.user.id)
  })

  test.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['for another site', { relyingPartyId: 'evil.example' }],
    ['without user verification', { isUnverified: true }],
    ['for an unknown challenge', { challenge: Buffer.alloc(56).toString('base64url') }],
    ['with the user handle of another user', { userHandle: Buffer.from('unknown').toString('base64url') }],
    ['with a decreased counter', { counter: 4 }],
    ['with an unchanged counter', { counter: 5 }],
  ])('is rejected %s', async (_, manipulation) => {
    const account = await createAccount()
    const { authenticator } = await addPasskey(account)
    expect(await spend(await assertion(authenticator, { counter: 5 }))).toBe(account.user.id)
    authenticator.counter = 6
    expect(await spend(await assertion(authenticator, manipulation))).toBeNull()
  })

  test('is rejected for another purpose, after ten minutes, with another key, and after the passkey was deleted', async () => {
    const account = await createAccount()
    const { authenticator, id } = await addPasskey(account)
    expect(await spend(await assertion(authenticator), 'other')).toBeNull()
    expect(await spend(await assertion(new Authenticator(authUrl)))).toBeNull()
    const response = JSON.parse(await assertion(authenticator))
    const foreignResponse = JSON.parse(await assertion(new Authenticator(authUrl)))
    expect(await spend(JSON.stringify({ ...foreignResponse, id: response.id, rawId: response.id }))).toBeNull()
    const late = await assertion(authenticator)
    clock.advance(600_001)
    expect(await spend(late)).toBeNull()
    account.principal.authenticatedAt = clock.now()
    await executeAs(service, account.principal, `mutation { deletePasskey(input: { id: "${id}" }) { __typename } }`)
    expect(await spend(await assertion(authenticator))).toBeNull()
  })

  test.each(['', '{}', 'null', '{"id":"AA","rawId":"AA","type":"public-key","response":{}}'])(
    'is rejected with the browser response %j',
    async (response) => {
      expect(await spend(response)).toBeNull()
    },
  )
})
