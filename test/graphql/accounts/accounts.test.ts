import { describe, expect, test } from 'vitest'
import { executeAs, sessionOf, anonymous } from '../../support/service/in-process.ts'
import { lastLink } from '../../support/mail/links.ts'
import { createSession } from '../../support/data/session-row.ts'
import { createTestBrowser } from '../../support/service/test-browser.ts'
import { rateLimited } from '../../../schema/core/errors.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, createUser, join, unique } from '../../support/data/team.ts'
import {
  changePassword,
  confirmEmailChange,
  deleteAccount,
  requestEmailChange,
  requestPasswordReset,
  resendVerification,
  resetPassword,
  signUp,
  verifyEmail,
} from '../../support/graphql/scenarios/account-scenarios.ts'

// Errors and concurrent requests of account operations. The tests of the pages are in test/account-site.

const service = useService()
const { database, clock } = service
const { prisma } = database
const password = 'correct horse battery'
const signUpLimit = { policy: 'sign-up', quota: 3, windowSeconds: 900 }
const createAddress = () => `${unique('new')}@example.test`
const invalidLink = { token: ['This link was already used, has expired, or was replaced by a newer one. Request a new link.'] }

const createAccount = async (data: Parameters<typeof createUser>[1] = {}) => {
  const user = await createUser(database, data)
  return { user, principal: await sessionOf(service, user) }
}
const runConcurrently = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

describe('a mail link', () => {
  test.each([
    ['resetPassword', resetPassword, { password }],
    ['verifyEmail', verifyEmail, {}],
    ['confirmEmailChange', confirmEmailChange, {}],
  ])('with an unknown token or of another kind is rejected by %s', async (_, document, input) => {
    const { user, principal } = await createAccount({ emailVerified: false })
    await executeAs(service, principal, resendVerification)
    const verification = await lastLink(service, user.id)
    await executeAs(service, anonymous, requestPasswordReset, { input: { email: user.email } })
    const tokens = ['', 'x', '\0', 'x'.repeat(10_000), document === verifyEmail ? await lastLink(service, user.id) : verification]
    const before = await prisma.user.findMany()
    for (const token of tokens) {
      const { refusal } = await executeAs(service, principal, document, { input: { token, ...input } })
      expect([refusal?.code, Object.keys(refusal?.details.errors ?? {})]).toEqual(['validation_failed', ['token']])
    }
    expect(await prisma.user.findMany()).toEqual(before)
  })

  test('of another account is rejected and stays valid', async () => {
    const [owner, other] = [await createAccount({ emailVerified: false }), await createAccount({ emailVerified: false })]
    await executeAs(service, owner.principal, resendVerification)
    const input = { token: await lastLink(service, owner.user.id) }
    const { refusal } = await executeAs(service, other.principal, verifyEmail, { input })
    expect(refusal?.details.errors).toEqual({ token: ['This link belongs to another account. Sign in to that account.'] })
    expect((await executeAs(service, owner.principal, verifyEmail, { input })).refusal).toBeNull()
  })

  test('is accepted by only one of ten concurrent requests', async () => {
    const { user, principal } = await createAccount({ emailVerified: false })
    await executeAs(service, principal, resendVerification)
    const input = { token: await lastLink(service, user.id) }
    const outcomes = await runConcurrently(10, () => executeAs(service, principal, verifyEmail, { input }))
    const refusals = outcomes.filter(({ refusal }) => refusal !== null)
    expect([refusals.length, refusals[0]?.refusal?.details.errors]).toEqual([9, invalidLink])
  })

  test('used while newer links are requested causes no internal error', { timeout: 60_000 }, async () => {
    for (let round = 0; round < 20; round++) {
      const { user, principal } = await createAccount({ emailVerified: false })
      await executeAs(service, principal, resendVerification)
      const input = { token: await lastLink(service, user.id) }
      const [verification] = await Promise.all([
        executeAs(service, principal, verifyEmail, { input }),
        executeAs(service, principal, resendVerification),
        executeAs(service, anonymous, requestPasswordReset, { input: { email: user.email } }),
        executeAs(service, anonymous, signUp, { input: { email: user.email, name: 'N', password } }),
      ])
      expect([undefined, 'validation_failed']).toContain(verification.refusal?.code)
    }
  })
})

