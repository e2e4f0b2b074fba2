import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SocialClient } from '../../../schema/core/social-clients.ts'
import { alertOf, heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { unique } from '../../support/data/team.ts'
import { json } from '../../support/identities/ci-issuer.ts'
import { metadataOf, useProviders } from '../../support/identity-providers/provider.ts'
import type { TestProvider } from '../../support/identity-providers/provider.ts'
import { useGithub } from '../../support/identity-providers/social.ts'
import { answerOf, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { useService } from '../../support/service/service.ts'

// What counts of the answers of Microsoft and GitHub, against endpoints that answer as they do. Google and linking: linking.slow.test.ts.

const client = { clientId: 'client-at-provider', clientSecret: 'secret-at-provider' }
const social: { microsoft?: SocialClient; github?: SocialClient } = {}
const service = useService({ hostname: 'localhost', socialProviders: social })
const { prisma } = service.database
const providers = useProviders(service.clock.now)
const github = useGithub(client)
const tenants = 'https://login.microsoftonline.com'
const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
let microsoft: TestProvider

beforeAll(async () => {
  microsoft = await providers.create()
  microsoft.metadata = json({ ...metadataOf(microsoft.issuer), issuer: `${tenants}/{tenantid}/v2.0` })
  social.microsoft = { ...client, origin: microsoft.issuer }
  social.github = { ...client, origin: github.origin() }
})

const signIn = (key: 'microsoft' | 'github') => signInAtProvider(new Browser(service.url), key, { return_to: '/account' })
const accountOf = async (subject: string) =>
  (await prisma.externalIdentity.findFirst({ where: { subject }, include: { user: true } }))?.user ?? null

test('the sign-in page has a button for each public provider that is set up', async () => {
  const { root } = await new Browser(service.url).open('/sign-in')
  const buttons = root.querySelectorAll('main a.button').map(({ text, attributes }) => [text, attributes['href']?.split('?')[0]])
  expect(buttons).toEqual([
    ['Continue with Microsoft', '/sign-in/start/microsoft'],
    ['Continue with GitHub', '/sign-in/start/github'],
  ])
  expect(heading(await new Browser(service.url).open('/sign-in/start/google'))[0]).toBe(404)
})

const isAccount = ({ url }: Page) => url.pathname === '/account'

describe('Microsoft', () => {
  const verified = [true, 1, '1', 'true']
  const unverified = [false, 0, '0', 'false', undefined, null, 'yes', ['true']]
  const state = (claims: object) => {
    const sub = unique('subject')
    const email = `${unique('ada')}@acme.example`
    microsoft.claims = { sub, email, email_verified: true, tid: tenant, iss: `${tenants}/${tenant}/v2.0`, ...claims }
    return { sub, email }
  }
  test('four people who return at the same moment with one new address get accounts of their own, of which one has it', async () => {
    const email = `${unique('ada')}@acme.example`
    const returns: (() => ReturnType<Browser['open']>)[] = []
    for (let person = 0; person < 4; person++) {
      state({ xms_edov: true, email })
      const browser = new Browser(service.url)
      const back = await answerOf(await browser.open('/sign-in/start/microsoft?return_to=/account'))
      returns.push(() => browser.open(back))
    }
    const pages = await Promise.all(returns.map((open) => open()))
    expect(pages.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    const [signedIn, others] = [pages.filter(isAccount), pages.filter((page) => !isAccount(page))]
    expect(signedIn).not.toHaveLength(0)
    for (const page of others) expect(alertOf(page)[1]).toContain('was created a moment ago. Sign in again.')
    expect(await prisma.user.count({ where: { email } })).toBe(1)
    expect(await prisma.externalIdentity.count({ where: { user: { email } } })).toBe(1)
  })
  test.each(verified)('states a verified address with xms_edov %j', async (value) => {
    const { sub, email } = state({ xms_edov: value })
    expect((await signIn('microsoft')).url.pathname).toBe('/account')
    expect(await accountOf(sub)).toMatchObject({ email, emailVerified: true })
  })
  test.each(unverified)('states no address that counts with xms_edov %j, whatever email_verified says', async (value) => {
    const { sub } = state({ xms_edov: value })
    expect((await signIn('microsoft')).url.pathname).toBe('/account')
    const account = await accountOf(sub)
    expect(account).toMatchObject({ email: `${account?.id}@no-address.invalid`, emailVerified: false })
  })

  const refused: [name: string, claims: object][] = [
    ['of another tenant than its issuer', { tid: 'e0c7a1e0-5d0b-4b7b-9d3c-6f2f3a3c9d11' }],
    ['of another issuer', { iss: `https://evil.example/${tenant}/v2.0` }],
    ['of the placeholder', { iss: `${tenants}/{tenantid}/v2.0` }],
    ['without a tenant', { tid: undefined }],
    ['of a tenant that is a path', { tid: '../evil', iss: `${tenants}/../evil/v2.0x` }],
  ]
  test.each(refused)('is refused with an ID token %s', async (_, claims) => {
    const { sub } = state({ xms_edov: true, ...claims })
    const page = await signIn('microsoft')
    expect([...heading(page), alertOf(page)[1]]).toEqual([400, 'Sign-in failed', expect.stringMatching(/iss|tid/)])
    expect(await accountOf(sub)).toBeNull()
  })
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
    expect((await signIn('github')).url.pathname).toBe('/account')
    expect(await accountOf(String(id))).toMatchObject({ email, emailVerified: true, name: 'ada' })
    const account = await accountOf(String(id))
    // The login of the user changed.
    github.user = { id, login: 'grace', name: 'Grace' }
    await signIn('github')
    expect(await accountOf(String(id))).toMatchObject({ id: account?.id, name: 'ada' })
    github.user = { id: id + 10_000, login: 'ada', name: 'Eve' }
    github.emails = []
    await signIn('github')
    expect((await accountOf(String(id + 10_000)))?.id).not.toBe(account?.id)
  })

  test.each([
    ['is not verified', () => [{ email, primary: true, verified: false }]],
    ['is not the primary one', () => [{ email, primary: false, verified: true }]],
    ['does not exist', () => []],
  ])('states no address if it %s', async (_, emails) => {
    github.emails = emails()
    expect((await signIn('github')).url.pathname).toBe('/account')
    const account = await accountOf(String(id))
    expect(account).toMatchObject({ email: `${account?.id}@no-address.invalid`, emailVerified: false })
  })

  test.each([403, 404])('states no address if the app may not read addresses (status %i)', async (status) => {
    Object.assign(github, { status, emails: { message: 'Resource not accessible by integration' } })
    expect((await signIn('github')).url.pathname).toBe('/account')
    expect(await accountOf(String(id))).toMatchObject({ emailVerified: false, name: 'ada' })
  })

  test('may send null for what is absent', async () => {
    github.token = { access_token: 'token-1', error: null, error_description: null, scope: null }
    expect((await signIn('github')).url.pathname).toBe('/account')
    expect(await accountOf(String(id))).toMatchObject({ email })
  })

  test.each<[string, () => unknown, string]>([
    [
      'answers an error',
      () => (github.token = { error: 'bad_verification_code', error_description: 'The code expired.' }),
      'The code expired.',
    ],
    ['sends no token', () => (github.token = {}), 'It sent no access token.'],
    ['refuses the token', () => (github.token = { access_token: 'x' }), 'It answered with the status 401.'],
    ['fails', () => (github.status = 500), 'It answered with the status 500.'],
    ['answers something else', () => (github.emails = { message: 'hello' }), 'Its answer cannot be read.'],
  ])('is refused if it %s', async (_, change, message) => {
    change()
    const page = await signIn('github')
    expect([...heading(page), alertOf(page)[1]]).toEqual([400, 'Sign-in failed', expect.stringContaining(message)])
    expect(await accountOf(String(id))).toBeNull()
  })
})
