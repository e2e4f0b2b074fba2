import { describe, expect, test } from 'vitest'
import { createCleanup } from '../../../src/service/cleanup.ts'
import { alertOf, noticeOf, openAs } from '../../support/account-site/page-content.ts'
import { formatDate } from '../../../src/web/time-format.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam, join, personalToken } from '../../support/data/team.ts'
import { settled } from '../../support/data/settled.ts'
import { request } from '../../support/http/request.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock, mails } = service
const { prisma } = database
const day = 86_400_000
const retention = { auditDays: 0, endedInvitationDays: 0, endedTokenDays: 0, endedGrantDays: 0, deletedTeamDays: 3650 }

/** Erases what is due, as each of two processes does every minute. */
const erase = async () => {
  const report = (error: unknown) => {
    throw error
  }
  await Promise.all([0, 1].map(() => createCleanup({ database, retention, now: clock.now, report }).run()))
}

async function deletedPerson() {
  const user = await createPerson(database)
  const owner = await createPerson(database)
  const team = await createTeam(database)
  await join(database, team, owner, 'owner')
  await join(database, team, user, 'billing')
  const token = await personalToken(database, user)
  const { browser } = await openAs(service, user, '/account')
  const page = await browser.open('/account/delete')
  mails.length = 0
  const done = await browser.press(page, 'Delete account', { typedEmail: user.email.toUpperCase() })
  return { user, owner, team, token, done, browser }
}

const signIn = async (email: string, secret = password) => {
  const browser = new Browser(service.url)
  return browser.press(await browser.open('/sign-in'), 'Sign in', { 'Email address': email, Password: secret })
}

describe('deleting an account', () => {
  test('asks for the email address, and changes nothing without it', async () => {
    const user = await createPerson(database)
    const { browser } = await openAs(service, user, '/account')
    const page = await browser.open('/account/delete')
    for (const typedEmail of ['', 'other@example.test']) {
      const refused = await browser.press(page, 'Delete account', { typedEmail })
      expect(refused.status).toBe(422)
      expect(refused.text).toContain('This is not the email address of the account.')
    }
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ disabledAt: null, deletionRequestedAt: null })
  })

  test('refuses every credential from the next request on, and says by mail until when it can be undone', async () => {
    const { user, token, done, browser } = await deletedPerson()
    expect([done.url.pathname, ...noticeOf(done)]).toEqual([
      '/sign-in',
      200,
      `Your account is scheduled for deletion on ${formatDate(new Date(clock.now().getTime() + 14 * day))}. Sign in before then to keep it.`,
    ])
    expect((await browser.open('/account')).url.pathname).toBe('/sign-in')
    expect((await request(service, 'GET', '/api/v1/user', { token })).status).toBe(401)
    const until = new Date(clock.now().getTime() + 14 * day).toISOString().slice(0, 10)
    expect(mails).toEqual([
      expect.objectContaining({
        kind: 'account-deleted',
        userId: user.id,
        data: { until: expect.stringMatching(new RegExp(`^${until}`)) },
      }),
    ])
  })

  test('is undone by signing in within 14 days, with everything that belonged to the account', async () => {
    const { user, team, token } = await deletedPerson()
    clock.advance(13.9 * day)
    await erase()
    mails.length = 0
    expect((await signIn(user.email, 'a wrong password')).status).toBe(422)
    expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).disabledAt).not.toBeNull()
    const page = await signIn(user.email)
    expect(noticeOf(page)).toEqual([200, 'Your account will not be deleted: you signed in.'])
    expect(mails.map(({ kind }) => kind)).toEqual(['account-restored'])
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token })).status).toBe(200)
    clock.advance(30 * day)
    await erase()
    expect(await prisma.user.count({ where: { id: user.id } })).toBe(1)
  })

  test('erases the account after 14 days, once, and is an event of its teams', async () => {
    const { user, owner, team } = await deletedPerson()
    const ownerToken = await personalToken(database, owner, { expiresAt: new Date(clock.now().getTime() + 300 * day) })
    clock.advance(14.01 * day)
    await erase()
    await erase()
    expect(await prisma.user.count({ where: { id: user.id } })).toBe(0)
    await settled(database.pool)
    const { body } = await request(service, 'GET', `/api/v1/teams/${team.slug}/events?types[]=member.removed`, { token: ownerToken })
    expect(body.data).toEqual([
      expect.objectContaining({
        actor: { kind: 'system', id: null, name: 'system' },
        data: expect.objectContaining({ user_id: user.id, role: 'billing' }),
      }),
    ])
    expect(alertOf(await signIn(user.email))[0]).toBe(422)
  })

  test('is restored or erased, never half, when a sign-in and the erasure come at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { user } = await deletedPerson()
      clock.advance(14.01 * day)
      const [page] = await Promise.all([signIn(user.email), erase()])
      await erase()
      const found = await prisma.user.findUnique({ where: { id: user.id } })
      if (found) expect([found.disabledAt, found.deletionRequestedAt, page.url.pathname === '/sign-in']).toEqual([null, null, false])
      else expect(page.status).not.toBe(500)
    }
  })
})

describe('an operator', () => {
  const setState = async (id: string, name: 'disable' | 'enable', email: string) => {
    const { executeAs, operator } = await import('../../support/service/in-process.ts')
    const { refusal } = await executeAs(service, operator, `mutation { ${name}User(input: { email: "${email}" }) { user { email } } }`)
    expect(refusal).toBeNull()
    return prisma.user.findUniqueOrThrow({ where: { id } })
  }

  test('who disables an account that its user deletes keeps the user from restoring it', async () => {
    const { user } = await deletedPerson()
    clock.advance(1000)
    await setState(user.id, 'disable', user.email)
    expect((await signIn(user.email)).status).toBe(422)
    clock.advance(14.01 * day)
    await erase()
    expect(await prisma.user.count({ where: { id: user.id } })).toBe(0)
  })

  test('who enables it undoes the deletion', async () => {
    const { user } = await deletedPerson()
    expect(await setState(user.id, 'enable', user.email)).toMatchObject({ disabledAt: null, deletionRequestedAt: null })
    clock.advance(30 * day)
    await erase()
    expect(await prisma.user.count({ where: { id: user.id } })).toBe(1)
  })
})
