import { describe, expect, test } from 'vitest'
import { executeAs, sessionOf, visitor } from '../support/in-process.ts'
import { lastLink } from '../support/links.ts'
import { createSession } from '../support/session-row.ts'
import { startService } from '../support/service.ts'
import { createTeam, createUser, join, unique } from '../support/team.ts'
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
} from './account-scenarios.ts'

// What is refused, and what holds with many at once. The pages that ask for it: test/account-site.

const service = await startService()
const { database, clock } = service
const { prisma } = database
const password = 'correct horse battery'
const newAddress = () => `${unique('new')}@example.test`
const ended = { token: ['The link was used, is too old, or a newer one was sent. Ask for a new one.'] }

const person = async (data: Parameters<typeof createUser>[1] = {}) => {
  const user = await createUser(database, data)
  return { user, as: await sessionOf(service, user) }
}
const many = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

describe('a link', () => {
  test.each([
    ['resetPassword', resetPassword, { password }],
    ['verifyEmail', verifyEmail, {}],
    ['confirmEmailChange', confirmEmailChange, {}],
  ])('that never was, or is of another kind, is refused by %s', async (_, document, input) => {
    const { user, as } = await person({ emailVerified: false })
    await executeAs(service, as, resendVerification)
    const verification = await lastLink(service, user.id)
    await executeAs(service, visitor, requestPasswordReset, { input: { email: user.email } })
    const tokens = ['', 'x', '\0', 'x'.repeat(10_000), document === verifyEmail ? await lastLink(service, user.id) : verification]
    const before = await prisma.user.findMany()
    for (const token of tokens) {
      const { refusal } = await executeAs(service, as, document, { input: { token, ...input } })
      expect([refusal?.code, Object.keys(refusal?.details.errors ?? {})]).toEqual(['validation_failed', ['token']])
    }
    expect(await prisma.user.findMany()).toEqual(before)
  })

  test('of another account is refused, and stays what it was', async () => {
    const [owner, other] = [await person({ emailVerified: false }), await person({ emailVerified: false })]
    await executeAs(service, owner.as, resendVerification)
    const input = { token: await lastLink(service, owner.user.id) }
    const { refusal } = await executeAs(service, other.as, verifyEmail, { input })
    expect(refusal?.details.errors).toEqual({ token: ['The link is of another account. Sign in to the one it was made for.'] })
    expect((await executeAs(service, owner.as, verifyEmail, { input })).refusal).toBeNull()
  })

  test('is used once, though many come at once', async () => {
    const { user, as } = await person({ emailVerified: false })
    await executeAs(service, as, resendVerification)
    const input = { token: await lastLink(service, user.id) }
    const outcomes = await many(10, () => executeAs(service, as, verifyEmail, { input }))
    const refusals = outcomes.filter(({ refusal }) => refusal !== null)
    expect([refusals.length, refusals[0]?.refusal?.details.errors]).toEqual([9, ended])
  })

  test('used while a newer one is asked for is a wait, never a fault', { timeout: 60_000 }, async () => {
    for (let round = 0; round < 20; round++) {
      const { user, as } = await person({ emailVerified: false })
      await executeAs(service, as, resendVerification)
      const input = { token: await lastLink(service, user.id) }
      const [used] = await Promise.all([
        executeAs(service, as, verifyEmail, { input }),
        executeAs(service, as, resendVerification),
        executeAs(service, visitor, requestPasswordReset, { input: { email: user.email } }),
        executeAs(service, visitor, signUp, { input: { email: user.email, name: 'N', password } }),
      ])
      expect([undefined, 'validation_failed']).toContain(used.refusal?.code)
    }
  })
})

