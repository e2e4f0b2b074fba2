import { describe, expect, test } from 'vitest'
import { Authenticator } from '../../support/browser/authenticator.ts'
import { addPasskey, createTotpInput, enableTotp } from '../../support/data/second-factor.ts'
import { createSession, createTrustedDevice } from '../../support/data/session-row.ts'
import { createUser, personalToken, unique } from '../../support/data/team.ts'
import { requestEmailChange, requestPasswordReset } from '../../support/graphql/scenarios/account-scenarios.ts'
import { request } from '../../support/http/request.ts'
import { lastLink } from '../../support/mail/links.ts'
import { anonymous, executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Changes of what a user signs in with end the other sessions unless the input refuses it, and those of the password revoke the personal
// tokens if it asks for it: docs/decisions/accounts.md#sessions.

const service = useService()
const { database, mails } = service
const { prisma } = database
const password = 'correct horse battery'

/** A user with a current session and another one, each with the trust of its browser, and a live and an expired personal token. */
async function createScene() {
  const user = await createUser(database)
  const [current, other] = [await createSession(database, user), await createSession(database, user)]
  await createTrustedDevice(database, user)
  const principal = { ...(await sessionOf(service, user)), credentialId: current.id }
  const token = await personalToken(database, user)
  await personalToken(database, user, { expiresAt: new Date(0) })
  const remaining = async () =>
    (await prisma.session.findMany({ where: { userId: user.id } })).map(({ id }) => (id === current.id ? 'current' : 'other')).toSorted()
  return { service, user, current, other, principal, token, remaining }
}
type Scene = Awaited<ReturnType<typeof createScene>>

/** By mutation: its input type, its selection, and the input of a call that succeeds. */
const mutations: Record<string, [type: string, selection: string, prepare: (scene: Scene) => Promise<object>]> = {
  confirmTotp: [
    'ConfirmTotpInput!',
    'recoveryCodes',
    async (scene) => {
      const { secret: _, ...input } = await createTotpInput(scene)
      return input
    },
  ],
  moveTotp: [
    'ConfirmTotpInput!',
    'viewer { userId }',
    async (scene) => {
      await enableTotp(scene)
      const { secret: _, ...input } = await createTotpInput(scene)
      return input
    },
  ],
  requirePasskey: ['RequirePasskeyInput', 'recoveryCodes', async (scene) => addPasskey(scene).then(() => ({}))],
  registerPasskey: [
    'RegisterPasskeyInput!',
    'passkey { name }',
    async ({ principal }) => {
      const { data } = await executeAs(service, principal, '{ viewer { passkeyRegistration } }')
      return { name: 'Laptop', response: new Authenticator('https://accounts.example').register(data.viewer.passkeyRegistration) }
    },
  ],
  deletePasskey: ['DeletePasskeyInput!', 'passkey { name }', async (scene) => ({ id: (await addPasskey(scene)).id })],
  disableSecondFactor: ['DisableSecondFactorInput', 'viewer { userId }', async (scene) => enableTotp(scene).then(() => ({}))],
  confirmEmailChange: [
    'MailLinkInput!',
    'email',
    async ({ principal, user }) => {
      await executeAs(service, principal, requestEmailChange, { input: { email: `${unique('new')}@example.test` } })
      return { token: await lastLink(service, user.id) }
    },
  ],
}

describe.each(Object.entries(mutations))('%s', (name, [type, selection, prepare]) => {
  const document = `mutation ($input: ${type}) { ${name}(input: $input) { ${selection} } }`

  test.each([
    ['by default', {}, ['current'], 0],
    ['for null', { endOtherSessions: null }, ['current'], 0],
    ['unless refused', { endOtherSessions: false }, ['current', 'other'], null],
  ])('ends the other sessions and the trust in other browsers %s', async (_, choice, expected, trusted) => {
    const scene = await createScene()
    const input = await prepare(scene)
    const { refusal } = await executeAs(service, scene.principal, document, { input: { ...input, ...choice } })
    expect([refusal, await scene.remaining()]).toEqual([null, expected])
    // Changes of a second factor end the trust in any case.
    if (trusted !== null) expect(await prisma.trustedDevice.count({ where: { userId: scene.user.id } })).toBe(trusted)
    const entry = await prisma.auditEntry.findFirstOrThrow({ where: { action: name, actorUserId: scene.user.id } })
    expect(JSON.stringify(entry.after).includes('"sessionsEnded":1')).toBe(expected.length === 1)
  })
})

test.each(['requirePasskey', 'disableSecondFactor'])('%s, called without an input as before, ends the other sessions', async (name) => {
  const scene = await createScene()
  await mutations[name]?.[2](scene)
  const { refusal } = await executeAs(service, scene.principal, `mutation { ${name} { ${mutations[name]?.[1]} } }`)
  expect([refusal, await scene.remaining()]).toEqual([null, ['current']])
})

describe('a refused change', () => {
  test('ends no session', async () => {
    const scene = await createScene()
    const { refusal } = await executeAs(service, scene.principal, 'mutation { disableSecondFactor { viewer { userId } } }')
    expect([refusal?.code, await scene.remaining()]).toEqual(['validation_failed', ['current', 'other']])
  })
})

describe('resetPassword', () => {
  const document = 'mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { email } }'
  async function reset(scene: Scene, choice: object) {
    await executeAs(service, anonymous, requestPasswordReset, { input: { email: scene.user.email } })
    const token = await lastLink(service, scene.user.id)
    mails.length = 0
    expect((await executeAs(service, anonymous, document, { input: { token, password, ...choice } })).refusal).toBeNull()
  }

  test.each([
    ['by default', {}, []],
    ['unless refused', { endOtherSessions: false }, ['current', 'other']],
  ])('ends every session %s', async (_, choice, expected) => {
    const scene = await createScene()
    await reset(scene, choice)
    expect(await scene.remaining()).toEqual(expected)
    expect(mails.at(-1)).toMatchObject({ kind: 'password-changed', data: expected.length > 0 ? { keepsSessions: true } : {} })
  })

  test('ends every session and token of an account whose address was not verified, whatever is asked', async () => {
    const scene = await createScene()
    await prisma.user.update({ where: { id: scene.user.id }, data: { emailVerified: false } })
    await reset(scene, { endOtherSessions: false, revokePersonalTokens: false })
    expect(await scene.remaining()).toEqual([])
    expect((await request(service, 'GET', '/api/v1/teams', { token: scene.token })).status).toBe(401)
  })
})

describe('a new password', () => {
  const change = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { user { userId } } }'
  const reset = 'mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { email } }'
  const setters: Record<string, (scene: Scene, choice: object) => Promise<unknown>> = {
    changePassword: ({ principal }, choice) => executeAs(service, principal, change, { input: { newPassword: password, ...choice } }),
    async resetPassword({ user }, choice) {
      await executeAs(service, anonymous, requestPasswordReset, { input: { email: user.email } })
      return executeAs(service, anonymous, reset, { input: { token: await lastLink(service, user.id), password, ...choice } })
    },
  }

  test.each(Object.entries(setters))('by %s keeps personal tokens by default', async (_, set) => {
    const scene = await createScene()
    await set(scene, {})
    expect((await request(service, 'GET', '/api/v1/teams', { token: scene.token })).status).toBe(200)
    expect(mails.at(-1)).toMatchObject({ kind: 'password-changed', data: {} })
  })

  test.each(Object.entries(setters))('by %s revokes them at once if asked, with audit entries and a notice', async (_, set) => {
    const [scene, stranger] = [await createScene(), await createScene()]
    await set(scene, { revokePersonalTokens: true })
    const statusOf = async (token: string) => (await request(service, 'GET', '/api/v1/teams', { token })).status
    expect([await statusOf(scene.token), await statusOf(stranger.token)]).toEqual([401, 200])
    const tokens = await prisma.accessToken.findMany({ where: { userId: scene.user.id, revokedAt: { not: null } } })
    expect(tokens.length).toBe(1)
    const entries = await prisma.auditEntry.findMany({ where: { action: 'revokeToken', subject: tokens[0]?.id ?? '' } })
    expect(entries).toMatchObject([{ subjectName: 'test', after: { revokedAt: tokens[0]?.revokedAt?.toISOString() } }])
    expect(mails.at(-1)).toMatchObject({ kind: 'password-changed', data: { tokensRevoked: 1 } })
  })
})
