import { describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import type { Principal } from '../../../schema/core/principals.ts'
import { addPasskey, enableTotp, enablePasskeyFactor } from '../../support/data/second-factor.ts'
import { totpCode } from '../../support/data/totp.ts'
import {
  completeSignIn,
  completeSignInWithPasskey,
  confirmSignIn,
  confirmSignInWithPasskey,
  signIn,
  signInWithPasskey,
} from '../../support/graphql/sign-in-operations.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { anonymous, executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createTestBrowser } from '../../support/service/test-browser.ts'
import type { TestBrowser } from '../../support/service/test-browser.ts'

// The operations behind the sign-in pages. The pages: test/account-site/sign-in. Other interfaces: sign-in-refusals.test.ts.

const service = useService()

async function createAccount() {
  const user = await createPerson(service.database)
  return { service, user, principal: { ...(await sessionOf(service, user)), authenticatedAt: service.clock.now() } }
}
const execute = (principal: Principal, document: string, browser: TestBrowser | null, input?: object) =>
  executeAs(service, principal, document, { input }, undefined, browser)
const digestOf = expect.stringMatching(/^[0-9a-f]{64}$/)
const rejectedPasskey = { response: ['The passkey was not accepted. Try again.'] }

const challengeFor = {
  signIn: async () => (await executeAs(service, anonymous, '{ passkeySignIn }')).data.passkeySignIn,
  completion: async (browser: TestBrowser) =>
    (await execute(anonymous, '{ pendingSignIn { methods passkeySignIn } }', browser)).data.pendingSignIn.passkeySignIn,
  confirmation: async (principal: Principal) =>
    (await executeAs(service, principal, '{ viewer { passkeyConfirmation } }')).data.viewer.passkeyConfirmation,
}

describe('a sign-in step with correct credentials', () => {
  const expectSignedIn = async (name: string, principal: Principal, document: string, input: object, browser: TestBrowser, user: User) => {
    const entries = await service.database.prisma.auditEntry.count()
    const { data, refusal } = await execute(principal, document, browser, input)
    expect([refusal, data]).toEqual([null, { [name]: { isSignedIn: true } }])
    expect(await service.database.prisma.auditEntry.count()).toBe(entries)
    expect(browser.findPendingSignIn()).toBeNull()
    expect(browser.proofs.map(({ userId }) => userId)).toEqual([user.id])
    return browser.proofs[0]
  }

  test('signs in with a password, bound to the digest of its hash, and writes no audit entry', async () => {
    const { user } = await createAccount()
    const proof = await expectSignedIn('signIn', anonymous, signIn, { email: user.email, password }, createTestBrowser(), user)
    expect(proof).toEqual({ userId: user.id, methods: ['pwd'], passwordDigest: digestOf })
  })

  test('signs in with a passkey and writes no audit entry', async () => {
    const { user, principal } = await createAccount()
    const { authenticator } = await addPasskey({ service, principal })
    const response = authenticator.assert(await challengeFor.signIn())
    const proof = await expectSignedIn('signInWithPasskey', anonymous, signInWithPasskey, { response }, createTestBrowser(), user)
    expect(proof).toEqual({ userId: user.id, methods: ['hwk'], passwordDigest: null })
  })

  test('completes a pending sign-in with a code and keeps the digest of the password', async () => {
    const { user, principal } = await createAccount()
    const { secret } = await enableTotp({ service, principal })
    const browser = createTestBrowser()
    const first = await execute(anonymous, signIn, browser, { email: user.email, password })
    expect([first.data.signIn, browser.proofs]).toEqual([{ isSignedIn: false }, []])
    expect(browser.findPendingSignIn()).toEqual({ userId: user.id, methods: ['pwd'], passwordDigest: digestOf })
    service.clock.advance(30_000)
    const code = totpCode(secret, service.clock.now())
    const proof = await expectSignedIn('completeSignIn', anonymous, completeSignIn, { code }, browser, user)
    expect(proof).toEqual({ userId: user.id, methods: ['pwd', 'otp'], passwordDigest: digestOf })
  })

  test('completes a pending sign-in with a passkey', async () => {
    const { user, principal } = await createAccount()
    const { authenticator } = await enablePasskeyFactor({ service, principal })
    const browser = createTestBrowser({ userId: user.id, methods: ['pwd'], passwordDigest: null })
    const response = authenticator.assert(await challengeFor.completion(browser))
    const proof = await expectSignedIn('completeSignInWithPasskey', anonymous, completeSignInWithPasskey, { response }, browser, user)
    expect(proof?.methods).toEqual(['pwd', 'hwk'])
  })

  test('confirms a session with the password of its user', async () => {
    const { user, principal } = await createAccount()
    const proof = await expectSignedIn('confirmSignIn', principal, confirmSignIn, { password }, createTestBrowser(), user)
    expect(proof?.methods).toEqual(['pwd'])
  })

  test('confirms a session with a passkey of its user', async () => {
    const { user, principal } = await createAccount()
    const { authenticator } = await addPasskey({ service, principal })
    const response = authenticator.assert(await challengeFor.confirmation(principal))
    const proof = await expectSignedIn(
      'confirmSignInWithPasskey',
      principal,
      confirmSignInWithPasskey,
      { response },
      createTestBrowser(),
      user,
    )
    expect(proof?.methods).toEqual(['hwk'])
  })
})

describe('a passkey in a sign-in step', () => {
  test('is accepted only for the purpose and the account of its challenge', async () => {
    const { user, principal } = await createAccount()
    const { authenticator } = await enablePasskeyFactor({ service, principal })
    const pending = () => createTestBrowser({ userId: user.id, methods: ['pwd'], passwordDigest: null })
    const challenges = [await challengeFor.signIn(), await challengeFor.completion(pending()), await challengeFor.confirmation(principal)]
    const steps = [
      [anonymous, signInWithPasskey],
      [anonymous, completeSignInWithPasskey],
      [principal, confirmSignInWithPasskey],
    ] as const
    for (const [step, [principal, document]] of steps.entries())
      for (const [purpose, challenge] of challenges.entries()) {
        if (purpose === step) continue
        const browser = pending()
        const { refusal } = await execute(principal, document, browser, { response: authenticator.assert(challenge) })
        expect([refusal?.details.errors, browser.proofs]).toEqual([rejectedPasskey, []])
      }
  })

  test('of another account neither confirms a session nor completes a pending sign-in', async () => {
    const [one, other] = [await createAccount(), await createAccount()]
    await enablePasskeyFactor(one)
    const { authenticator } = await addPasskey(other)
    const browser = createTestBrowser({ userId: one.user.id, methods: ['pwd'], passwordDigest: null })
    const otherAccount = { response: ['This passkey belongs to another account.'] }
    const completion = { response: authenticator.assert(await challengeFor.completion(browser)) }
    expect((await execute(anonymous, completeSignInWithPasskey, browser, completion)).refusal?.details.errors).toEqual(otherAccount)
    const confirmation = { response: authenticator.assert(await challengeFor.confirmation(one.principal)) }
    expect((await execute(one.principal, confirmSignInWithPasskey, browser, confirmation)).refusal?.details.errors).toEqual(otherAccount)
    expect([browser.proofs, browser.findPendingSignIn()?.userId]).toEqual([[], one.user.id])
  })
})

test('confirmSignIn rejects the password of another account', async () => {
  const [one, other] = [await createAccount(), await createAccount()]
  await service.database.prisma.user.update({ where: { id: one.user.id }, data: { passwordHash: null } })
  const browser = createTestBrowser()
  const { refusal } = await execute({ ...one.principal, user: { ...one.user, email: other.user.email } }, confirmSignIn, browser, {
    password,
  })
  expect([refusal?.details.errors, browser.proofs]).toEqual([{ password: ['The password is incorrect.'] }, []])
})

test('completeSignIn returns unauthenticated if no sign-in is pending', async () => {
  const browser = createTestBrowser()
  expect((await execute(anonymous, completeSignIn, browser, { code: '000000' })).refusal?.code).toBe('unauthenticated')
  expect((await execute(anonymous, completeSignInWithPasskey, browser, { response: '{}' })).refusal?.code).toBe('unauthenticated')
  expect((await execute(anonymous, '{ pendingSignIn { methods } }', browser)).data).toEqual({ pendingSignIn: null })
})

test('signIn is not available to the operator, who has no browser', async () => {
  const { user } = await createAccount()
  const { refusal } = await execute(operator, signIn, null, { email: user.email, password })
  expect(refusal?.code).toBe('session_required')
})