describe('one address', () => {
  test('many who sign up with it at once make one account', async () => {
    const email = newAddress()
    const outcomes = await many(8, (index) => executeAs(service, visitor, signUp, { input: { email, name: `N${index}`, password } }))
    expect(outcomes.map(({ data, refusal }) => [data, refusal])).toEqual(outcomes.map(() => [{ signUp: { email } }, null]))
    expect(await prisma.user.count({ where: { email } })).toBe(1)
    expect(await prisma.mailLink.count({ where: { email, kind: 'verify_email' } })).toBe(1)
  })

  test('two who confirm it as their new one at once: one has it', async () => {
    const email = newAddress()
    const links = await many(2, async () => {
      const { user, as } = await person()
      await executeAs(service, as, requestEmailChange, { input: { email } })
      return { as, token: await lastLink(service, user.id) }
    })
    const outcomes = await Promise.all(links.map(({ as, token }) => executeAs(service, as, confirmEmailChange, { input: { token } })))
    expect(outcomes.map(({ refusal }) => refusal?.details.errors).filter(Boolean)).toEqual([
      { email: ['The email has already been taken.'] },
    ])
  })

  test('a stranger’s asking takes the same statements as an owner’s', async () => {
    const { user } = await person()
    const sent = async (email: string) => {
      service.statements.length = 0
      await executeAs(service, visitor, requestPasswordReset, { input: { email } })
      return service.statements.map((statement) => statement)
    }
    await sent(newAddress())
    expect(await sent(user.email)).toEqual(await sent(newAddress()))
    for (let mail = 0; mail < 5; mail++) await sent(user.email)
    expect(await sent(user.email)).toEqual(await sent(newAddress()))
  })
})

test.each([
  ['verifyEmail', verifyEmail],
  ['confirmEmailChange', confirmEmailChange],
])('%s is for the session of an account, and no visitor’s', async (_, document) => {
  const { refusal } = await executeAs(service, visitor, document, { input: { token: 'x' } })
  expect(refusal?.code).toBe('insufficient_scope')
})

test('a verified address is not verified again', async () => {
  const { as } = await person()
  const { refusal } = await executeAs(service, as, resendVerification)
  expect(refusal?.details.errors).toEqual({ email: ['The email is verified already.'] })
})

test.each([
  ['changePassword', changePassword, { newPassword: password }],
  ['requestEmailChange', requestEmailChange, { email: newAddress() }],
  ['deleteAccount', deleteAccount, undefined],
])('%s is refused at a screen that was left open', async (_, document, input) => {
  const { user, as } = await person()
  const old = { ...as, authenticatedAt: new Date(clock.now().getTime() - 16 * 60_000) }
  expect((await executeAs(service, old, document, input && { input })).refusal?.code).toBe('recent_sign_in_required')
  expect(await prisma.user.findUnique({ where: { id: user.id } })).toEqual(user)
})

test('a new password ends the other sessions of its person, and nobody else’s', async () => {
  const { user, as } = await person()
  const other = await person()
  const [here, , theirs] = [
    await createSession(database, user),
    await createSession(database, user),
    await createSession(database, other.user),
  ]
  await executeAs(service, { ...as, credentialId: here.id }, changePassword, { input: { newPassword: password } })
  const left = await prisma.session.findMany({ where: { userId: { in: [user.id, other.user.id] } } })
  expect(left.map(({ id }) => id).toSorted()).toEqual([here.id, theirs.id].toSorted())
})

test('an account that is the last owner of teams says which, and stays', async () => {
  const { user, as } = await person()
  const teams = await many(2, async (index) => createTeam(database, { slug: unique(`last-${index}`), name: `Team ${index}` }))
  for (const team of teams) await join(database, team, user, 'owner')
  const { refusal } = await executeAs(service, as, deleteAccount)
  expect([refusal?.code, refusal?.message, refusal?.details.errors]).toEqual([
    'last_owner',
    `The team Team 0 (${teams[0]?.slug}) must keep at least one owner. (and 1 more error)`,
    { role: teams.map(({ name, slug }) => `The team ${name} (${slug}) must keep at least one owner.`) },
  ])
  expect(await prisma.user.count({ where: { id: user.id } })).toBe(1)
})
