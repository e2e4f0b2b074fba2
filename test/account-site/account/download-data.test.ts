import { expect, test } from 'vitest'
import { heading, openAs } from '../../support/account-site/page-content.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service

const exportsOf = ({ id }: { id: string }) => database.prisma.auditEntry.count({ where: { subject: id, action: 'exportAccount' } })

test('users download everything that is stored about them as one JSON file, and each download has one audit entry', async () => {
  const user = await createPerson(database)
  const team = await createTeam(database)
  await join(database, team, user, 'billing')
  const { browser, page } = await openAs(service, user, '/account/data')
  expect([heading(page), await exportsOf(user)]).toEqual([[200, 'Data and deletion'], 0])
  const { status, headers, root } = await browser.press(page, 'Download your data')
  expect([status, headers.get('content-type'), headers.get('content-disposition'), headers.get('cache-control')]).toEqual([
    200,
    'application/json; charset=utf-8',
    `attachment; filename=account-data-${clock.now().toISOString().slice(0, 10)}.json`,
    'no-store',
  ])
  const data = JSON.parse(root.toString())
  expect(data.profile).toMatchObject({ id: user.id, email: user.email, name: user.name, has_password: true })
  expect(data.memberships).toMatchObject([{ team: team.slug, role: 'billing' }])
  expect(data.sessions).toHaveLength(1)
  expect(await exportsOf(user)).toBe(1)
})

test('the download needs a recent sign-in, and downloads nothing before', async () => {
  const user = await createPerson(database)
  const { browser, page: early } = await openAs(service, user, '/account/data')
  clock.advance(16 * 60_000)
  const confirm = await browser.press(early, 'Download your data')
  expect([confirm.url.pathname, confirm.url.searchParams.get('return_to')]).toEqual(['/confirm', '/account/data'])
  const page = await browser.press(confirm, 'Continue', { Password: password })
  expect([page.url.pathname, heading(page), await exportsOf(user)]).toEqual(['/account/data', [200, 'Data and deletion'], 0])
  expect(JSON.parse((await browser.press(page, 'Download your data')).root.toString()).profile.email).toBe(user.email)
})
