import { expect, test } from 'vitest'
import { checkDomains } from '../../../schema/domains/periodic-check.ts'
import { heading } from '../../support/account-site/page-content.ts'
import type { Browser } from '../../support/browser/browser.ts'
import { teamToken } from '../../support/data/team.ts'
import { publishTxt } from '../../support/domains/name-server.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { createTwoTeamPerson, enterAtProvider, reachedTeams } from '../../support/identity-providers/two-team-person.ts'
import { password } from '../../support/oauth/oauth.ts'
import { scim } from '../../support/scim/directory.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Sessions count as signed out at a provider that no longer vouches for their user, from the next request on.

const service = useService({ hostname: 'localhost' })
const { database, clock } = service
const { prisma } = database
const providers = useProviders(clock.now)
const prepare = () => createTwoTeamPerson(service, providers)
type Scene = Awaited<ReturnType<typeof prepare>>

const inputOf = (name: string, id: string) => [`mutation ($id: ID!) { ${name}(input: { id: $id }) { __typename } }`, { id }] as const

/** Runs a mutation of the owner or the operator, which must succeed. */
async function run({ person }: Scene, name: string, id: string, isOperator = false) {
  const principal = isOperator ? operator : await sessionOf(service, person)
  expect((await executeAs(service, principal, ...inputOf(name, id))).refusal).toBeNull()
}

const domainOf = ({ team }: Scene) => prisma.teamDomain.findFirstOrThrow({ where: { teamId: team.id } })

/** Sends a deactivation and then an activation by the directory of the team. */
async function sendActive({ team, person }: Scene, ...states: readonly boolean[]) {
  const token = await teamToken(database, team, { scopes: ['acct:team:scim'] })
  for (const active of states)
    expect((await scim(service, token, 'PUT', `/Users/${person.id}`, { userName: person.email, active })).status).toBe(200)
}

type Cause = [name: string, cause: (scene: Scene) => Promise<unknown>]
/** While a team requires the provider, it cannot be deleted. */
const deletion: Cause = ['an owner deletes the provider', (scene) => run(scene, 'deleteIdentityProvider', scene.row.id)]
const causes: readonly Cause[] = [
  ['the operator disables the provider', ({ row, ...scene }) => run({ row, ...scene }, 'disableIdentityProvider', row.id, true)],
  [
    'the operator disables and enables the provider',
    async (scene) => {
      await run(scene, 'disableIdentityProvider', scene.row.id, true)
      await run(scene, 'enableIdentityProvider', scene.row.id, true)
    },
  ],
  ['an owner removes the domain', async (scene) => run(scene, 'removeTeamDomain', (await domainOf(scene)).id)],
  [
    'the domain is lost',
    async (scene) => {
      const { id, domain } = await domainOf(scene)
      await publishTxt(service, `_team-account.${domain}`, [])
      const missingSince = new Date(clock.now().getTime() - 15 * 86_400_000)
      await prisma.teamDomain.update({ where: { id }, data: { missingSince, checkedAt: missingSince } })
      await checkDomains({ database, now: clock.now, sendMail: service.sendMail, outgoing: service.outgoing })
      expect(await prisma.teamDomain.count({ where: { id, verifiedAt: null } })).toBe(1)
    },
  ],
  [
    'the directory deactivates and activates the user',
    async (scene) => {
      await prisma.member.updateMany({ where: { teamId: scene.team.id, userId: scene.person.id }, data: { role: 'member' } })
      await sendActive(scene, false, true)
    },
  ],
]

test.each([deletion, ...causes])('if %s, a session that began there reaches nothing more', async (_, cause) => {
  const scene = await prepare()
  const { browser } = await enterAtProvider(service, scene.row)
  expect(await reachedTeams(browser)).toEqual([scene.team.slug])
  await cause(scene)
  expect(await reachedTeams(browser)).toEqual([])
  expect((await browser.open(`/teams/${scene.team.slug}`)).status).toBe(403)
  expect((await browser.open('/')).url.pathname).toBe('/confirm/account')
  // The account itself is not lost.
  await browser.press(await browser.open('/confirm/account'), 'Continue', { Password: password })
  expect(await reachedTeams(browser)).toContain(scene.other.slug)
})

test.each(causes)('if %s, the sign-in does not count for a team that requires it', async (_, cause) => {
  const scene = await prepare()
  const browser = await requiredSession(scene)
  await cause(scene)
  expect(await prisma.session.findFirstOrThrow({ where: { userId: scene.person.id } })).toMatchObject({ providerIds: [], ownProof: true })
  expect((await browser.open(`/teams/${scene.team.slug}`)).status).toBe(403)
})

/** A session with a password, for a team that requires the sign-in at its provider, which the session has. */
async function requiredSession({ row, team, other }: Scene): Promise<Browser> {
  const { browser, page } = await enterAtProvider(service, row, '/tokens')
  await browser.press(page, 'Continue', { Password: password })
  await signInAtProvider(browser, row.id)
  // Kept by a second domain, so that the last one can be removed.
  await prisma.teamDomain.create({ data: { teamId: team.id, domain: `${team.slug}.second.example`, value: 'v', verifiedAt: clock.now() } })
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: row.id, signInRequiredAt: clock.now() } })
  expect((await reachedTeams(browser)).toSorted()).toEqual([team.slug, other.slug].toSorted())
  return browser
}

test('a user who disconnects the account at the provider is signed out there', async () => {
  const scene = await prepare()
  const { browser } = await enterAtProvider(service, scene.row)
  const { id } = await prisma.externalIdentity.findFirstOrThrow({ where: { userId: scene.person.id } })
  await run(scene, 'unlinkIdentity', id)
  expect(heading(await browser.open(`/teams/${scene.team.slug}`))[0]).toBe(403)
})
