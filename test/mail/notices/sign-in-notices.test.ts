import { describe, expect, test } from 'vitest'
import { enter } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { enableTotp } from '../../support/data/second-factor.ts'
import { sentBy } from '../../support/mail/sent.ts'
import { authorize, createClient, createPerson, password } from '../../support/oauth/oauth.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// The mails about sign-ins and about apps that a user connects.

const service = useService()
const { database } = service
const { mailsOf, messageOf } = sentBy(service)

describe('a sign-in', () => {
  test('from a new browser sends one mail, and from a known one none', async () => {
    const user = await createPerson(database)
    const browser = new Browser(service.url)
    expect((await mailsOf(() => enter(browser, user))).map(({ kind }) => kind)).toEqual(['new-device'])
    const [mail] = service.mails.slice(-1)
    expect(await messageOf(mail)).toMatchObject({
      to: user.email,
      subject: 'Sign-in from a new browser: Unknown device',
      text: expect.stringContaining(' (IP address 127.0.0.1).'),
    })
    await browser.press(await browser.open('/security'), 'Sign out')
    expect(await mailsOf(() => enter(browser, user))).toEqual([])
    expect(await mailsOf(async () => browser.press(await browser.open('/confirm'), 'Continue', { Password: password }))).toEqual([])
    const stranger = new Browser(service.url)
    const refuse = async () =>
      stranger.press(await stranger.open('/sign-in'), 'Sign in', { 'Email address': user.email, Password: 'wrong' })
    expect(await mailsOf(refuse)).toEqual([])
  })

  test('with a recovery code sends one mail with the number of codes that are left, and with a used code none', async () => {
    const user = await createPerson(database)
    const { recoveryCodes } = await enableTotp({ service, principal: await sessionOf(service, user) })
    const browser = new Browser(service.url)
    const code = async () => browser.press(await enter(browser, user), 'Continue', { Code: recoveryCodes[0] ?? '' })
    const mails = await mailsOf(code)
    expect(mails.map(({ kind }) => kind)).toEqual(['recovery-code-used', 'new-device'])
    expect((await messageOf(mails[0])).text).toContain('Unused codes: 9.')
    await browser.press(await browser.open('/security'), 'Sign out')
    expect(await mailsOf(code)).toEqual([])
  })
})

test('a consent sends one mail when it connects the application, and none when it is repeated or denied', async () => {
  const user = await createPerson(database)
  const client = await createClient(database)
  const connect = async () => authorize(service, client, user, { changes: { prompt: 'consent' } })
  const mails = await mailsOf(connect)
  expect(mails.filter(({ kind }) => kind === 'app-connected')).toHaveLength(1)
  expect((await messageOf(mails.find(({ kind }) => kind === 'app-connected'))).text).toContain(
    'The app “Example App” has access to your account',
  )
  expect((await mailsOf(connect)).filter(({ kind }) => kind === 'app-connected')).toEqual([])
})
