import { expect, test } from 'vitest'
import { contentOf, openAs } from '../../support/account-site/page-content.ts'
import type { Page } from '../../support/browser/browser.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { requireSignIn } from '../../support/domains/required-sign-in.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// What the page of the user's teams says about those that require more of the sign-in than this session has.

const service = useService()
const { database, clock } = service
const { prisma } = database
const path = '/account/teams'
const notAMember = 'You are not a member of a team yet'

const linksOf = ({ root }: Page) =>
  root.querySelectorAll('#own-teams a').map((link) => [link.text.replaceAll(/\s+/g, ' ').trim(), link.getAttribute('href')])

test('a team that requires sign-in through its provider is shown with the way to it', async () => {
  const { team, provider, address } = await requireSignIn(service)
  const member = await createPerson(database, { email: address() })
  await join(database, team, member, 'member')
  const { page } = await openAs(service, member, path)
  expect(page.url.pathname).toBe(path)
  expect(contentOf(page)).not.toContain(notAMember)
  const signIn = `/sign-in/start/${provider.id}?return_to=${encodeURIComponent(`/teams/${team.slug}`)}`
  expect(linksOf(page)).toEqual([[`Sign in through Okta to open ${team.name}`, signIn]])
})

test('an owner is also offered the passkey, and a team that is open is still a link', async () => {
  const { team, provider, address } = await requireSignIn(service)
  const owner = await createPerson(database, { email: address() })
  await join(database, team, owner, 'owner')
  const open = await createTeam(database, { name: 'Globex' })
  await join(database, open, owner, 'member')
  const { page } = await openAs(service, owner, path)
  const returnTo = encodeURIComponent(`/teams/${team.slug}`)
  expect(linksOf(page)).toEqual([
    ['Globex', `/teams/${open.slug}`],
    [`Sign in through Okta to open ${team.name}`, `/sign-in/start/${provider.id}?return_to=${returnTo}`],
    [`Open with your passkey to open ${team.name}`, `/owner-access?return_to=${returnTo}&team=${team.slug}`],
  ])
})

test('a team that requires two-factor authentication is shown with the way to turn it on', async () => {
  const team = await createTeam(database)
  const member = await createPerson(database)
  await join(database, team, member, 'member')
  await prisma.team.update({ where: { id: team.id }, data: { twoFactorRequiredAt: clock.now() } })
  const { page } = await openAs(service, member, path)
  expect(contentOf(page)).not.toContain(notAMember)
  expect(linksOf(page)).toEqual([[`Turn on two-factor authentication to open ${team.name}`, '/security/two-factor']])
})

test('a team that will require the sign-in later is open, and a user without a team reads so', async () => {
  const { team, address } = await requireSignIn(service)
  const member = await createPerson(database, { email: address() })
  await join(database, team, member, 'member')
  await prisma.team.update({ where: { id: team.id }, data: { signInRequiredAt: new Date(clock.now().getTime() + 86_400_000) } })
  expect(linksOf((await openAs(service, member, path)).page)).toEqual([[team.name, `/teams/${team.slug}`]])
  expect(contentOf((await openAs(service, await createPerson(database), path)).page)).toContain(notAMember)
})
