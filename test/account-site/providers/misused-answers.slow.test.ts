import { beforeAll, describe, expect, test } from 'vitest'
import type { IdentityProvider, Team } from '../../../prisma/generated/client/client.ts'
import { enter, heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { json } from '../../support/identities/ci-issuer.ts'
import { personAtProvider } from '../../support/identity-providers/person-at-provider.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { expectRefusedSignIn } from '../../support/identity-providers/refused-sign-in.ts'
import { addProvider, answerOf, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { isSignedIn } from '../../support/oauth/authorization.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// An answer counts once, for the sign-in and in the browser that began it.

const service = useService({ hostname: 'localhost' })
const { database, clock } = service
const { prisma } = database
const providers = useProviders(clock.now)
const seed = () => personAtProvider(service, providers)

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
    'The response of the identity provider has no parameter state.',
  ],
  [
    'of a provider that an operator disabled since',
    async ({ row }) => void (await prisma.identityProvider.update({ where: { id: row.id }, data: { disabledAt: clock.now() } })),
    'The operator of this service has disabled this identity provider.',
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
    await expectRefusedSignIn(service, used, { page: await used.open(changed.address ?? answer), message, person })
  })

  test('counts once', async () => {
    const { row } = await seed()
    const browser = new Browser(service.url)
    const answer = await answerOf(await browser.open(`/sign-in/start/${row.id}?return_to=%2Faccount`))
    const copy = browser.copy()
    expect((await browser.open(answer)).url.pathname).toBe('/confirm/account')
    await expectRefusedSignIn(service, copy, { page: await copy.open(answer), message: 'The answer was already used.', person: other })
  })

  test('counts once when it is sent twice at the same time', async () => {
    const { row, person } = await seed()
    const browser = new Browser(service.url)
    const answer = await answerOf(await browser.open(`/sign-in/start/${row.id}?return_to=%2Faccount`))
    const pages = await Promise.all([browser.copy(), browser.copy()].map((each) => each.open(answer)))
    expect(new Set(pages.map((page) => heading(page)[1]))).toEqual(new Set(['Confirm it’s you', 'Sign-in failed']))
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
