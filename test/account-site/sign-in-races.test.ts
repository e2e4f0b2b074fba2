import { expect, test } from 'vitest'
import { executeAs, sessionOf } from '../support/in-process.ts'
import { Browser } from '../support/browser.ts'
import { lockWaiters } from '../support/lock-waiters.ts'
import { createPerson, password } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'

// A password that is changed, or an account that is disabled, ends also what is being opened at that moment.

const service = await startService()
const changePassword = 'mutation ($newPassword: String!) { changePassword(input: { newPassword: $newPassword }) { user { id } } }'

async function signIn(email: string): Promise<Browser> {
  const browser = new Browser(service.url)
  await browser.press(await browser.open('/sign-in'), 'Sign in', { 'Email address': email, Password: password })
  return browser
}

const isSignedIn = async (browser: Browser) => (await browser.open('/account')).url.pathname === '/account'

test('whoever signs in with the password while it is changed is out once it is, 10 times', async () => {
  for (let round = 0; round < 10; round++) {
    const person = await createPerson(service.database)
    const before = await signIn(person.email)
    const session = await sessionOf(service, person)
    const [{ refusal }, ...browsers] = await Promise.all([
      executeAs(service, session, changePassword, { newPassword: 'another horse battery' }),
      ...Array.from({ length: 4 }, () => signIn(person.email)),
    ])
    expect(refusal).toBeNull()
    expect(await Promise.all([before, ...browsers].map(isSignedIn))).toEqual([false, false, false, false, false])
  }
})

test('whoever signs in while the account is being disabled is not in once it is enabled again', async () => {
  const { prisma, pool } = service.database
  const person = await createPerson(service.database)
  // The password is right and the account as good as ever, until the very moment at which they would be in.
  const browsers = await prisma.$transaction(async (transaction) => {
    await transaction.user.update({ where: { id: person.id }, data: { disabledAt: new Date() } })
    const signingIn = Array.from({ length: 4 }, () => signIn(person.email))
    await waitFor(async () => (await lockWaiters(pool)) === signingIn.length)
    return { signingIn }
  })
  const late = [...(await Promise.all(browsers.signingIn)), await signIn(person.email)]
  await prisma.user.update({ where: { id: person.id }, data: { disabledAt: null } })
  expect(await Promise.all(late.map(isSignedIn))).toEqual([false, false, false, false, false])
})
