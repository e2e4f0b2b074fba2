import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IdentityProvider, Team } from '../../../prisma/generated/client/client.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam, unique } from '../../support/data/team.ts'
import { startOrganization } from '../../support/identity-providers/organization.ts'
import { addDomain, addProvider, addressAtProvider } from '../../support/identity-providers/team-provider.ts'
import { useService } from '../../support/service/service.ts'

// Providers that others wrote, which read the requests of this service.

const service = useService({ hostname: 'localhost' })
const { database } = service
const { prisma } = database
// Without characters that Basic authentication encodes (RFC 6749 §2.3.1): oauth2-mock-server does not decode them.
const client = { clientId: 'service', clientSecret: 'secretOfTheServiceAtTheProvider1' }
const domain = `${unique('acme')}.example`
const email = `ada@${domain}`

const mock = new OAuth2Server()
beforeAll(async () => {
  await mock.issuer.keys.generate('RS256')
  await mock.start(0, '127.0.0.1')
})
afterAll(() => mock.stop())

/** Signs in from the address of the team, and returns the browser. */
async function signInAtTeam(team: Team, key: string): Promise<void> {
  const browser = new Browser(service.url)
  let page = await browser.open(`/sign-in/${team.slug}?return_to=${encodeURIComponent(`/teams/${team.slug}`)}`)
  const address = addressAtProvider(page)
  const foreign = new Browser(address.origin)
  page = await foreign.open(address)
  if (page.url.origin === foreign.origin) page = await foreign.press(page, 'Log in')
  expect([page.url.origin, page.url.pathname]).toEqual([service.url, `/sign-in/callback/${key}`])
  page = await browser.open(page.url)
  expect([page.status, page.url.pathname, page.text]).toEqual([200, `/teams/${team.slug}`, expect.stringContaining(team.name)])
}

async function teamAt(issuer: string): Promise<{ team: Team; row: IdentityProvider }> {
  const team = await createTeam(database)
  return { team, row: await addProvider(database, team, { issuer, ...client }, { jitRole: 'member' }) }
}

test('oidc-provider: from the address of a team to a signed-in member, twice', async () => {
  const organization = await startOrganization()
  const { team, row } = await teamAt(organization.issuer)
  await addDomain(database, team, domain)
  organization.register(`${service.url}/sign-in/callback/${row.id}`)
  organization.person = { sub: 'ada', name: 'Ada Lovelace', email }
  await signInAtTeam(team, row.id)
  const [member] = await prisma.member.findMany({ where: { teamId: team.id }, include: { user: true } })
  expect(member).toMatchObject({ role: 'member', user: { email, emailVerified: true, name: 'Ada Lovelace', createdByTeamId: team.id } })
  await signInAtTeam(team, row.id)
  expect(await prisma.session.findMany({ where: { userId: member?.userId ?? '' }, select: { providerIds: true } })).toEqual([
    { providerIds: [row.id] },
    { providerIds: [row.id] },
  ])
})

test('oauth2-mock-server: from the address of a team to a signed-in member', async () => {
  const { team, row } = await teamAt(mock.issuer.url ?? '')
  mock.service.on('beforeTokenSigning', ({ payload }) => Object.assign(payload, { sub: 'grace', name: 'Grace', email: `grace@${domain}` }))
  await signInAtTeam(team, row.id)
  const [member] = await prisma.member.findMany({ where: { teamId: team.id }, include: { user: true } })
  // The domain is that of another team.
  expect(member).toMatchObject({ role: 'member', user: { email: `${member?.userId}@no-address.invalid`, name: 'Grace' } })
})
