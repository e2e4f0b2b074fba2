import { expect, test } from 'vitest'
import { executeAs, sessionOf } from '../support/in-process.ts'
import { Browser } from '../support/browser.ts'
import { createPerson, password } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

// A password that is changed ends what it opened, also what it is opening at that moment.

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

test('whoever signs in while the account is disabled is not in once it is enabled again', async () => {
  const { prisma } = service.database
  const person = await createPerson(service.database)
  const disabledAt = new Date()
  const [, ...browsers] = await Promise.all([
    prisma.user.update({ where: { id: person.id }, data: { disabledAt } }),
    ...Array.from({ length: 4 }, () => signIn(person.email)),
  ])
  const late = await signIn(person.email)
  await prisma.user.update({ where: { id: person.id }, data: { disabledAt: null } })
  expect(await isSignedIn(late)).toBe(false)
  // Those that were in before are in again: what a session opens is computed anew each time.
  expect(browsers).toHaveLength(4)
})
