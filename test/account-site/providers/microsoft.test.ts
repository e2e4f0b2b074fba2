import { beforeAll, expect, test } from 'vitest'
import type { SocialClient } from '../../../schema/core/social-clients.ts'
import { administratorDetails, alertOf, heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { unique } from '../../support/data/team.ts'
import { json } from '../../support/identities/ci-issuer.ts'
import { metadataOf, useProviders } from '../../support/identity-providers/provider.ts'
import type { TestProvider } from '../../support/identity-providers/provider.ts'
import { answerOf, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// What counts of the answers of Microsoft, whose issuer names the tenant of a person.

const social: { microsoft?: SocialClient } = {}
const service = useService({ hostname: 'localhost', socialProviders: social })
const { prisma } = service.database
const providers = useProviders(service.clock.now)
const tenants = 'https://login.microsoftonline.com'
const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
let microsoft: TestProvider

beforeAll(async () => {
  microsoft = await providers.create()
  microsoft.metadata = json({ ...metadataOf(microsoft.issuer), issuer: `${tenants}/{tenantid}/v2.0` })
  social.microsoft = { clientId: 'client-at-provider', clientSecret: 'secret-at-provider', origin: microsoft.issuer }
})

const signIn = () => signInAtProvider(new Browser(service.url), 'microsoft', { return_to: '/account' })
const isAccount = ({ url }: Page) => url.pathname === '/account'
const accountOf = async (subject: string) =>
  (await prisma.externalIdentity.findFirst({ where: { subject }, include: { user: true } }))?.user ?? null

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
  expect((await signIn()).url.pathname).toBe('/account')
  expect(await accountOf(sub)).toMatchObject({ email, emailVerified: true })
})
test.each(unverified)('states no address that counts with xms_edov %j, whatever email_verified says', async (value) => {
  const { sub } = state({ xms_edov: value })
  expect((await signIn()).url.pathname).toBe('/account')
  const account = await accountOf(sub)
  expect(account).toMatchObject({ email: `${account?.id}@no-address.invalid`, emailVerified: false })
})

const otherTenant = { tid: 'e0c7a1e0-5d0b-4b7b-9d3c-6f2f3a3c9d11', iss: `${tenants}/e0c7a1e0-5d0b-4b7b-9d3c-6f2f3a3c9d11/v2.0` }
const accountsOf = async (subject: string) =>
  (await prisma.externalIdentity.findMany({ where: { subject }, orderBy: { createdAt: 'asc' } })).map(({ userId, issuer }) => [
    userId,
    issuer,
  ])

test('has another account for the same subject of another tenant', async () => {
  const { sub } = state({ xms_edov: true })
  expect(isAccount(await signIn())).toBe(true)
  state({ xms_edov: true, sub, ...otherTenant })
  expect(isAccount(await signIn())).toBe(true)
  const [[first, issuer] = [], [second, otherIssuer] = [], ...more] = await accountsOf(sub)
  expect([first === second, issuer, otherIssuer, more]).toEqual([false, `${tenants}/${tenant}/v2.0`, otherTenant.iss, []])
})

test('asks once for the proof of an account that was linked before tenants were stored, which then belongs to that tenant', async () => {
  const { sub } = state({ xms_edov: true })
  const user = await createPerson(service.database)
  await prisma.externalIdentity.create({ data: { social: 'microsoft', subject: sub, userId: user.id, lastSignInAt: new Date() } })
  const browser = new Browser(service.url)
  const page = await signInAtProvider(browser, 'microsoft', { return_to: '/account' })
  expect(heading(page)).toEqual([200, 'Is this your account?'])
  service.clock.advance(1000)
  const form = await browser.open(page.root.querySelector('main a.button')?.getAttribute('href') ?? '')
  expect(isAccount(await browser.press(form, 'Sign in', { 'Email address': user.email, Password: password }))).toBe(true)
  expect(await accountsOf(sub)).toEqual([[user.id, `${tenants}/${tenant}/v2.0`]])
  expect(isAccount(await signIn())).toBe(true)
  state({ xms_edov: true, sub, ...otherTenant })
  expect(isAccount(await signIn())).toBe(true)
  expect(await accountsOf(sub)).toHaveLength(2)
})

test('signs in to an account with nothing else that could prove it, which then belongs to that tenant', async () => {
  const { sub } = state({})
  expect(isAccount(await signIn())).toBe(true)
  const [[userId] = []] = await accountsOf(sub)
  await prisma.externalIdentity.updateMany({ where: { subject: sub }, data: { issuer: '' } })
  expect(isAccount(await signIn())).toBe(true)
  expect(await accountsOf(sub)).toEqual([[userId, `${tenants}/${tenant}/v2.0`]])
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
  const page = await signIn()
  expect([...heading(page), administratorDetails(page)]).toEqual([400, 'Sign-in failed', expect.stringMatching(/iss|tid/)])
  expect(await accountOf(sub)).toBeNull()
})
