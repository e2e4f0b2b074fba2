import { sha256 } from '../../../schema/core/sha256.ts'
import { createSession, createTrustedDevice } from '../data/session-row.ts'
import { createTeam, createUser, join, personalToken, unique } from '../data/team.ts'
import { createGrant } from '../oauth/oauth-rows.ts'
import type { TestService } from '../service/service.ts'

/** Returns a function for the instant some minutes after the current one, without seconds. */
export const minutesFrom = ({ clock }: Pick<TestService, 'clock'>) => {
  const start = Math.floor(clock.now().getTime() / 60_000) * 60_000
  return (minutes: number) => new Date(start + minutes * 60_000)
}

/** Creates a user with one of everything that staff see, and of everything that has ended, which they do not see. */
export async function createFullAccount(service: TestService) {
  const { database } = service
  const { prisma } = database
  const at = minutesFrom(service)
  const user = await createUser(database, {
    passwordHash: 'secret-hash',
    totpSecret: Buffer.from('secret-totp'),
    deletionRequestedAt: at(-5),
  })
  const { id: userId } = user
  const team = await createTeam(database, { name: 'Acme' })
  const provider = await prisma.identityProvider.create({
    data: {
      teamId: team.id,
      kind: 'oidc',
      name: 'Okta',
      issuer: 'https://idp.example',
      clientId: 'c',
      clientSecret: Buffer.from('secret-idp'),
    },
  })
  await join(database, team, user, 'billing', null, at(-10))
  await join(database, await createTeam(database, { deletedAt: at(-1) }), user, 'member')
  const session = { createdAt: at(-60), authenticatedAt: at(-30), lastUsedAt: at(-2), address: '203.0.113.77', methods: ['pwd', 'otp'] }
  const { id: sessionId } = await createSession(database, user, { ...session, provedTwoFactor: true, providerIds: [provider.id] }, at(60))
  await createSession(database, user, {}, at(-1))
  const passkey = { name: 'Key', publicKey: Buffer.from('secret-key'), counter: 0n, transports: [], isBackedUp: true, createdAt: at(-9) }
  await prisma.passkey.create({ data: { ...passkey, userId, credentialId: sha256(unique('passkey')) } })
  for (const usedAt of [null, null, at(-1)]) await prisma.recoveryCode.create({ data: { userId, usedAt, hash: sha256(unique('code')) } })
  const identity = { userId, createdAt: at(-8), lastSignInAt: at(-7) }
  await prisma.externalIdentity.create({ data: { ...identity, providerId: provider.id, subject: unique('s'), email: 'ada@idp.example' } })
  await prisma.externalIdentity.create({ data: { ...identity, social: 'github', subject: unique('s'), lastSignInAt: at(-9) } })
  await createGrant(database, user)
  await prisma.oAuthGrant.updateMany({ where: { userId }, data: { expiresAt: at(60) } })
  const value = await personalToken(database, user)
  for (const [method, reason, count, firstAt, lastAt] of [
    ['password', 'wrong_password', 2, at(-9), at(-3)],
    ['second_factor', 'wrong_app_code', 1, at(-6), at(-6)],
  ] as const)
    await prisma.failedSignIn.create({ data: { userId, method, reason, count, firstAt, lastAt } })
  const link = { userId, email: user.email, createdAt: at(-3) }
  for (const [kind, expiresAt, usedAt] of [
    ['reset_password', at(30), null],
    ['verify_email', at(-1), null],
    ['sign_in', at(9), at(-1)],
  ] as const)
    await prisma.mailLink.create({
      data: { ...link, kind, expiresAt, usedAt, tokenHash: sha256(unique('link')), nonce: Buffer.from('secret-nonce') },
    })
  // A new passkey ends the trust in browsers.
  await createTrustedDevice(database, user)
  return { user, team, sessionId, value }
}
