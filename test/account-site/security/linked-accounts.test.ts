import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { alertOf, contentOf, heading, noticeOf } from '../../support/account-site/page-content.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { addressAtProvider } from '../../support/identity-providers/team-provider.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { contentFor, createSamlProvider, post, requestIdOf, useSigners } from '../../support/saml/provider.ts'
import type { SamlProvider } from '../../support/saml/provider.ts'
import { signedResponse } from '../../support/saml/response.ts'
import type { ResponseContent } from '../../support/saml/response.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

describe.runIf(canIssueCertificates)('the page of linked accounts', () => {
  const signers = useSigners('own')

  /** Signs in with the password, on the page that would otherwise ask for the address first. */
  async function withPassword(email: string): Promise<Browser> {
    const browser = new Browser(service.url)
    const page = await browser.open('/sign-in?return_to=/security&with=password')
    expect(heading(await browser.press(page, 'Sign in', { 'Email address': email, Password: password }))).toEqual([
      200,
      'Sign-in and security',
    ])
    return browser
  }

  /** A member of a team with a SAML provider, who signed in with the password. */
  async function member() {
    const user = await createPerson(service.database)
    const team = await createTeam(service.database)
    await join(service.database, team, user, 'member')
    const provider = await createSamlProvider(service, [signers.own], { team })
    return { user, team, provider, browser: await withPassword(user.email) }
  }

  /** Answers at the provider to which a browser was sent. Returns the address to which it sends a browser back. */
  async function answer(provider: SamlProvider, sent: Page, change: Partial<ResponseContent> = {}): Promise<string> {
    const content = { ...contentFor(service, provider, requestIdOf(addressAtProvider(sent))), ...change }
    const response = await post(provider.acsUrl, signedResponse(content, signers.own))
    return response.headers.get('location') ?? ''
  }
  const connect = async (browser: Browser) => browser.press(await browser.open('/security/accounts'), 'Link Acme ID')
  const signInAt = (browser: Browser, { id }: SamlProvider) => browser.open(`/sign-in/start/${id}?return_to=/security/accounts`)
  const mailsTo = (userId: string) => service.mails.flatMap((mail) => ('userId' in mail && mail.userId === userId ? [mail.kind] : []))

  test('links an account, which then signs in, and removes it', async () => {
    const { user, provider, browser } = await member()
    const before = contentOf(await browser.open('/security/accounts'))
    expect(before).toContain('No linked accounts')
    expect(before).toContain('Whoever manages the sign-in of a team can also sign in as you, but only to that team.')
    expect(before).toMatch(/Acme ID Team Acme/)
    const page = await browser.open(await answer(provider, await connect(browser)))
    expect(noticeOf(page)).toEqual([200, 'You can now sign in through Acme ID.'])
    expect(contentOf(page)).toMatch(/Acme ID.*Team Acme.*ada@example\.com.*Last sign-in/)
    expect(contentOf(page)).not.toContain('Link an account')

    const other = new Browser(service.url)
    // The provider opens its team, and the password the account.
    const asked = await other.open(await answer(provider, await signInAt(other, provider)))
    expect(heading(asked)).toEqual([200, 'Confirm it’s you'])
    expect(heading(await other.press(asked, 'Continue', { Password: password }))).toEqual([200, 'Linked accounts'])
    expect(contentOf(await other.open('/security'))).toContain(user.email)

    const disconnected = await other.press(await other.open('/security/accounts'), 'Remove Acme ID')
    expect(noticeOf(disconnected)).toEqual([200, 'You can no longer sign in through “Acme ID”.'])
    expect(await prisma.externalIdentity.count({ where: { userId: user.id } })).toBe(0)
    expect(mailsTo(user.id).filter((kind) => kind.startsWith('identity'))).toEqual(['identity-linked', 'identity-unlinked'])
  })

  test('links nothing that another browser answered, or that belongs to another account', async () => {
    const { user, provider, browser, team } = await member()
    const foreign = await createPerson(service.database)
    await join(service.database, team, foreign, 'member')
    const foreignBrowser = await withPassword(foreign.email)
    const location = await answer(provider, await connect(foreignBrowser))
    const refused = await browser.open(location)
    expect(heading(refused)).toEqual([400, 'Sign-in failed'])
    expect(refused.text).toContain('This browser did not begin this sign-in')
    expect(await prisma.externalIdentity.count({ where: { userId: user.id } })).toBe(0)

    await foreignBrowser.open(location)
    expect(await prisma.externalIdentity.count({ where: { userId: foreign.id } })).toBe(1)
    const taken = await browser.open(await answer(provider, await connect(browser)))
    expect(taken.text).toContain('is already linked to another account of this service')
  })

  test('shows why the response of a provider is refused', async () => {
    const { provider, browser } = await member()
    const page = await browser.open(await answer(provider, await connect(browser), { audience: 'https://other.example' }))
    expect(heading(page)).toEqual([400, 'Sign-in failed'])
    expect(page.text).toContain('The Audience of the assertion is “https://other.example”')
  })

  test('does not remove the only way to sign in, or one that a team requires', async () => {
    const { user, team, provider, browser } = await member()
    await browser.open(await answer(provider, await connect(browser)))
    const disconnect = async () => alertOf(await browser.press(await browser.open('/security/accounts'), 'Remove Acme ID'))
    await prisma.user.update({ where: { id: user.id }, data: { passwordHash: null, emailVerified: false } })
    expect(await disconnect()).toEqual([422, 'This is your only way to sign in. Add and verify an email address, or add a passkey, first.'])
    await prisma.user.update({ where: { id: user.id }, data: { emailVerified: true } })
    await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: provider.id, signInRequiredAt: new Date() } })
    expect(await disconnect()).toEqual([
      422,
      'The team Acme requires sign-in through this provider. Leave the team first, or let an owner remove you.',
    ])
    await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: null, signInRequiredAt: null } })
    await browser.press(await browser.open('/security/accounts'), 'Remove Acme ID')
    expect(await prisma.externalIdentity.count({ where: { userId: user.id } })).toBe(0)
  })
})
