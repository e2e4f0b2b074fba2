import { expect, test } from 'vitest'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { alertOf, noticeOf, openAs } from '../../support/account-site/page-content.ts'

const service = useService()
const { database, mails } = service
const { prisma } = database

test('an account deletion deletes teams of which the user is the only member with the account, if the user selects all of them', async () => {
  const user = await createPerson(database)
  const { browser } = await openAs(service, user, '/account')
  const teams = [await createTeam(database, { name: '<b>Solo' }), await createTeam(database)]
  for (const team of teams) await join(database, team, user, 'owner')
  const [first = '', second = ''] = teams.map(({ slug }) => slug).toSorted()
  const page = await browser.open('/account/delete')
  expect(page.root.querySelectorAll('input[name=deleteTeams]').map((box) => box.getAttribute('value'))).toEqual([first, second])
  expect(page.root.querySelector('input[checked]')).toBeNull()
  const refused = await browser.press(page, 'Delete account', { deleteTeams: [first], typedEmail: user.email })
  expect(alertOf(refused)).toEqual([422, expect.stringContaining(`(${second}) must keep at least one owner.`)])
  expect(await prisma.team.count({ where: { slug: { in: [first, second] }, deletedAt: null } })).toBe(2)
  mails.length = 0
  const done = await browser.press(refused, 'Delete account', { deleteTeams: [first, second], typedEmail: user.email })
  expect([done.url.pathname, ...noticeOf(done)]).toEqual([
    '/sign-in',
    200,
    expect.stringContaining('Your account is scheduled for deletion on '),
  ])
  expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).deletionRequestedAt).not.toBeNull()
  expect(await prisma.team.count({ where: { slug: { in: [first, second] }, deletedAt: null } })).toBe(0)
  expect(mails.filter(({ kind }) => kind === 'team-deleted')).toMatchObject(
    teams.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)).map(({ id }) => ({ teamId: id, recipient: user.email })),
  )
  const where = { teamId: { in: teams.map(({ id }) => id) } }
  const entries = await prisma.auditEntry.findMany({ where, orderBy: { subjectName: 'asc' } })
  expect(entries.map(({ action, actorUserId, subjectName }) => [action, actorUserId, subjectName])).toEqual([
    ['deleteTeam', user.id, '<b>Solo'],
    ['deleteTeam', user.id, 'Acme'],
  ])
})
