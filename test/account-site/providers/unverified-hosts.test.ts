import { describe, expect, test } from 'vitest'
import { contentOf, enter, heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam, join, unique } from '../../support/data/team.ts'
import { personAtProvider } from '../../support/identity-providers/person-at-provider.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { addDomain, addProvider, answerOf } from '../../support/identity-providers/team-provider.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Anybody can create a team whose provider is at any host. A link to it must not send the browsers of strangers there.

const service = useService()
const { database, clock } = service
const providers = useProviders(clock.now)

/** A team without a verified domain, and its provider. */
async function unverifiedTeam() {
  const provider = await providers.create()
  const team = await createTeam(database)
  const row = await addProvider(database, team, provider, { name: 'Okta' })
  return { provider, team, row, host: new URL(provider.issuer).host }
}

const doorsOf = ({ team, row }: Awaited<ReturnType<typeof unverifiedTeam>>) => [
  `/sign-in/${team.slug}?login_hint=ada@example.test`,
  `/sign-in/start/${row.id}?return_to=/security`,
]

describe('the provider of a team that has not verified a domain', () => {
  test.each(['nobody', 'a user'])('is named by its host before the browser is sent there, if %s is signed in', async (who) => {
    const unverified = await unverifiedTeam()
    const browser = new Browser(service.url)
    if (who === 'a user') await enter(browser, await createPerson(database))
    for (const door of doorsOf(unverified)) {
      const page = await browser.open(door)
      expect([door, ...heading(page)]).toEqual([door, 200, `Continue to ${unverified.host}?`])
      expect(contentOf(page)).toContain(`The team ${unverified.team.name} signs its members in through Okta`)
      const address = page.root.querySelector('main a.button')?.getAttribute('href') ?? ''
      expect(address.replaceAll('&amp;', '&')).toMatch(`${unverified.provider.issuer}/authorize?`)
    }
    expect(unverified.provider.requests).not.toContain('/authorize')
  })

  test('signs in from there, and is then known in this browser', async () => {
    const unverified = await unverifiedTeam()
    const { provider, team, row } = unverified
    provider.claims = { sub: unique('subject') }
    await database.prisma.identityProvider.update({ where: { id: row.id }, data: { jitRole: 'member', updatedAt: row.updatedAt } })
    const browser = new Browser(service.url)
    const page = await browser.open(await answerOf(await browser.open(`/sign-in/${team.slug}`)))
    expect(page.url.pathname).toBe(`/teams/${team.slug}`)
    for (const each of [browser, await browser.press(page, 'Sign out').then(() => browser)])
      for (const door of doorsOf(unverified)) expect([door, (await each.open(door)).status]).toEqual([door, 0])
  })

  test('is known to a member of the team', async () => {
    const unverified = await unverifiedTeam()
    const member = await createPerson(database)
    await join(database, unverified.team, member, 'member')
    const browser = new Browser(service.url)
    await enter(browser, member)
    for (const door of doorsOf(unverified)) expect([door, (await browser.open(door)).status]).toEqual([door, 0])
  })

  test('is not known because the domain of its team is not verified', async () => {
    const unverified = await unverifiedTeam()
    const { id } = await addDomain(database, unverified.team, `${unique('acme')}.example`)
    await database.prisma.teamDomain.update({ where: { id }, data: { verifiedAt: null } })
    for (const door of doorsOf(unverified)) expect((await new Browser(service.url).open(door)).status).toBe(200)
  })
})

test('the provider of a team with a verified domain gets the browser at once', async () => {
  const { team, row } = await personAtProvider(service, providers)
  for (const door of [`/sign-in/${team.slug}`, `/sign-in/start/${row.id}`])
    expect((await new Browser(service.url).open(door)).status).toBe(0)
})
