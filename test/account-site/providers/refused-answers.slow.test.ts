import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { createKey, json } from '../../support/identities/ci-issuer.ts'
import { personAtProvider } from '../../support/identity-providers/person-at-provider.ts'
import { metadataOf, useProviders } from '../../support/identity-providers/provider.ts'
import type { TestProvider } from '../../support/identity-providers/provider.ts'
import { expectRefusedSignIn } from '../../support/identity-providers/refused-sign-in.ts'
import { answerOf, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { useService } from '../../support/service/service.ts'

// Which answers are refused: test/graphql/identity-providers/oidc.test.ts.

const service = useService({ hostname: 'localhost' })
const { clock } = service
const providers = useProviders(clock.now)
const seconds = () => Math.floor(clock.now().getTime() / 1000)

const seed = () => personAtProvider(service, providers)
const hostile = `<img src=x onerror=alert(1)>${'&'.repeat(300)}`
const closed = (response: { destroy(): unknown }) => void response.destroy()

const failures: readonly [name: string, change: (provider: TestProvider) => unknown, message: string][] = [
  ['that is down before the sign-in', (p) => (p.metadata = closed), 'The metadata of the identity provider cannot be read.'],
  ['whose metadata is an error', (p) => (p.metadata = json({}, 500)), 'The response has the status 500.'],
  ['whose metadata is not JSON', (p) => (p.metadata = (response) => response.end('<html>')), 'The response is not JSON.'],
  ['that goes down during the sign-in', (p) => (p.token = closed), 'The identity provider cannot be reached.'],
  ['that does not answer in time', (p) => (p.token = () => undefined), 'The identity provider cannot be reached.'],
  ['whose token endpoint answers with an error', (p) => (p.token = json({}, 500)), 'The identity provider responded with the status 500.'],
  [
    'whose token endpoint does not answer JSON',
    (p) => (p.token = (response) => response.end('<html>')),
    'The response of the identity provider is not valid',
  ],
  [
    'that denies access, with a hostile description',
    (p) => (p.response = ({ state = '' }) => ({ state, error: 'access_denied', error_description: hostile })),
    `The identity provider responded with access_denied: ${hostile.slice(0, 200)}…`,
  ],
  [
    'that signs with a key that it does not publish',
    async (p) => {
      const key = await createKey()
      p.idToken = (claims) => p.sign(claims, {}, key)
    },
    'The signature of the ID token is not valid.',
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
    const page = isAtProvider ? await browser.open(await answerOf(sent)) : sent
    await expectRefusedSignIn(service, browser, { page, message, person })
  })

  test('succeeds five seconds after metadata of another issuer was corrected', async () => {
    const { provider, row } = await seed()
    const { metadata } = provider
    provider.metadata = json({ ...metadataOf(provider.issuer), issuer: `${provider.issuer}/` })
    const refused = await new Browser(service.url).open(`/sign-in/start/${row.id}`)
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('The metadata of the identity provider is that of another issuer'),
    ])
    provider.metadata = metadata
    clock.advance(5001)
    expect((await signInAtProvider(new Browser(service.url), row.id)).status).toBe(200)
  })

  test('that has replaced its keys succeeds, and can be tried again after any refusal', async () => {
    const { provider, row } = await seed()
    const browser = new Browser(service.url)
    provider.token = json({}, 500)
    const refused = await signInAtProvider(browser, row.id, { return_to: '/account' })
    provider.token = null
    const again = refused.root.querySelectorAll('main a').find(({ text }) => text === 'Try again')
    const page = await browser.open(await answerOf(await browser.open(again?.getAttribute('href') ?? '')))
    expect(page.url.pathname).toBe('/confirm/account')
    provider.key = await createKey('RS256', 'key-2')
    clock.advance(61_000)
    expect((await signInAtProvider(new Browser(service.url), row.id, { return_to: '/account' })).url.pathname).toBe('/confirm/account')
  })
})
