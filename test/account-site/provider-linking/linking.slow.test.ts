import { describe, expect, test } from 'vitest'
import { createPasskeyOwner } from '../../support/account-site/passkey-owner.ts'
import { heading } from '../../support/account-site/page-content.ts'
import { giveFactor } from '../../support/account-site/password-session.ts'
import { usePasskey } from '../../support/account-site/passkey.ts'
import { Authenticator } from '../../support/browser/authenticator.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { rows } from '../../support/identity-providers/decisions.ts'
import { useSituations } from '../../support/identity-providers/situation.ts'
import type { Account, Kind, Owner, Situation } from '../../support/identity-providers/situation.ts'
import { signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'

// docs/decisions/identity-providers.md#identity-and-linking, row by row.

const { service, prepare, provider } = useSituations()
const { database } = service
const { prisma } = database

const identityOf = ({ subject }: Situation) => prisma.externalIdentity.findFirst({ where: { subject }, include: { user: true } })
const sessionsOf = (userId: string) => prisma.session.count({ where: { userId } })
const signIn = async (situation: Situation, browser = new Browser(service.url)) => ({
  browser,
  page: await signInAtProvider(browser, situation.key, { return_to: '/account' }),
})
/** Checks that the account is unchanged and has no session. */
async function expectUntouched(situation: Situation): Promise<void> {
  if (!situation.account) return
  const { id } = situation.account
  expect(await prisma.user.findUnique({ where: { id } })).toEqual(situation.account)
  expect(await prisma.externalIdentity.count({ where: { userId: id } })).toBe(0)
  expect(await sessionsOf(id)).toBe(0)
}

describe('a first sign-in', () => {
  test.each(rows)(
    'at a provider (%s), with an address whose domain %s verified and an account (%s): %s',
    async (kind, owner, account, decision) => {
      const situation = await prepare(kind, owner, account)
      const { page } = await signIn(situation)
      const identity = await identityOf(situation)
      if (decision === 'proof') {
        expect(heading(page)).toEqual([200, 'Is this your account?'])
        expect(identity).toBeNull()
        return expectUntouched(situation)
      }
      expect(page.url.pathname).toBe('/account')
      expect(await sessionsOf(identity?.userId ?? '')).toBe(1)
      const membership = await prisma.member.findMany({ where: { userId: identity?.userId ?? '' } })
      expect(membership).toMatchObject(kind === 'team' ? [{ teamId: situation.team.id, role: 'member' }] : [])
      const { email } = situation
      if (decision === 'linked') return expect(identity?.userId).toBe(situation.account?.id)
      expect(identity?.userId).not.toBe(situation.account?.id ?? '')
      const createdByTeamId = kind === 'team' ? situation.team.id : null
      if (decision === 'new without address') {
        expect(identity?.user).toMatchObject({
          email: `${identity?.userId}@no-address.invalid`,
          emailVerified: false,
          createdByTeamId,
        })
        return expectUntouched(situation)
      }
      expect(identity?.user).toMatchObject({ email, emailVerified: true, createdByTeamId, passwordHash: null, name: 'Ada Lovelace' })
      if (decision === 'replaced') expect(await prisma.user.count({ where: { id: situation.account?.id ?? '' } })).toBe(0)
    },
  )

  test.each(rows)(
    'again, at a provider (%s), domain of %s, account (%s) leads to the same account',
    async (kind, owner, account, decision) => {
      if (decision === 'proof') return
      const situation = await prepare(kind, owner, account)
      await signIn(situation)
      const first = await identityOf(situation)
      // The address plays no part any more.
      provider().claims = { sub: situation.subject, email: 'eve@evil.example' }
      const { page } = await signIn(situation)
      expect(page.url.pathname).toBe('/account')
      expect(await identityOf(situation)).toMatchObject({ id: first?.id, userId: first?.userId, email: 'eve@evil.example' })
    },
  )
})

type Proof =
  | 'the password'
  | 'the passkey'
  | 'a wrong password'
  | 'the passkey of another account'
  | 'a sign-in to another account'
  | 'nothing'
  | 'a new account'
const provable = rows.filter(([, , , decision]) => decision === 'proof')
const proofs: readonly Proof[] = [
  'the password',
  'the passkey',
  'a wrong password',
  'the passkey of another account',
  'a sign-in to another account',
  'nothing',
  'a new account',
]
const proofRows = provable
  .flatMap(([kind, owner, account]) => proofs.map((proof): [Kind, Owner, Account, Proof] => [kind, owner, account, proof]))
  .filter(([, , account, proof]) => proof !== 'the passkey' || account === 'verified, with a passkey')

async function prove(browser: Browser, page: Page, { authenticator }: Situation, proof: Proof): Promise<Page> {
  const stranger = await createPerson(database)
  switch (proof) {
    case 'the password':
      return browser.press(page, 'Link account', { Password: password })
    case 'a wrong password':
      return browser.press(page, 'Link account', { Password: 'wrong' })
    case 'the passkey':
      return usePasskey(browser, page, authenticator)
    case 'the passkey of another account': {
      const other = new Authenticator(service.url)
      await createPasskeyOwner(service, stranger, other)
      return usePasskey(browser, page, other)
    }
    case 'a sign-in to another account':
      await browser.press(await browser.open('/sign-in?with=password'), 'Sign in', { 'Email address': stranger.email, Password: password })
      return browser.open(page.url)
    case 'nothing':
      return browser.open('/account')
    case 'a new account':
      return browser.press(page, 'Continue with a new account')
  }
}

describe('a sign-in whose account must be proved', () => {
  test.each(proofRows)('at a provider (%s), domain of %s, account (%s): with %s', async (kind, owner, account, proof) => {
    const situation = await prepare(kind, owner, account)
    const { browser, page } = await signIn(situation)
    const next = await prove(browser, page, situation, proof)
    const existing = situation.account?.id ?? ''
    const identity = await identityOf(situation)
    if (proof === 'the password' || proof === 'the passkey') {
      expect(next.url.pathname).toBe('/account')
      expect(identity).toMatchObject({ userId: existing, user: { email: situation.email, emailVerified: true } })
      const [session] = await prisma.session.findMany({ where: { userId: existing } })
      expect(session?.providerIds).toEqual(kind === 'team' ? [situation.key] : [])
      return
    }
    await expectUntouched(situation)
    if (proof === 'a new account') {
      expect(identity?.user).toMatchObject({ email: `${identity?.userId}@no-address.invalid`, emailVerified: false })
      return
    }
    expect(identity).toBeNull()
    if (proof === 'nothing') expect(heading(next)).toEqual([200, 'Sign in'])
    if (proof === 'a wrong password') expect(next.text).toContain('The password is incorrect.')
    if (proof === 'the passkey of another account') expect(next.text).toContain('You confirmed an account that')
    if (proof === 'a sign-in to another account') expect(heading(next)).toEqual([200, 'Is this your account?'])
  })

  test('demands the second factor of the account too', async () => {
    const situation = await prepare('team', 'the team', 'verified')
    const { account } = situation
    if (!account) throw new Error('there is an account')
    const code = await giveFactor(service, account, 'totp')
    const { browser, page } = await signIn(situation)
    const asked = await browser.press(page, 'Link account', { Password: password })
    expect(heading(asked)).toEqual([200, 'Two-factor authentication'])
    expect([await identityOf(situation), await sessionsOf(account.id)]).toEqual([null, 0])
    expect((await browser.press(asked, 'Continue', { code })).url.pathname).toBe('/account')
    expect(await identityOf(situation)).toMatchObject({ userId: account.id })
  })

  test('is not linked by a later sign-in, even if a link sends the browser to the page', async () => {
    const situation = await prepare('team', 'the team', 'verified')
    const { browser, page } = await signIn(situation)
    await browser.press(await browser.open('/sign-in?with=password'), 'Sign in', { 'Email address': situation.email, Password: password })
    for (const query of ['', '&agreed=', '&agreed=1'])
      expect(heading(await browser.open(`${page.url.pathname}${page.url.search}${query}`))).toEqual([200, 'Is this your account?'])
    expect(await identityOf(situation)).toBeNull()
    const confirm = await browser.open(page.url)
    const asked = await browser.open(confirm.root.querySelector('main a.button')?.getAttribute('href') ?? '')
    expect((await browser.press(asked, 'Continue', { Password: password })).url.pathname).toBe('/account')
    expect(await identityOf(situation)).toMatchObject({ userId: situation.account?.id })
  })

  test('can be answered once, in its browser, for half an hour', async () => {
    const situation = await prepare('team', 'the team', 'verified')
    const { browser, page } = await signIn(situation)
    const other = new Browser(service.url)
    expect(heading(await other.open(page.url))).toEqual([200, 'Sign in'])
    service.clock.advance(31 * 60_000)
    expect(heading(await browser.open(page.url))).toEqual([200, 'Sign in'])
    await expectUntouched(situation)
  })
})
