import { describe, expect, test } from 'vitest'
import { alertOf, enter, heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam, unique } from '../../support/data/team.ts'
import { personAtProvider } from '../../support/identity-providers/person-at-provider.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { addProvider, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const providers = useProviders(clock.now)

describe('a sign-in at a provider in the session of another user', () => {
  test.each(['known', 'new'])('is refused and changes nothing if the account there is %s', async (account) => {
    const { provider, team, row } = await personAtProvider(service, providers)
    if (account === 'new') provider.claims = { sub: unique('attacker') }
    const victim = await createPerson(database)
    const browser = new Browser(service.url)
    await enter(browser, victim, '/account')
    const before = await Promise.all([prisma.user.count(), prisma.member.count({ where: { teamId: team.id } })])
    const page = await signInAtProvider(browser, row.id, { return_to: '/account' })
    expect(heading(page)).toEqual([400, 'Sign-in failed'])
    expect(alertOf(page)).toEqual([400, 'You started this sign-in while you were signed in with another account. Sign out and try again.'])
    expect((await browser.open('/account')).text).toContain(victim.email)
    expect(await Promise.all([prisma.user.count(), prisma.member.count({ where: { teamId: team.id } })])).toEqual(before)
    expect(await prisma.externalIdentity.count({ where: { providerId: row.id } })).toBe(1)
  })

  test('is possible after signing out', async () => {
    const { row, person } = await personAtProvider(service, providers)
    const browser = new Browser(service.url)
    await enter(browser, await createPerson(database), '/account')
    await browser.press(await browser.open('/account'), 'Sign out')
    expect((await signInAtProvider(browser, row.id, { return_to: '/account' })).text).toContain(person.email)
  })
})

describe('the limit of sign-ins of a network address', () => {
  const limited = useService({ rateLimitSignInAddress: 3 })
  const signIn = (key: string) => signInAtProvider(new Browser(limited.url), key, { return_to: '/account' })

  test('counts those that create accounts without an email address, and no others that succeed', async () => {
    const { row: known } = await personAtProvider(limited, providers)
    for (let attempt = 0; attempt < 5; attempt++) expect((await signIn(known.id)).url.pathname).toBe('/confirm/account')
    const provider = await providers.create()
    const row = await addProvider(limited.database, await createTeam(limited.database), provider, { jitRole: 'member' })
    for (let person = 0; person < 3; person++) {
      provider.claims = { sub: unique('subject') }
      expect((await signIn(row.id)).url.pathname).toBe('/account')
    }
    const refused = await new Browser(limited.url).open(`/sign-in/start/${row.id}`)
    expect(refused.status).toBe(429)
    expect(await limited.database.prisma.externalIdentity.count({ where: { providerId: row.id } })).toBe(3)
  })
})
