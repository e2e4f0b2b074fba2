import { expect, test } from 'vitest'
import { Authenticator } from '../../support/browser/authenticator.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { alertOf, contentOf, heading } from '../../support/account-site/page-content.ts'
import { inTeam, wrongOf } from '../../support/account-site/team.ts'
import { optionsOn, sendPasskey, usePasskey } from '../../support/account-site/passkey.ts'
import { createDomain } from '../../support/domains/domain.ts'
import { publishTxt } from '../../support/domains/name-server.ts'
import { createProvider, signInThrough } from '../../support/domains/required-sign-in.ts'
import { useService } from '../../support/service/service.ts'

const service = useService({ hostname: 'localhost' })
const { database, mails } = service
const { prisma } = database
const domainOf = (email: string) => email.slice(email.indexOf('@') + 1)

async function addPasskeyIn(browser: Browser): Promise<Authenticator> {
  const authenticator = new Authenticator(service.url)
  const page = await browser.open('/security/passkeys/new')
  await sendPasskey(browser, page, authenticator.register(optionsOn(page)), { name: 'Laptop' })
  return authenticator
}

test('an owner verifies a domain, requires sign-in, is refused, opens the team with a passkey and lifts the requirement', async () => {
  const { browser, team, person, owner, address } = await inTeam(service, 'owner', '/sign-in/requirement')
  const provider = await createProvider(service, team, { testedAt: null })
  const domainsPage = `/teams/${team.slug}/sign-in/domains`
  const added = await browser.press(await browser.open(domainsPage), 'Add domain', { Domain: domainOf(person.email) })
  expect(contentOf(added)).toContain('Pending Publish this TXT record')
  await publishTxt(service, 'other.example', [])
  const missing = await browser.press(added, 'Verify')
  expect(missing.text).toContain(`There is no TXT record _team-account.${domainOf(person.email)}.`)
  const { domain, value } = await prisma.teamDomain.findFirstOrThrow({ where: { teamId: team.id } })
  await publishTxt(service, `_team-account.${domain}`, [value])
  expect(contentOf(await browser.press(await browser.open(domainsPage), 'Verify'))).toContain('Verified since')
  expect(contentOf(await browser.open(address))).toContain('sign in through it as a test first')
  await prisma.identityProvider.update({ where: { id: provider.id }, data: { testedAt: new Date() } })
  mails.length = 0
  const passkeyAdvice = 'Add a passkey to your account first.'
  // The owner would lose access, and has to sign in there.
  const locked = await browser.open(address)
  expect(contentOf(locked)).toContain('yourself, so that you keep your access to the team.')
  expect([contentOf(locked).includes(passkeyAdvice), locked.root.querySelector('a.confirm')]).toEqual([false, null])
  await signInThrough(service, provider, person)
  await prisma.session.updateMany({ where: { userId: person.id }, data: { providerIds: [provider.id] } })
  expect(contentOf(await browser.open(address))).toContain(passkeyAdvice)
  const authenticator = await addPasskeyIn(browser)
  const requirement = await browser.open(address)
  expect(contentOf(requirement)).not.toContain(passkeyAdvice)
  const question = await browser.openConfirmation(requirement, 'Require sign-in')
  expect(contentOf(question)).toContain('2 members are affected and get an email. 1 of them has not signed in there')
  expect(contentOf(question)).toContain('You can open the team with your passkey if the identity provider fails.')
  mails.length = 0
  const wrong = await browser.press(question, 'Require sign-in', { 'Grace period in days': 'soon' })
  expect([wrong.status, wrongOf(wrong, 'graceDays'), mails]).toEqual([422, 'Enter a number of days from 0 to 99.', []])
  const required = await browser.press(wrong, 'Require sign-in', { 'Grace period in days': '0' })
  expect(contentOf(required)).toContain('1 of 2 affected members signed in.')
  expect(mails.map((mail) => mail.kind)).toEqual(['sign-in-required', 'sign-in-required'])
  await prisma.session.updateMany({ where: { userId: person.id }, data: { providerIds: [] } })
  const closed = await browser.open(address)
  expect(heading(closed)).toEqual([403, 'Sign in through Okta'])
  const links = closed.root.querySelectorAll('main a').map((link) => link.getAttribute('href'))
  expect(links[0]).toMatch(new RegExp(`^/sign-in/start/${provider.id}\\?return_to=`))
  mails.length = 0
  const opened = await usePasskey(browser, await browser.open(links[1] ?? ''), authenticator)
  expect([opened.status, opened.url.pathname]).toEqual([200, address])
  expect(contentOf(opened)).toContain('View the member who has not signed in')
  const notice = { kind: 'owner-access', data: { team: team.name, slug: team.slug } }
  expect(mails.filter((mail) => 'userId' in mail && mail.userId === owner.id)).toMatchObject([notice])
  expect(await prisma.auditEntry.count({ where: { teamId: team.id, action: 'openTeamAsOwner', actorUserId: person.id } })).toBe(1)
  await signInThrough(service, provider, owner)
  const lifted = await browser.press(await browser.open(address), 'Stop requiring it')
  expect(lifted.status).toBe(200)
  expect(await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({ signInProviderId: null, signInRequiredAt: null })
})

test('a member who is not an owner cannot open the team with a passkey', async () => {
  const { browser, team, person } = await inTeam(service, 'member', '/members')
  const provider = await createProvider(service, team)
  await createDomain(database, team, { domain: `${team.slug}.example` })
  await prisma.user.update({ where: { id: person.id }, data: { email: `${person.id}@${team.slug}.example` } })
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: provider.id, signInRequiredAt: new Date() } })
  const refused = await browser.open(`/teams/${team.slug}/members`)
  expect(refused.text).not.toContain('Open with your passkey')
  const authenticator = await addPasskeyIn(browser)
  const page = await usePasskey(browser, await browser.open(`/owner-access?team=${team.slug}`), authenticator)
  expect(page.status).toBe(403)
  expect((await browser.open(`/teams/${team.slug}/members`)).status).toBe(403)
})

