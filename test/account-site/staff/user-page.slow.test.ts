import { describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import type { Browser } from '../../support/browser/browser.ts'
import { alertOf, contentOf, noticeOf } from '../../support/account-site/page-content.ts'
import { openAsStaff } from '../../support/account-site/staff-browser.ts'
import { createSession } from '../../support/data/session-row.ts'
import { createUser } from '../../support/data/team.ts'
import { createFullAccount } from '../../support/graphql/full-account.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock, mails } = service
const { prisma } = database

const pathOf = ({ id }: Pick<User, 'id'>) => `/staff/users/${id}`
/** The labels of the acts on the page. */
const actsOn = async (browser: Browser, user: Pick<User, 'id'>) =>
  (await browser.open(pathOf(user))).root.querySelectorAll('main a.confirm').map(({ text }) => text.trim())

describe('the page of a user', () => {
  test('shows the state of the account, without addresses of browsers, identifiers of sessions and values that authenticate', async () => {
    const { user, team, sessionId, value } = await createFullAccount(service)
    const { browser } = await openAsStaff(service)
    const page = await browser.open(pathOf(user))
    expect(page.status).toBe(200)
    const content = contentOf(page)
    for (const shown of [
      'Deletion requested',
      `${user.email.split('@')[0]}`,
      'Recovery codes left 2',
      '1 team',
      '1 session',
      'Firefox on Linux',
      'with password and code and the provider Okta',
      '2 linked accounts',
      'GitHub',
      '1 unused link in an email',
      '3 failed sign-ins The password was wrong. Password, 2 times, last 3 minutes ago',
      'The code of the authenticator app was wrong or had been used. Second step, 1 time, last 6 minutes ago',
    ])
      expect(content).toContain(shown)
    expect(page.root.querySelector(`main a[href="/staff/teams/${team.slug}"]`)).not.toBeNull()
    expect(page.root.querySelector(`main a[href="/staff/mails?user=${user.id}"]`)).not.toBeNull()
    for (const hidden of [sessionId, '203.0.113.77', value, 'secret']) expect(page.root.toString()).not.toContain(hidden)
  })

  test('says why the user cannot sign in', async () => {
    const user = await createUser(database, { disabledAt: clock.now(), emailVerified: false })
    const { browser } = await openAsStaff(service)
    const content = contentOf(await browser.open(pathOf(user)))
    expect(content).toContain('All its credentials are refused.')
    expect(content).toContain('The email address is not verified')
    expect(content).toContain('There is no password, passkey or linked account.')
    expect(content).not.toContain('Nothing in the account prevents a sign-in.')
    const healthy = await createUser(database, { passwordHash: 'x' })
    expect(contentOf(await browser.open(pathOf(healthy)))).toContain('Nothing in the account prevents a sign-in.')
  })

  test('does not exist for an identifier without an account', async () => {
    const { browser } = await openAsStaff(service)
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x', '%00'])
      expect((await browser.open(`/staff/users/${id}`)).status).toBe(404)
  })

  test('takes at most eight statements', async () => {
    const { user } = await createFullAccount(service)
    const { browser } = await openAsStaff(service)
    service.statements.length = 0
    expect((await browser.open(pathOf(user))).status).toBe(200)
    expect(service.statements.filter((text) => !/last_used_at = u\.at/.test(text)).length).toBeLessThanOrEqual(8)
  })
})

describe('the acts', () => {
  const createHelped = async () => {
    const user = await createUser(database, { emailVerified: false, totpSecret: Buffer.from('x') })
    await prisma.recoveryCode.create({ data: { userId: user.id, hash: Buffer.from(user.id) } })
    await createSession(database, user)
    return user
  }
  const ofSupport = ['End all sessions…', 'Send the email…']

  test('are those of the role, and those that change something', async () => {
    const user = await createHelped()
    const [reader, support, admin] = [
      await openAsStaff(service),
      await openAsStaff(service, 'support'),
      await openAsStaff(service, 'admin'),
    ]
    expect(await actsOn(reader.browser, user)).toEqual([])
    expect(await actsOn(support.browser, user)).toEqual(ofSupport)
    expect(await actsOn(admin.browser, user)).toEqual([...ofSupport, 'Turn off two-factor authentication…', 'Disable the account…'])
    const disabled = await createUser(database, { disabledAt: clock.now() })
    expect(await actsOn(admin.browser, disabled)).toEqual(['Enable the account…'])
    const deleted = await createUser(database, { disabledAt: clock.now(), deletionRequestedAt: clock.now() })
    expect(await actsOn(admin.browser, deleted)).toEqual(['Cancel the deletion…'])
  })

  test('are hidden for the own account, and for staff of the same or a higher role', async () => {
    const admin = await openAsStaff(service, 'admin')
    const support = await openAsStaff(service, 'support')
    expect(await actsOn(admin.browser, admin.user)).toEqual([])
    expect(await actsOn(support.browser, support.user)).toEqual([])
    expect(await actsOn(support.browser, admin.user)).toEqual([])
    expect(await actsOn((await openAsStaff(service, 'admin')).browser, admin.user)).toEqual([])
    expect((await actsOn(admin.browser, support.user)).length).toBeGreaterThan(0)
  })

  test('are done for a reason, which the user receives', async () => {
    const user = await createHelped()
    await prisma.user.update({ where: { id: user.id }, data: { emailVerified: true } })
    const { browser } = await openAsStaff(service, 'support')
    const question = await browser.openConfirmation(await browser.open(pathOf(user)), 'End all sessions')
    const refused = await browser.press(question, 'End all sessions', { Reason: ' ' })
    expect([refused.status, await prisma.session.count({ where: { userId: user.id } })]).toEqual([422, 1])
    const count = mails.length
    const page = await browser.press(refused, 'End all sessions', { Reason: 'Ticket 4711' })
    expect(noticeOf(page)).toEqual([200, expect.stringContaining('were ended')])
    expect(await prisma.session.count({ where: { userId: user.id } })).toBe(0)
    expect(mails.slice(count)).toMatchObject([{ kind: 'act-of-staff', userId: user.id }])
    expect(contentOf(page)).toContain('end user sessions')
  })

  test('revoke one token and the access of one app, for admins only', async () => {
    const { user } = await createFullAccount(service)
    const links = async (browser: Browser) =>
      (await browser.open(pathOf(user))).root.querySelectorAll('#tokens a.confirm, #grants a.confirm').map(({ text }) => text.trim())
    const { browser: support } = await openAsStaff(service, 'support')
    const { browser, user: admin } = await openAsStaff(service, 'admin')
    expect([await links(support), (await links(browser)).length]).toEqual([[], 2])

    const isTokenRevoked = async () => (await prisma.accessToken.findFirstOrThrow({ where: { userId: user.id } })).revokedAt !== null
    const isGrantRevoked = async () => (await prisma.oAuthGrant.findFirstOrThrow({ where: { userId: user.id } })).revokedAt !== null
    for (const [isRevoked, notice] of [
      [isTokenRevoked, 'The token was revoked.'],
      [isGrantRevoked, 'The access of the app was revoked.'],
    ] as const) {
      const question = await browser.openConfirmation(await browser.open(pathOf(user)), 'Revoke')
      await prisma.user.update({ where: { id: admin.id }, data: { staffRole: 'support' } })
      expect(alertOf(await browser.press(question, 'Revoke', { Reason: 'Ticket 4711' }))[0]).toBe(403)
      await prisma.user.update({ where: { id: admin.id }, data: { staffRole: 'admin' } })
      expect(await isRevoked()).toBe(false)
      const count = mails.length
      expect(noticeOf(await browser.press(question, 'Revoke', { Reason: 'Ticket 4711' }))).toEqual([200, notice])
      expect(await isRevoked()).toBe(true)
      expect(mails.slice(count)).toContainEqual(expect.objectContaining({ kind: 'act-of-staff', userId: user.id }))
    }
    expect(await links(browser)).toEqual([])
  })

  test('are refused to a role that does not include them, and to a session that turned old', async () => {
    const user = await createHelped()
    const { browser, user: staff } = await openAsStaff(service, 'admin')
    const question = await browser.openConfirmation(await browser.open(pathOf(user)), 'Disable the account')
    await prisma.user.update({ where: { id: staff.id }, data: { staffRole: 'support' } })
    const refused = await browser.press(question, 'Disable the account', { Reason: 'Ticket 4711' })
    expect(alertOf(refused)[0]).toBe(403)
    await prisma.user.update({ where: { id: staff.id }, data: { staffRole: 'admin' } })
    clock.advance(16 * 60_000)
    const confirmation = await browser.press(question, 'Disable the account', { Reason: 'Ticket 4711' })
    expect(confirmation.url.pathname).toBe('/confirm')
    expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).disabledAt).toBeNull()
  })
})
