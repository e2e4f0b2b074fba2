import { expect, test } from 'vitest'
import { openAs } from '../../support/account-site/page-content.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

/** Creates a member of two teams, the first of the alphabet and another one. */
async function createMember() {
  const user = await createPerson(database)
  const [first, second] = [await createTeam(database, { slug: `a-${user.id}` }), await createTeam(database, { slug: `b-${user.id}` })]
  for (const team of [first, second]) await join(database, team, user, 'member')
  return { user, first, second }
}

/** The path of the start page in a new browser. */
const startOf = async (user: { email: string }) => (await openAs(service, user, '/')).page.url.pathname

/** Opens the start page of the team in a new browser, and waits until the team is stored with the user. */
async function openTeam(user: { id: string; email: string }, team: { id: string; slug: string }) {
  const { browser } = await openAs(service, user, `/teams/${team.slug}`)
  const stored = async () => (await database.prisma.user.findUniqueOrThrow({ where: { id: user.id } })).lastTeamId
  await expect.poll(stored, { timeout: 10_000 }).toBe(team.id)
  return browser
}

test('a sign-in in a new browser opens the team that the user opened last', async () => {
  const { user, first, second } = await createMember()
  expect(await startOf(user)).toBe(`/teams/${first.slug}`)
  await openTeam(user, second)
  expect(await startOf(user)).toBe(`/teams/${second.slug}`)
  await openTeam(user, first)
  expect(await startOf(user)).toBe(`/teams/${first.slug}`)
})

test('a browser opens the team that it opened last, even if the user opened another one in another browser', async () => {
  const { user, first, second } = await createMember()
  const browser = await openTeam(user, first)
  await openTeam(user, second)
  expect((await browser.open('/')).url.pathname).toBe(`/teams/${first.slug}`)
})

test('a sign-in does not open a team that the user left, or that was deleted', async () => {
  const { user, first, second } = await createMember()
  await openTeam(user, second)
  await database.prisma.member.deleteMany({ where: { teamId: second.id, userId: user.id } })
  expect(await startOf(user)).toBe(`/teams/${first.slug}`)
  await join(database, second, user, 'member')
  expect(await startOf(user)).toBe(`/teams/${second.slug}`)
  await database.prisma.team.update({ where: { id: second.id }, data: { deletedAt: service.clock.now() } })
  expect(await startOf(user)).toBe(`/teams/${first.slug}`)
})
