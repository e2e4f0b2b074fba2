import { expect, test } from 'vitest'
import { heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { unique } from '../../support/data/team.ts'
import { useSituations } from '../../support/identity-providers/situation.ts'
import type { Situation } from '../../support/identity-providers/situation.ts'
import { signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'

// What changes while the page asks for the proof of an account: nothing else than that account is linked.

const { service, prepare } = useSituations()
const { prisma } = service.database

interface Change {
  make(situation: Situation): Promise<unknown>
  /** The address of the account to which the person signs in. */
  proved(situation: Situation): Promise<string>
}
const movedTo = `${unique('moved')}@private.example`
const changes: Record<string, Change> = {
  'the team lost the domain': {
    make: ({ team }) => prisma.teamDomain.deleteMany({ where: { teamId: team.id } }),
    proved: ({ email }) => Promise.resolve(email),
  },
  'the account got another address': {
    make: ({ email }) => prisma.user.update({ where: { email }, data: { email: movedTo } }),
    proved: () => Promise.resolve(movedTo),
  },
  'the account was deleted': {
    make: ({ email }) => prisma.user.delete({ where: { email } }),
    proved: async () => (await createPerson(service.database)).email,
  },
}

test.each(Object.entries(changes))('links and creates nothing if %s before the proof', async (_, { make, proved }) => {
  const situation = await prepare('team', 'the team', 'verified')
  const browser = new Browser(service.url)
  const page = await signInAtProvider(browser, situation.key, { return_to: '/account' })
  // The page for a forgotten password leads back with the consent to link.
  const link = page.root.querySelector('a[href^="/forgotten-password"]')?.getAttribute('href') ?? ''
  const agreed = new URL(link, service.url).searchParams.get('return_to') ?? ''
  await make(situation)
  const email = await proved(situation)
  const { id } = await prisma.user.findUniqueOrThrow({ where: { email } })
  const users = await prisma.user.count()
  await browser.press(await browser.open('/sign-in?with=password'), 'Sign in', { 'Email address': email, Password: password })
  const next = await browser.open(agreed)
  expect(heading(next)).toEqual([400, 'Is this your account?'])
  expect(next.text).toContain('has changed. Sign in again.')
  expect(await prisma.user.count()).toBe(users)
  expect(await prisma.externalIdentity.count({ where: { subject: situation.subject } })).toBe(0)
  expect(await prisma.session.findMany({ where: { userId: id }, select: { providerIds: true } })).toEqual([{ providerIds: [] }])
})
