import { describe, expect, test } from 'vitest'
import { createCleanup } from '../../../src/service/cleanup.ts'
import { contentOf, signedIn } from '../../support/account-site/page-content.ts'
import { enterPassword, readFailureRows, readFailures, requestCode } from '../../support/account-site/failed-sign-ins.ts'
import { comparableStatements } from '../../support/account-site/signed-up.ts'
import { unique } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { retention, secretKey } from '../../support/service/test-settings.ts'
import { waitFor } from '../../support/service/wait.ts'

// What the service stores about failed sign-ins: docs/decisions/failed-sign-ins.md.

const service = useService({ secretKey, rateLimitSignInAccount: 3, rateLimitSignInAddress: 12, trustProxy: true })
const { database, clock } = service
const { prisma } = database

describe('an address without an account', () => {
  test('costs the same statements as one with an account, and nothing is stored for it', async () => {
    const total = await prisma.failedSignIn.count()
    const getStatements = async (act: (email: string) => Promise<unknown>, email: string) => {
      service.statements.length = 0
      await act(email)
      return comparableStatements(service).filter((text) => !/failed_sign_ins|last_used_at/.test(text))
    }
    const unknown = `${unique('nobody')}@example.test`
    const enterWrong = (email: string) => enterPassword(service, email, 'wrong')
    const enterCode = async (email: string) => {
      const { browser, page } = await requestCode(service, email)
      await browser.press(page, 'Sign in', { Code: '000000' })
    }
    for (const act of [enterWrong, enterCode]) {
      const user = await createPerson(database, { emailVerified: act === enterWrong })
      await getStatements(act, user.email)
      expect(await getStatements(act, user.email)).toEqual(await getStatements(act, unknown))
      await readFailures(service, user, 2)
    }
    expect(await prisma.failedSignIn.count()).toBe(total + 2)
  })
})

describe('the stored rows', () => {
  test('are one for each method and reason, whatever the number of attempts, and count anew after 90 days', async () => {
    const user = await createPerson(database)
    const row = { userId: user.id, method: 'password', reason: 'wrong_password', lastAt: clock.now() }
    const firstAt = new Date(clock.now().getTime() - 91 * 86_400_000)
    await prisma.failedSignIn.create({ data: { ...row, count: 2_147_483_647, firstAt: clock.now() } })
    const other = await createPerson(database)
    await prisma.failedSignIn.create({ data: { ...row, userId: other.id, count: 5, firstAt } })
    await enterPassword(service, user.email, 'wrong')
    await enterPassword(service, other.email, 'wrong')
    await waitFor(async () => (await readFailureRows(service, other))[0]?.count === 1)
    expect([await readFailures(service, user, 1), await readFailures(service, other, 1)]).toEqual([
      [['password', 'wrong_password', 2_147_483_647]],
      [['password', 'wrong_password', 1]],
    ])
  })

  test('are deleted 90 days after the last failure, and with the account', async () => {
    const row = { method: 'password', reason: 'wrong_password', count: 1, firstAt: clock.now() }
    const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000)
    const [recent, old, erased] = await Promise.all([1, 2, 3].map(() => createPerson(database)))
    if (!recent || !old || !erased) throw new Error('no users')
    await prisma.failedSignIn.create({ data: { ...row, userId: recent.id, lastAt: daysAgo(89) } })
    await prisma.failedSignIn.create({ data: { ...row, userId: old.id, lastAt: daysAgo(91) } })
    await prisma.failedSignIn.create({ data: { ...row, userId: erased.id, lastAt: clock.now() } })
    const report = (error: unknown) => {
      throw error
    }
    await createCleanup({ database, retention, now: clock.now, report }).run()
    const remove = 'mutation ($email: String!) { deleteUser(input: { email: $email }) { user { email } } }'
    expect((await executeAs(service, operator, remove, { email: erased.email })).refusal).toBeNull()
    expect(
      [await readFailureRows(service, recent), await readFailureRows(service, old), await readFailureRows(service, erased)].map(
        ({ length }) => length,
      ),
    ).toEqual([1, 0, 0])
  })

  test('are shown to the user, and are in the export of the account', async () => {
    const { user, browser, page } = await signedIn(service)
    expect(contentOf(page)).not.toContain('failed sign-in')
    await enterPassword(service, user.email, 'wrong')
    await readFailures(service, user, 1)
    expect(contentOf(await browser.open('/security'))).toContain('1 failed sign-in The password was wrong. Password, 1 time, last')
    const { data } = await executeAs(service, await sessionOf(service, user), 'mutation { exportAccount { data } }')
    expect(JSON.parse(data.exportAccount.data).failed_sign_ins).toEqual([
      { method: 'password', reason: 'wrong_password', count: 1, first_at: expect.any(String), last_at: expect.any(String) },
    ])
  })
})
