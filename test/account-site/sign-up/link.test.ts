import { describe, expect, test } from 'vitest'
import { alertOf, contentOf, enter, heading, noticeOf } from '../../support/account-site/page-content.ts'
import { newPassword, signedUp, signUp } from '../../support/account-site/signed-up.ts'
import { Browser } from '../../support/browser/browser.ts'
import { enableTotp } from '../../support/data/second-factor.ts'
import { totpCode } from '../../support/data/totp.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

// The link in the email of a sign-up. Who can use it: docs/decisions/accounts.md#sign-up.

const service = useService({ secretKey })
const { prisma } = service.database
const createTeam = ['/teams/new', 200, 'Create your team']
const placeOf = (page: Awaited<ReturnType<Browser['open']>>) => [page.url.pathname, ...heading(page)]

describe('in the browser that signed up, the link', () => {
  test('verifies the address and signs in at once, and leads to the first team', async () => {
    const { email, browser, open, findUser } = await signedUp(service)
    const page = await open()
    expect([placeOf(page), noticeOf(page)]).toEqual([createTeam, [200, `Your email address ${email} is verified.`]])
    const { id, emailVerified } = await findUser()
    expect([emailVerified, await prisma.session.count({ where: { userId: id } })]).toEqual([true, 1])
    // The user has just done this: no mail about a new browser.
    expect(service.mails.filter((mail) => 'userId' in mail && mail.userId === id)).toEqual([])
    const home = await browser.press(page, 'Create team', { Name: 'Héllo & Co' })
    expect([home.url.pathname, noticeOf(home)]).toEqual(['/teams/hello-co', [200, 'The team “Héllo & Co” was created.']])
    expect(placeOf(await browser.open('/'))).toEqual(['/teams/hello-co', 200, expect.anything()])
  })

  test('works once: opened again, it leads to the start page, and after signing out nowhere', async () => {
    const { browser, link, open } = await signedUp(service)
    const address = await link()
    const page = await open()
    expect((await browser.open(address)).url.pathname).toBe('/account/teams')
    await browser.press(page, 'Sign out')
    expect((await browser.open(address)).url.pathname).toBe('/link-ended')
  })

  test('returns to the page for which the user was asked to sign in', async () => {
    const { open } = await signedUp(service, '/sign-up?return_to=%2Fsecurity')
    expect(placeOf(await open())).toEqual(['/security', 200, 'Sign-in and security'])
    const elsewhere = await signedUp(service, '/sign-up?return_to=https%3A%2F%2Fevil.example')
    expect(placeOf(await elsewhere.open())).toEqual(createTeam)
  })

  test('asks for the second factor of an account that has one', async () => {
    const { email, browser, findUser, open } = await signedUp(service)
    const user = await findUser()
    const { secret } = await enableTotp({ service, principal: await sessionOf(service, user) })
    const page = await open()
    expect(placeOf(page)).toEqual(['/sign-in/second-factor', 200, 'Two-factor authentication'])
    expect((await browser.open('/security')).url.pathname).toBe('/sign-in')
    service.clock.advance(30_000)
    expect(placeOf(await browser.press(page, 'Continue', { Code: totpCode(secret, service.clock.now()) }))).toEqual(createTeam)
    expect((await prisma.user.findUniqueOrThrow({ where: { email } })).emailVerified).toBe(true)
  })

  test.each(['the password was changed', 'a day has passed', 'another person signed up there', 'somebody has signed in and out'])(
    'does not sign in after %s',
    async (event) => {
      const { email, browser, findUser, link } = await signedUp(service)
      const user = await findUser()
      if (event === 'the password was changed') {
        const { passwordHash } = await createPerson(service.database)
        await prisma.user.update({ where: { id: user.id }, data: { passwordHash } })
      } else if (event === 'another person signed up there') await signUp(service, `other-${email}`, browser)
      else if (event === 'a day has passed') {
        service.clock.advance(86_400_000)
        // The link ends at the same time.
        await prisma.mailLink.updateMany({
          where: { userId: user.id },
          data: { expiresAt: new Date(service.clock.now().getTime() + 1000) },
        })
      } else await browser.press(await enter(browser, await createPerson(service.database)), 'Sign out')
      const page = await browser.open(await link())
      expect([page.url.pathname, page.url.searchParams.get('return_to')]).toEqual(['/sign-in', '/verify-email'])
      expect([(await findUser()).emailVerified, await prisma.session.count({ where: { userId: user.id } })]).toEqual([false, 0])
    },
  )

  test('does nothing while another user is signed in', async () => {
    const { browser, open, findUser } = await signedUp(service)
    const copy = browser.copy()
    const other = await createPerson(service.database)
    await enter(copy, other)
    // The cookie of the sign-up, which a sign-in deletes.
    for (const [key, cookie] of browser.cookies) if (!copy.cookies.has(key)) copy.cookies.set(key, cookie)
    expect(contentOf(await open(copy))).toContain('This link belongs to another account')
    expect([(await findUser()).emailVerified, heading(await copy.open('/security'))]).toEqual([false, [200, 'Sign-in and security']])
  })

  test('is used by one of two requests at once', async () => {
    const { browser, link, findUser } = await signedUp(service)
    const address = await link()
    const pages = await Promise.all([browser.copy().open(address), browser.copy().open(address)])
    expect(pages.filter(({ url }) => url.pathname === '/teams/new').length).toBe(1)
    expect(await prisma.session.count({ where: { userId: (await findUser()).id } })).toBe(1)
  })
})

describe('in another browser, the link', () => {
  test('asks to sign in with the address filled in, and then verifies it without another step', async () => {
    const { email, open, findUser, link } = await signedUp(service)
    const browser = new Browser(service.url)
    const address = await link()
    for (let count = 0; count < 3; count++) await new Browser(service.url).open(address)
    const signIn = await open(browser)
    expect([signIn.url.href, ...heading(signIn)]).toEqual([`${service.url}/sign-in?return_to=%2Fverify-email`, 200, 'Sign in'])
    expect(signIn.root.querySelector('[name=email]')?.getAttribute('value')).toBe(email)
    expect([signIn.text.includes(address.slice('/links/'.length)), (await findUser()).emailVerified]).toEqual([false, false])
    const refused = await browser.press(signIn, 'Sign in', { Password: 'wrong' })
    expect([alertOf(refused)[0], (await findUser()).emailVerified]).toEqual([422, false])
    const page = await browser.press(refused, 'Sign in', { Password: newPassword })
    expect([placeOf(page), noticeOf(page)]).toEqual([createTeam, [200, `Your email address ${email} is verified.`]])
    expect((await findUser()).emailVerified).toBe(true)
    expect((await browser.open('/verify-email')).url.pathname).toBe('/link-ended')
  })
})
