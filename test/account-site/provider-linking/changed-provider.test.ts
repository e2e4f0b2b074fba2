import { describe, expect, test } from 'vitest'
import { heading } from '../../support/account-site/page-content.ts'
import { giveFactor } from '../../support/account-site/password-session.ts'
import { Browser } from '../../support/browser/browser.ts'
import { useSituations } from '../../support/identity-providers/situation.ts'
import { addressAtProvider, answerOf, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { contentFor, createSamlProvider, post, requestIdOf, useSigners } from '../../support/saml/provider.ts'
import { signedResponse } from '../../support/saml/response.ts'

// A provider that is changed during a sign-in: its answer no longer counts.

const { service, prepare, provider } = useSituations()
const { prisma } = service.database

type Change = 'deleted' | 'disabled' | 'moved to another issuer'
const changes: readonly Change[] = ['deleted', 'disabled', 'moved to another issuer']

async function change(id: string, change: Change): Promise<void> {
  const updatedAt = service.clock.now()
  if (change === 'deleted') await prisma.identityProvider.delete({ where: { id } })
  else {
    const data = change === 'disabled' ? { disabledAt: updatedAt } : { issuer: 'https://other.example' }
    await prisma.identityProvider.update({ where: { id }, data: { ...data, updatedAt } })
  }
}

test.each(changes)('refuses the answer of a provider that is %s while it is verified', async (what) => {
  const { key, subject } = await prepare('team', 'the team', 'none')
  const browser = new Browser(service.url)
  const address = await answerOf(await browser.open(`/sign-in/start/${key}`))
  const { idToken } = provider()
  provider().idToken = async (claims) => {
    await change(key, what)
    return idToken(claims)
  }
  const page = await browser.open(address)
  provider().idToken = idToken
  expect(heading(page)).toEqual([400, 'Sign-in failed'])
  expect(page.text).toContain('The settings of the identity provider were changed during the sign-in.')
  expect(await prisma.externalIdentity.count({ where: { subject } })).toBe(0)
})

test.each(changes)('links nothing if the provider is %s before the account is proved', async (what) => {
  const { key, subject } = await prepare('team', 'the team', 'verified')
  const browser = new Browser(service.url)
  const page = await signInAtProvider(browser, key)
  expect(heading(page)).toEqual([200, 'Is this your account?'])
  service.clock.advance(1000)
  await change(key, what)
  expect(heading(await browser.press(page, 'Continue with a new account'))).toEqual([200, 'Sign in'])
  expect(await prisma.externalIdentity.count({ where: { subject } })).toBe(0)
})

test('refuses the answer of a provider that was changed after the sign-in began', async () => {
  const { key, subject } = await prepare('team', 'the team', 'none')
  const browser = new Browser(service.url)
  const address = await answerOf(await browser.open(`/sign-in/start/${key}`))
  service.clock.advance(1000)
  await prisma.identityProvider.update({ where: { id: key }, data: { name: 'New name', updatedAt: service.clock.now() } })
  expect((await browser.open(address)).text).toContain('The settings of the identity provider were changed during the sign-in.')
  expect(await prisma.externalIdentity.count({ where: { subject } })).toBe(0)
})

test.each<[string, (id: string) => Promise<unknown>]>([
  ['disabled', (id) => change(id, 'disabled')],
  ['deleted', (id) => change(id, 'deleted')],
  ['unlinked', (providerId) => prisma.externalIdentity.deleteMany({ where: { providerId } })],
])('refuses the second factor if the provider is %s before it', async (_, make) => {
  const { key, subject, email, account } = await prepare('team', 'the team', 'verified')
  if (!account) throw new Error('there is an account')
  const code = await giveFactor(service, account, 'totp')
  const data = { providerId: key, subject, userId: account.id, email, lastSignInAt: service.clock.now() }
  await prisma.externalIdentity.create({ data })
  const browser = new Browser(service.url)
  const asked = await signInAtProvider(browser, key)
  await make(key)
  expect(heading(await browser.press(asked, 'Continue', { code }))).toEqual([200, 'Sign in'])
  expect(await prisma.session.count({ where: { userId: account.id } })).toBe(0)
})

describe.runIf(canIssueCertificates)('a SAML provider', () => {
  const signers = useSigners('lost', 'next')

  test('refuses a response whose certificate was replaced before the browser returned', async () => {
    const present = await createSamlProvider(service, [signers.lost])
    const browser = new Browser(service.url)
    const request = requestIdOf(addressAtProvider(await browser.open(`/sign-in/start/${present.id}`)))
    const { headers } = await post(present.acsUrl, signedResponse(contentFor(service, present, request), signers.lost))
    service.clock.advance(1000)
    const data = { certificates: [signers.next.certificate], updatedAt: service.clock.now() }
    await prisma.identityProvider.update({ where: { id: present.id }, data })
    const page = await browser.open(headers.get('location') ?? '')
    expect(heading(page)).toEqual([400, 'Sign-in failed'])
    expect(page.text).toContain('The settings of the identity provider were changed during the sign-in.')
    expect(await prisma.externalIdentity.count({ where: { providerId: present.id } })).toBe(0)
  })
})