describe('an email address', () => {
  test('has one account after eight concurrent sign-ups', async () => {
    const email = createAddress()
    const outcomes = await runConcurrently(8, (index) =>
      executeAs(service, anonymous, signUp, { input: { email, name: `N${index}`, password } }),
    )
    expect(outcomes.map(({ data, refusal }) => [data, refusal])).toEqual(outcomes.map(() => [{ signUp: { email } }, null]))
    expect(await prisma.user.count({ where: { email } })).toBe(1)
    expect(await prisma.mailLink.count({ where: { email, kind: 'verify_email' } })).toBe(1)
  })

  test('belongs to one account after two users confirm it concurrently', async () => {
    const email = createAddress()
    const links = await runConcurrently(2, async () => {
      const { user, principal } = await createAccount()
      await executeAs(service, principal, requestEmailChange, { input: { email } })
      return { principal, token: await lastLink(service, user.id) }
    })
    const outcomes = await Promise.all(
      links.map(({ principal, token }) => executeAs(service, principal, confirmEmailChange, { input: { token } })),
    )
    expect(outcomes.map(({ refusal }) => refusal?.details.errors).filter(Boolean)).toEqual([
      { email: ['The email has already been taken.'] },
    ])
  })

  test('causes the same statements in a password reset whether or not it has an account', async () => {
    const { user } = await createAccount()
    const recordStatements = async (email: string) => {
      service.statements.length = 0
      await executeAs(service, anonymous, requestPasswordReset, { input: { email } })
      // Both end the savepoint. Only for an account its statements remain.
      return service.statements.map((statement) => statement.replace(/^(?:RELEASE|ROLLBACK TO) SAVEPOINT/, 'end of'))
    }
    await recordStatements(createAddress())
    expect(await recordStatements(user.email)).toEqual(await recordStatements(createAddress()))
    for (let mail = 0; mail < 5; mail++) await recordStatements(user.email)
    expect(await recordStatements(user.email)).toEqual(await recordStatements(createAddress()))
  })
})

test('each of 200 password resets in one document counts, and all after the last allowed one are refused', async () => {
  const browser = createTestBrowser()
  let attempts = 0
  const attempt = () => (++attempts > 3 ? Promise.reject(rateLimited(signUpLimit, 900)) : Promise.resolve())
  browser.attemptLimits = { ...browser.attemptLimits, signUp: { ...browser.attemptLimits.signUp, attempt } }
  const email = createAddress()
  const fields = Array.from({ length: 200 }, (_, index) => `a${index}: requestPasswordReset(input: { email: "${email}" }) { email }`)
  const { data, refusal } = await executeAs(service, anonymous, `mutation { ${fields.join('\n')} }`, {}, undefined, browser)
  const allowed = Object.values(data).filter((payload) => payload !== null)
  expect([attempts, allowed.length, refusal?.code]).toEqual([200, 3, 'rate_limited'])
  expect(await prisma.auditEntry.count({ where: { subject: email } })).toBe(0)
})

test.each([
  ['verifyEmail', verifyEmail],
  ['confirmEmailChange', confirmEmailChange],
])('%s requires a session', async (_, document) => {
  const { refusal } = await executeAs(service, anonymous, document, { input: { token: 'x' } })
  expect(refusal?.code).toBe('session_required')
})

test('resendVerification rejects a verified address', async () => {
  const { principal } = await createAccount()
  const { refusal } = await executeAs(service, principal, resendVerification)
  expect(refusal?.details.errors).toEqual({ email: ['This email address is already verified.'] })
})

test.each([
  ['changePassword', changePassword, { newPassword: password }],
  ['requestEmailChange', requestEmailChange, { email: createAddress() }],
  ['deleteAccount', deleteAccount, undefined],
])('%s requires a recent sign-in', async (_, document, input) => {
  const { user, principal } = await createAccount()
  const staleSession = { ...principal, authenticatedAt: new Date(clock.now().getTime() - 16 * 60_000) }
  expect((await executeAs(service, staleSession, document, input && { input })).refusal?.code).toBe('recent_sign_in_required')
  expect(await prisma.user.findUnique({ where: { id: user.id } })).toEqual(user)
})

test('changePassword ends only the other sessions of the user', async () => {
  const { user, principal } = await createAccount()
  const other = await createAccount()
  const [currentSession, , foreignSession] = [
    await createSession(database, user),
    await createSession(database, user),
    await createSession(database, other.user),
  ]
  await executeAs(service, { ...principal, credentialId: currentSession.id }, changePassword, { input: { newPassword: password } })
  const remaining = await prisma.session.findMany({ where: { userId: { in: [user.id, other.user.id] } } })
  expect(remaining.map(({ id }) => id).toSorted()).toEqual([currentSession.id, foreignSession.id].toSorted())
})

test('deleteAccount returns the teams whose last owner the user is and deletes nothing', async () => {
  const { user, principal } = await createAccount()
  const teams = await runConcurrently(2, async (index) => createTeam(database, { slug: unique(`last-${index}`), name: `Team ${index}` }))
  for (const team of teams) await join(database, team, user, 'owner')
  const { refusal } = await executeAs(service, principal, deleteAccount)
  expect([refusal?.code, refusal?.message, refusal?.details.errors]).toEqual([
    'last_owner',
    `The team Team 0 (${teams[0]?.slug}) must keep at least one owner. (and 1 more error)`,
    { role: teams.map(({ name, slug }) => `The team ${name} (${slug}) must keep at least one owner.`) },
  ])
  expect(await prisma.user.count({ where: { id: user.id } })).toBe(1)
})
