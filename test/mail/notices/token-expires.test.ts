import { expect, test } from 'vitest'
import type { TokenExpiresMail } from '../../../schema/core/mails/mails.ts'
import { announceExpiringTokens } from '../../../schema/tokens/expiry-notices.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { brand } from '../../support/mail/brand.ts'
import { createCompose } from '../../../src/mail/mails.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const day = 86_400_000
const inDays = (days: number) => new Date(clock.now().getTime() + days * day)
const compose = createCompose({ database, now: clock.now, deriveSecret: secretDeriver(secretKey), authUrl: service.url, brand })

/** Announces all expiring tokens. Returns the mails about one of them. */
async function mailsAbout(tokenId: string): Promise<TokenExpiresMail[]> {
  const mails: TokenExpiresMail[] = []
  const sendMail = async (_: unknown, mail: object) => {
    if ('tokenId' in mail) mails.push(mail as TokenExpiresMail)
  }
  while ((await announceExpiringTokens({ database, now: clock.now, sendMail })) > 0);
  return mails.filter((mail) => mail.tokenId === tokenId)
}

/** The personal token of a new user with this lifetime, in days: those that passed and those that remain. */
async function tokenWith(passed: number, remaining: number) {
  const user = await createUser(database)
  await personalToken(database, user, { expiresAt: inDays(remaining) })
  const { id } = await prisma.accessToken.findFirstOrThrow({ where: { userId: user.id } })
  await prisma.accessToken.update({ where: { id }, data: { createdAt: inDays(-passed) } })
  return { user, id }
}

test('a token that expires within seven days is announced once, by a mail that names it and links to it', async () => {
  const { user, id } = await tokenWith(60, 6.9)
  const [mail, ...others] = await mailsAbout(id)
  expect([mail, others]).toEqual([{ kind: 'token-expires', tokenId: id, userId: user.id }, []])
  expect(await mailsAbout(id)).toEqual([])
  const composed = mail && (await compose(mail))
  expect(composed).toMatchObject({
    message: {
      to: user.email,
      subject: expect.stringMatching(/^Personal token test expires on \d+ \w+ \d{4}$/),
      text: expect.stringMatching(/Your personal token “test” expires on .* UTC\. Everything that uses it stops working then\./),
    },
  })
  expect(composed).toMatchObject({ message: { text: expect.stringContaining(`${service.url}/tokens/${id}\n`) } })
})

test('the mail states the expiry in the time zone of its recipient, and greets by the name of a verified user only', async () => {
  const { user, id } = await tokenWith(60, 6)
  const textOf = async (data: object) => {
    await prisma.user.update({ where: { id: user.id }, data })
    const composed = await compose({ kind: 'token-expires', tokenId: id, userId: user.id })
    return 'message' in composed ? composed.message.text : ''
  }
  expect(await textOf({ name: 'Ben Okafor', timezone: 'Asia/Kolkata' })).toMatch(/^Hello Ben Okafor,\n.* expires on .* GMT\+5:30\./s)
  expect(await textOf({ emailVerified: false })).toMatch(/^Hello,\n/)
})

test.each([
  [60, 7.1, 0],
  [0, 7, 0],
  [5, 2, 0],
  [5.5, 1.5, 1],
  [0, 1, 0],
  [60, -0.1, 0],
])('a token that is %d days old and expires in %d days is announced %d times', async (passed, remaining, count) => {
  const { id } = await tokenWith(passed, remaining)
  expect(await mailsAbout(id)).toHaveLength(count)
})

test('a revoked token is not announced, and the mail about a token that was revoked meanwhile is dropped', async () => {
  const revoked = await tokenWith(60, 1)
  await prisma.accessToken.update({ where: { id: revoked.id }, data: { revokedAt: clock.now() } })
  expect(await mailsAbout(revoked.id)).toEqual([])
  const { id } = await tokenWith(60, 1)
  const [mail] = await mailsAbout(id)
  await prisma.accessToken.update({ where: { id }, data: { revokedAt: clock.now() } })
  expect(mail && (await compose(mail))).toEqual({ dropped: 'revoked or expired' })
})

test('a team token is announced to the owners of the team with a verified address', async () => {
  const { team, owner } = await createOwnedTeam(database)
  const [second, unverified, member] = [
    await createUser(database),
    await createUser(database, { emailVerified: false }),
    await createUser(database),
  ]
  await join(database, team, second, 'owner')
  await join(database, team, unverified, 'owner')
  await join(database, team, member, 'member')
  await teamToken(database, team, { expiresAt: inDays(3) })
  const { id } = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
  await prisma.accessToken.update({ where: { id }, data: { createdAt: inDays(-60) } })
  const mails = await mailsAbout(id)
  expect(mails.map(({ userId }) => userId)).toEqual([owner.id, second.id].toSorted())
  const composed = mails[0] && (await compose(mails[0]))
  expect(composed).toMatchObject({ message: { text: expect.stringContaining(`The token “test” of the team “Acme” expires on `) } })
  expect(composed).toMatchObject({ message: { text: expect.stringContaining(`/teams/${team.slug}/tokens/${id}\n`) } })
})

test('a token of a deleted team or a disabled user is not announced to anyone', async () => {
  const team = await createTeam(database, { deletedAt: clock.now() })
  await join(database, team, await createUser(database), 'owner')
  await teamToken(database, team, { expiresAt: inDays(3) })
  const { id } = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
  const { user, id: own } = await tokenWith(60, 3)
  await prisma.accessToken.update({ where: { id }, data: { createdAt: inDays(-60) } })
  await prisma.user.update({ where: { id: user.id }, data: { disabledAt: clock.now() } })
  expect([await mailsAbout(id), await mailsAbout(own)]).toEqual([[], []])
})
