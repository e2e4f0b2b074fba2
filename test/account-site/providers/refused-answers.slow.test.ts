import { beforeAll, describe, expect, test } from 'vitest'
import type { IdentityProvider, Team } from '../../../prisma/generated/client/client.ts'
import { alertOf, enter, heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { createKey, json } from '../../support/identities/ci-issuer.ts'
import { personAtProvider } from '../../support/identity-providers/person-at-provider.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import type { TestProvider } from '../../support/identity-providers/provider.ts'
import { addProvider, answerOf, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { isSignedIn } from '../../support/oauth/authorization.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Which answers are refused: test/graphql/identity-providers/oidc.test.ts.

const service = useService({ hostname: 'localhost' })
const { database, clock } = service
const { prisma } = database
const providers = useProviders(clock.now)
const seconds = () => Math.floor(clock.now().getTime() / 1000)

const seed = () => personAtProvider(service, providers)
const hostile = `<img src=x onerror=alert(1)>${'&'.repeat(300)}`
const closed = (response: { destroy(): unknown }) => void response.destroy()

/** Checks that a page says what happened, that the browser is not signed in, and that its link leads to a sign-in with the password. */
async function expectRefused(browser: Browser, page: Page, message: string, person: { email: string }): Promise<void> {
  expect([page.status >= 400 && page.status < 500, page.root.querySelector('h1')?.text, alertOf(page)[1]]).toEqual([
    true,
    'Sign-in failed',
    expect.stringContaining(message),
  ])
  expect(page.root.querySelector('main img')).toBeNull()
  expect(await isSignedIn(service, browser.copy())).toBe(false)
  const back = page.root.querySelectorAll('main a').find(({ text }) => text === 'Sign in another way')
  const form = await browser.open(back?.getAttribute('href') ?? '')
  await browser.press(form, 'Sign in', { 'Email address': person.email, Password: password })
  expect(await isSignedIn(service, browser.copy())).toBe(true)
}

const failures: readonly [name: string, change: (provider: TestProvider) => unknown, message: string][] = [
  ['that is down before the sign-in', (p) => (p.metadata = closed), 'Its metadata cannot be read.'],
  ['whose metadata is an error', (p) => (p.metadata = json({}, 500)), 'The response has the status 500.'],
  ['whose metadata is not JSON', (p) => (p.metadata = (response) => response.end('<html>')), 'The response is not JSON.'],
  ['that goes down during the sign-in', (p) => (p.token = closed), 'It cannot be reached.'],
  ['that does not answer in time', (p) => (p.token = () => undefined), 'It cannot be reached.'],
  ['whose token endpoint answers with an error', (p) => (p.token = json({}, 500)), 'It answered with the status 500.'],
  ['whose token endpoint does not answer JSON', (p) => (p.token = (response) => response.end('<html>')), 'Its answer is not valid'],
  [
    'that denies access, with a hostile description',
    (p) => (p.response = ({ state = '' }) => ({ state, error: 'access_denied', error_description: hostile })),
    `It answered access_denied: ${hostile.slice(0, 200)}…`,
  ],
  [
    'that signs with a key that it does not publish',
    async (p) => {
      const key = await createKey()
      p.idToken = (claims) => p.sign(claims, {}, key)
    },
    'The signature of its ID token is not valid.',
  ],
  ['whose ID token is of another issuer', (p) => (p.idToken = (c) => p.sign({ ...c, iss: 'https://evil.example' })), 'The claim iss'],
  ['whose ID token is for another client', (p) => (p.idToken = (c) => p.sign({ ...c, aud: 'other' })), 'The claim aud'],
  ['whose ID token has another nonce', (p) => (p.idToken = (c) => p.sign({ ...c, nonce: 'other' })), 'The claim nonce'],
  ['whose ID token has expired', (p) => (p.idToken = (c) => p.sign({ ...c, exp: seconds() - 60 })), 'The claim exp'],
]

describe('a sign-in at a provider', () => {
  test.each(failures)('%s says so and leads back', async (_, change, message) => {
    const { provider, row, person } = await seed()
    await change(provider)
    const browser = new Browser(service.url)
    const sent = await browser.open(`/sign-in/start/${row.id}`)
    const isAtProvider = sent.url.origin !== service.url
    await expectRefused(browser, isAtProvider ? await browser.open(await answerOf(sent)) : sent, message, person)
  })

  test('that has replaced its keys succeeds, and can be tried again after any refusal', async () => {
    const { provider, row } = await seed()
    const browser = new Browser(service.url)
    provider.token = json({}, 500)
    const refused = await signInAtProvider(browser, row.id, { return_to: '/account' })
    provider.token = null
    const again = refused.root.querySelectorAll('main a').find(({ text }) => text === 'Try again')
    const page = await browser.open(await answerOf(await browser.open(again?.getAttribute('href') ?? '')))
    expect(page.url.pathname).toBe('/account')
    provider.key = await createKey('RS256', 'key-2')
    clock.advance(61_000)
    expect((await signInAtProvider(new Browser(service.url), row.id, { return_to: '/account' })).url.pathname).toBe('/account')
  })
})

interface Begun {
  browser: Browser
  answer: URL
  row: IdentityProvider
  team: Team
  person: { email: string }
}

type MixUp = (begun: Begun) => Promise<{ browser?: Browser; address?: URL } | void>
const mixUps: readonly [name: string, mixUp: MixUp, message: string][] = [
  [
    'at the redirect URI of another provider',
    async ({ answer, team }) => {
      const other = await addProvider(database, team, await providers.create())
      const address = new URL(answer)
      address.pathname = `/sign-in/callback/${other.id}`
      return { address }
    },
    'The answer is for a sign-in at another provider (parameter state).',
  ],
  [
    'in another browser',
    () => Promise.resolve({ browser: new Browser(service.url) }),
    'This browser did not begin this sign-in, or began it more than 10 minutes ago (parameter state).',
  ],
  [
    'in a browser that began another sign-in there',
    async ({ row }) => {
      const browser = new Browser(service.url)
      await browser.open(`/sign-in/start/${row.id}`)
      return { browser }
    },
    'This browser did not begin this sign-in',
  ],
  ['after 10 minutes', () => Promise.resolve(clock.advance(601_000)), 'began it more than 10 minutes ago (parameter state).'],
  [
    'without its state',
    ({ answer }) => {
      const address = new URL(answer)
      address.searchParams.delete('state')
      return Promise.resolve({ address })
    },
    'Its answer has no parameter state.',
  ],
  [
    'of a provider that an operator disabled since',
    async ({ row }) => void (await prisma.identityProvider.update({ where: { id: row.id }, data: { disabledAt: clock.now() } })),
    'It was disabled by the operator of this service.',
  ],
  [
    'of a provider that was deleted since',
    async ({ row }) => void (await prisma.identityProvider.delete({ where: { id: row.id } })),
    'This identity provider does not exist. It may have been deleted.',
  ],
  [
    'of a provider whose team was deleted since',
    async ({ team }) => void (await prisma.team.update({ where: { id: team.id }, data: { deletedAt: clock.now() } })),
    'This identity provider does not exist. It may have been deleted.',
  ],
  [
    'with the code of another person',
    async ({ browser, row }) => {
      const other = await answerOf(await browser.open(`/sign-in/start/${row.id}`))
      const address = await answerOf(await browser.open(`/sign-in/start/${row.id}`))
      address.searchParams.set('code', other.searchParams.get('code') ?? '')
      return { address }
    },
    'The claim nonce',
  ],
]

describe('an answer', () => {
  let other: { email: string }
  beforeAll(async () => void (other = await createPerson(database)))

  test.each(mixUps)('%s is refused', async (_, mixUp, message) => {
    const { row, team, person } = await seed()
    const browser = new Browser(service.url)
    const answer = await answerOf(await browser.open(`/sign-in/start/${row.id}`))
    const changed = (await mixUp({ browser, answer, row, team, person })) ?? {}
    const used = changed.browser ?? browser
    await expectRefused(used, await used.open(changed.address ?? answer), message, person)
  })

  test('counts once', async () => {
    const { row } = await seed()
    const browser = new Browser(service.url)
    const answer = await answerOf(await browser.open(`/sign-in/start/${row.id}?return_to=%2Faccount`))
    const copy = browser.copy()
    expect((await browser.open(answer)).url.pathname).toBe('/account')
    await expectRefused(copy, await copy.open(answer), 'The answer was already used.', other)
  })

  test('counts once when it is sent twice at the same time', async () => {
    const { row, person } = await seed()
    const browser = new Browser(service.url)
    const answer = await answerOf(await browser.open(`/sign-in/start/${row.id}?return_to=%2Faccount`))
    const pages = await Promise.all([browser.copy(), browser.copy()].map((each) => each.open(answer)))
    expect(new Set(pages.map((page) => heading(page)[1]))).toEqual(new Set(['Profile', 'Sign-in failed']))
    expect(await prisma.session.count({ where: { user: { email: person.email } } })).toBe(1)
  })

  test('that is refused leaves a user signed in who was', async () => {
    const { provider, row } = await seed()
    provider.token = json({}, 500)
    const browser = new Browser(service.url)
    await enter(browser, other, '/account')
    expect(heading(await signInAtProvider(browser, row.id))[1]).toBe('Sign-in failed')
    expect(await isSignedIn(service, browser)).toBe(true)
  })
})
