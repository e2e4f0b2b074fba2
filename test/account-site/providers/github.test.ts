import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SocialClient } from '../../../schema/core/social-clients.ts'
import { administratorDetails, alertOf, heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { unique } from '../../support/data/team.ts'
import { useGithub } from '../../support/identity-providers/social.ts'
import { signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { useService } from '../../support/service/service.ts'

// What counts of the answers of GitHub, against endpoints that answer as they do. Google and linking: ../provider-linking/linking.slow.test.ts.

const client = { clientId: 'client-at-provider', clientSecret: 'secret-at-provider' }
const social: { microsoft?: SocialClient; github?: SocialClient } = {}
const service = useService({ hostname: 'localhost', socialProviders: social })
const { prisma } = service.database
const github = useGithub(client)

beforeAll(() => {
  social.microsoft = { ...client, origin: 'https://login.microsoftonline.example' }
  social.github = { ...client, origin: github.origin() }
})

const signIn = () => signInAtProvider(new Browser(service.url), 'github', { return_to: '/account' })
const accountOf = async (subject: string) =>
  (await prisma.externalIdentity.findFirst({ where: { subject }, include: { user: true } }))?.user ?? null

test('the sign-in page has a button for each public provider that is set up', async () => {
  const { root } = await new Browser(service.url).open('/sign-in')
  const buttons = root.querySelectorAll('main a.button').map(({ text, attributes }) => [text, attributes['href']?.split('?')[0]])
  expect(buttons).toEqual([
    ['Email me a code', '/sign-in/code'],
    ['Continue with Microsoft', '/sign-in/start/microsoft'],
    ['Continue with GitHub', '/sign-in/start/github'],
  ])
  const signUp = await new Browser(service.url).open('/sign-up')
  expect(signUp.root.querySelectorAll('main a.button').map(({ text }) => text)).toEqual(['Continue with Microsoft', 'Continue with GitHub'])
  expect(heading(await new Browser(service.url).open('/sign-in/start/google'))[0]).toBe(404)
})

describe('GitHub', () => {
  let id = 1000
  let email = ''
  beforeEach(() => {
    id++
    email = `${unique('ada')}@acme.example`
    Object.assign(github, { user: { id, login: 'ada', name: null }, token: null, status: 200 })
    github.emails = [
      { email: `other-${email}`, primary: false, verified: true },
      { email, primary: true, verified: true },
    ]
  })

  test('states the number of the user, the name, and the primary address if it is verified', async () => {
    expect((await signIn()).url.pathname).toBe('/account')
    expect(await accountOf(String(id))).toMatchObject({ email, emailVerified: true, name: 'ada' })
    const account = await accountOf(String(id))
    // The login of the user changed.
    github.user = { id, login: 'grace', name: 'Grace' }
    await signIn()
    expect(await accountOf(String(id))).toMatchObject({ id: account?.id, name: 'ada' })
    github.user = { id: id + 10_000, login: 'ada', name: 'Eve' }
    github.emails = []
    await signIn()
    expect((await accountOf(String(id + 10_000)))?.id).not.toBe(account?.id)
  })

  test.each([
    ['is not verified', () => [{ email, primary: true, verified: false }]],
    ['is not the primary one', () => [{ email, primary: false, verified: true }]],
    ['does not exist', () => []],
  ])('states no address if it %s', async (_, emails) => {
    github.emails = emails()
    expect((await signIn()).url.pathname).toBe('/account')
    const account = await accountOf(String(id))
    expect(account).toMatchObject({ email: `${account?.id}@no-address.invalid`, emailVerified: false })
  })

  test.each([403, 404])('states no address if the app may not read addresses (status %i)', async (status) => {
    Object.assign(github, { status, emails: { message: 'Resource not accessible by integration' } })
    expect((await signIn()).url.pathname).toBe('/account')
    expect(await accountOf(String(id))).toMatchObject({ emailVerified: false, name: 'ada' })
  })

  test('may send null for what is absent', async () => {
    github.token = { access_token: 'token-1', error: null, error_description: null, scope: null }
    expect((await signIn()).url.pathname).toBe('/account')
    expect(await accountOf(String(id))).toMatchObject({ email })
  })

  test.each<[string, () => unknown, string]>([
    [
      'answers an error',
      () => (github.token = { error: 'bad_verification_code', error_description: 'The code expired.' }),
      'The code expired.',
    ],
    ['sends no token', () => (github.token = {}), 'The identity provider did not send an access token.'],
    ['refuses the token', () => (github.token = { access_token: 'x' }), 'The identity provider responded with the status 401.'],
    ['fails', () => (github.status = 500), 'The identity provider responded with the status 500.'],
    ['answers something else', () => (github.emails = { message: 'hello' }), 'The response of the identity provider cannot be read.'],
  ])('is refused if it %s', async (_, change, message) => {
    change()
    const page = await signIn()
    expect([...heading(page), administratorDetails(page)]).toEqual([400, 'Sign-in failed', expect.stringContaining(message)])
    expect(alertOf(page)[1]).toMatch(
      /^(Sign-in through|We could not confirm your sign-in at) \u2068?GitHub\u2069?.* tell the operator of this service\.$/,
    )
    expect(await accountOf(String(id))).toBeNull()
  })
})