test('a passkey that a password alone could add since the team requires sign-in does not open it', async () => {
  const { browser, team, person } = await inTeam(service, 'owner', '/sign-in/requirement')
  const provider = await createProvider(service, team)
  await createDomain(database, team, { domain: `${team.slug}.example` })
  await prisma.user.update({ where: { id: person.id }, data: { email: `${person.id}@${team.slug}.example` } })
  const older = await addPasskeyIn(browser)
  await signInThrough(service, provider, { ...person, email: `${person.id}@${team.slug}.example` })
  await prisma.session.updateMany({ where: { userId: person.id }, data: { providerIds: [provider.id] } })
  // Also while the grace period lasts, in which the password is still enough for the team.
  await browser.press(await browser.open(`/teams/${team.slug}/sign-in/requirement`), 'Require sign-in', { 'Grace period in days': '7' })
  await prisma.session.updateMany({ where: { userId: person.id }, data: { providerIds: [] } })
  const newer = await addPasskeyIn(browser)
  const open = async (authenticator: Authenticator) =>
    usePasskey(browser, await browser.open(`/owner-access?team=${team.slug}&return_to=/teams/${team.slug}`), authenticator)
  const refused = await open(newer)
  expect(alertOf(refused)).toEqual([
    422,
    'This passkey was added after the team started to require sign-in, in a browser that was not signed in through the identity provider. Use an older passkey, or ask another owner.',
  ])
  expect(await prisma.session.count({ where: { ownerAccessTeamIds: { has: team.id } } })).toBe(0)
  // Another provider does not make it older than the requirement.
  const second = await createProvider(service, team, { name: 'Entra ID' })
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: second.id } })
  expect((await open(newer)).status).toBe(422)
  await open(older)
  expect(await prisma.session.count({ where: { ownerAccessTeamIds: { has: team.id } } })).toBe(1)
  // The session has what the team requires now.
  const newest = await addPasskeyIn(browser)
  await prisma.session.updateMany({ data: { ownerAccessTeamIds: [] } })
  await open(newest)
  expect(await prisma.session.count({ where: { ownerAccessTeamIds: { has: team.id } } })).toBe(1)
  expect(await prisma.passkey.count({ where: { ownerAccessTeamIds: { has: team.id } } })).toBe(1)
})

test('a signed-in user who wants another account can enter another email address', async () => {
  const { browser, team } = await inTeam(service, 'member', '/members')
  await createProvider(service, team)
  const page = await browser.open('/sign-in?return_to=/security&another=1&login_hint=other@example.test')
  const link = page.root.querySelectorAll('main a').find((each) => each.text === 'Change the email address')
  expect(heading(await browser.open(link?.getAttribute('href') ?? ''))).toEqual([200, 'Sign in'])
})

test('after a wrong password the focus is on the password, and not on the button of the identity provider', async () => {
  const { team } = await inTeam(service, 'member', '/members')
  for (const name of ['Okta', 'Entra ID']) await createProvider(service, team, { name })
  await createDomain(database, team, { domain: `${team.slug}.example` })
  const focused = (page: Page) => page.root.querySelectorAll('[autofocus]').map((each) => each.getAttribute('name') ?? each.text.trim())
  const browser = new Browser(service.url)
  const page = await browser.open(`/sign-in?login_hint=ada@${team.slug}.example`)
  expect(focused(page)).toEqual(['Continue with Okta'])
  expect(focused(await browser.press(page, 'Sign in', { Password: 'wrong' }))).toEqual(['password'])
})
