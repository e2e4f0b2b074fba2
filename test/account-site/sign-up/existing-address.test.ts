import { describe, expect, test } from 'vitest'
import { alertOf, enter, heading } from '../../support/account-site/page-content.ts'
import { comparableStatements } from '../../support/account-site/signed-up.ts'
import { Browser } from '../../support/browser/browser.ts'
import { unique } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// What the page shows and which mail the owner receives: sign-up.test.ts.

const service = useService()
const newPassword = 'a long and new password'
const newAddress = () => `${unique('new')}@example.test`

async function signUp(email: string) {
  const browser = new Browser(service.url)
  const fields = { Name: 'Grace', 'Email address': email, Password: newPassword }
  return { browser, page: await browser.press(await browser.open('/sign-up'), 'Create account', fields) }
}

describe('a sign-up', () => {
  test('with the address of an existing account discards the entered password and name', async () => {
    const owner = await createPerson(service.database)
    const { browser, page } = await signUp(owner.email)
    expect([page.status, page.url.pathname]).toEqual([200, '/sign-up/check-email'])
    const signInPage = await browser.open('/sign-in')
    const credentials = { 'Email address': owner.email, Password: newPassword }
    expect(alertOf(await browser.press(signInPage, 'Sign in', credentials))).toEqual([422, 'The email address or password is incorrect.'])
    expect(heading(await enter(new Browser(service.url), owner))).toEqual([200, 'Sign-in and security'])
    expect(await service.database.prisma.user.findUnique({ where: { email: owner.email }, select: { name: true } })).toEqual({
      name: owner.name,
    })
  })

  test('takes the same statements whether or not the address has an account', async () => {
    const statementsFor = async (email: string) => {
      service.statements.length = 0
      const { page } = await signUp(email)
      expect(page.status).toBe(200)
      return comparableStatements(service)
    }
    const { email } = await createPerson(service.database)
    await statementsFor(newAddress())
    expect(await statementsFor(email)).toEqual(await statementsFor(newAddress()))
    // Beyond the limit of mails to the owner.
    for (let mail = 0; mail < 5; mail++) await statementsFor(email)
    expect(await statementsFor(email)).toEqual(await statementsFor(newAddress()))
  })
})
