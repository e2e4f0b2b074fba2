import { expect, test } from 'vitest'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { Browser } from '../../support/browser/browser.ts'
import { holdLocks, lockWaiters } from '../../support/processes/locks.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { repetitions } from '../../support/service/full.ts'
import { waitFor } from '../../support/service/wait.ts'

// Changing the password or disabling the account also ends sign-ins that are in progress at that moment.

const service = useService()
const changePassword = 'mutation ($newPassword: String!) { changePassword(input: { newPassword: $newPassword }) { user { id: userId } } }'

async function signIn(email: string): Promise<Browser> {
  const browser = new Browser(service.url)
  await browser.press(await browser.open('/sign-in'), 'Sign in', { 'Email address': email, Password: password })
  return browser
}

const isSignedIn = async (browser: Browser) => (await browser.open('/account')).url.pathname === '/account'

test('changing the password also ends concurrent sign-ins with the old password', async () => {
  for (let round = 0; round < repetitions({ short: 3, full: 10 }); round++) {
    const user = await createPerson(service.database)
    const before = await signIn(user.email)
    const session = await sessionOf(service, user)
    const [{ refusal }, ...browsers] = await Promise.all([
      executeAs(service, session, changePassword, { newPassword: 'another horse battery' }),
      ...Array.from({ length: 4 }, () => signIn(user.email)),
    ])
    expect(refusal).toBeNull()
    expect(await Promise.all([before, ...browsers].map(isSignedIn))).toEqual([false, false, false, false, false])
  }
})

test('disabling an account ends concurrent sign-ins, which stay signed out after the account is enabled again', async () => {
  const { prisma, pool } = service.database
  const user = await createPerson(service.database)
  // The sign-ins find the right password and an enabled account, then wait for the row lock until the transaction commits.
  const lock = await holdLocks(pool, 'UPDATE users SET disabled_at = now() WHERE id = $1', [user.id])
  const signingIn = Array.from({ length: 4 }, () => signIn(user.email))
  await waitFor(async () => (await lockWaiters(pool)) === signingIn.length)
  await lock.commit()
  const browsers = [...(await Promise.all(signingIn)), await signIn(user.email)]
  await prisma.user.update({ where: { id: user.id }, data: { disabledAt: null } })
  expect(await Promise.all(browsers.map(isSignedIn))).toEqual([false, false, false, false, false])
})
