import { expect, test } from 'vitest'
import { contentOf, enter, heading } from '../../support/account-site/page-content.ts'
import { inTeam, rowsOf } from '../../support/account-site/team.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { join, unique } from '../../support/data/team.ts'
import { publishTxt } from '../../support/domains/name-server.ts'
import { requireSignIn } from '../../support/domains/required-sign-in.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { answerOf } from '../../support/identity-providers/team-provider.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// The whole way through the pages: docs/decisions/required-sign-in.md.

const service = useService({ hostname: 'localhost' })
const { database, clock } = service
const { prisma } = database
const providers = useProviders(clock.now)

const linkOn = ({ root }: Page, text: string): string =>
  root
    .querySelectorAll('main a')
    .find((link) => link.text.trim().startsWith(text))
    ?.getAttribute('href') ?? ''
/** Follows a link to a provider, where the browser is signed in already, and returns the page to which this leads. */
const through = async (browser: Browser, page: Page, text: string) => browser.open(await answerOf(await browser.open(linkOn(page, text))))

test('an owner sets the provider up and requires it; a member signed in by password is refused and led there', async () => {
  const { browser, team } = await inTeam(service, 'owner', '/sign-in')
  const domain = `${unique('acme')}.example`
  const member = await createPerson(database, { email: `grace@${domain}` })
  await join(database, team, member, 'member')
  const members = new Browser(service.url)
  const wanted = `/teams/${team.slug}/members?sort=name`
  expect((await enter(members, member, wanted)).status).toBe(200)
  const settings = `/teams/${team.slug}/sign-in`

  // The provider and its test.
  const idp = await providers.create()
  const guide = await browser.open(`${settings}/new?provider=okta`)
  const fields = { Name: 'Okta', Issuer: idp.issuer, 'Client ID': idp.clientId, 'Client secret': idp.clientSecret }
  const created = await browser.press(guide, 'Add identity provider', fields)
  idp.claims = { sub: 'ada', email: `ada@${domain}`, name: 'Ada' }
  expect((await through(browser, created, 'Test sign-in')).status).toBe(200)

  // The domain.
  const added = await browser.press(await browser.open(`${settings}/domains`), 'Add domain', { Domain: domain })
  const { value } = await prisma.teamDomain.findFirstOrThrow({ where: { teamId: team.id } })
  await publishTxt(service, `_team-account.${domain}`, [value])
  expect(contentOf(await browser.press(added, 'Verify'))).toContain('Verified since')

  // The requirement. The owner has an address of another domain and is not concerned.
  const requirement = await browser.open(`${settings}/requirement`)
  const question = await browser.openConfirmation(requirement, 'Require sign-in')
  expect(contentOf(question)).toContain(
    '1 member is affected and gets an email. 1 of them has not signed in there and will have no access to the team after the grace period until they do.',
  )
  const required = await browser.press(question, 'Require sign-in', { 'Grace period in days': '0' })
  expect(contentOf(required)).toContain('0 of 1 affected member signed in.')
  const missing = await browser.open(linkOn(required, 'View the member who has not signed in'))
  expect(rowsOf(missing)).toEqual([expect.arrayContaining([expect.stringContaining(member.name), 'Missing'])])

  const refused = await members.open(wanted)
  expect(heading(refused)).toEqual([403, 'Sign in through Okta'])
  idp.claims = { sub: 'grace', email: member.email, name: 'Grace' }
  const asked = await through(members, refused, 'Continue to Okta')
  expect(heading(asked)).toEqual([200, 'Is this your account?'])
})

test('before the requirement begins, members concerned see it on the pages of the team and of the account', async () => {
  const { team, provider, address } = await requireSignIn(service)
  const requireFrom = (milliseconds: number) =>
    prisma.team.update({ where: { id: team.id }, data: { signInRequiredAt: new Date(clock.now().getTime() + milliseconds) } })
  await requireFrom(86_400_000)
  const [concerned, guest] = [await createPerson(database, { email: address() }), await createPerson(database)]
  for (const person of [concerned, guest]) await join(database, team, person, 'member')
  const text = 'requires sign-in through its identity provider from'
  const path = `/teams/${team.slug}/members`
  const browser = new Browser(service.url)
  for (const page of [await enter(browser, concerned, path), await browser.open('/account')]) {
    expect(contentOf(page)).toContain(text)
    expect(linkOn(page, 'Continue to the identity provider')).toBe(
      `/sign-in/start/${provider.id}?return_to=${encodeURIComponent(page.url.pathname)}`,
    )
  }
  expect(contentOf(await enter(new Browser(service.url), guest, path))).not.toContain(text)
  await requireFrom(0)
  expect((await browser.open(path)).status).toBe(403)
  // The list of teams leads to the sign-in (closed-teams.test.ts), and the banner says why.
  const own = await browser.open('/account/teams')
  const reason = 'requires sign-in through its identity provider. You cannot open the team until you sign in there.'
  expect(contentOf(own)).toContain(reason)
  // Where the session has signed in there, nothing is missing.
  await prisma.session.updateMany({ where: { userId: concerned.id }, data: { providerIds: [provider.id] } })
  await prisma.externalIdentity.create({
    data: { providerId: provider.id, subject: concerned.id, userId: concerned.id, email: concerned.email, lastSignInAt: clock.now() },
  })
  expect(contentOf(await browser.open(path))).not.toContain(text)
})
