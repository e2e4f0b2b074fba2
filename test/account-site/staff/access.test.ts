import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { pages, downloads } from '../../../src/account-site/pages.ts'
import { heading, enter, openAs } from '../../support/account-site/page-content.ts'
import { openAsStaff } from '../../support/account-site/staff-browser.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createClient, createPerson } from '../../support/oauth/oauth.ts'
import { createMailQueue } from '../../support/service/periodic-work.ts'
import { useService } from '../../support/service/service.ts'
import { createWaitingMail } from '../../support/mail/waiting-mail.ts'
import { passwordSession } from '../../support/account-site/password-session.ts'

// The pages of emails and of the service read the queue.
const service = useService()
beforeAll(() => createMailQueue(service.databaseUrl))
const { database, clock } = service
let owner: User
const parameters: Record<string, string> = {}
beforeAll(async () => {
  const team = await createTeam(database, { slug: 'acme' })
  owner = await createPerson(database)
  await join(database, team, owner, 'owner')
  const entry = { action: 'updateTeam', actorKind: 'user', actorName: 'Ada', authenticationMethod: 'session', subject: 'acme' }
  const { id } = await database.prisma.auditEntry.create({ data: { ...entry, at: clock.now(), teamId: team.id, requestId: 'r' } })
  Object.assign(parameters, {
    '/audit/:entry': id,
    '/teams/:slug': team.slug,
    '/users/:userId': owner.id,
    '/mails/:mail': await createWaitingMail(service, owner),
  })
  parameters['/clients/:client'] = (await createClient(database)).clientId
})

const paths = [...pages, ...downloads].map(({ path }) => path).filter((path) => `${path}/`.startsWith('/staff'))
const fill = (path: string) => {
  const [key, value] = Object.entries(parameters).find(([name]) => path === `/staff${name}`) ?? []
  return key === undefined ? path : path.replace(/:\w+/, value ?? '')
}

describe.each(paths)('%s', (path) => {
  test('is open to staff with two factors', async () => {
    const { browser } = await openAsStaff(service)
    expect((await browser.open(fill(path))).status).toBe(200)
  })

  test('does not exist for an owner, and not for a user who was removed from the staff a moment ago', async () => {
    const { browser } = await openAs(service, owner, '/')
    expect(heading(await browser.open(fill(path)))).toEqual([404, 'Page not found'])
    const former = await openAsStaff(service, 'admin')
    await database.prisma.user.update({ where: { id: former.user.id }, data: { staff: false } })
    expect((await former.browser.open(fill(path))).status).toBe(404)
  })

  test('leads somebody who is not signed in to the sign-in', async () => {
    const response = await fetch(service.url + fill(path), { redirect: 'manual' })
    expect([response.status, response.headers.get('location')?.split('?')[0]]).toEqual([303, '/sign-in'])
  })

  test('is refused to a session without a second factor, with a link to turn it on', async () => {
    const user = await createPerson(database, { staffRole: 'admin' })
    const browser = new Browser(service.url)
    await enter(browser, user)
    const page = await browser.open(fill(path))
    expect(heading(page)).toEqual([403, 'Two-factor authentication required'])
  })
})

test('an old session of staff that has not proved two factors confirms them first', async () => {
  const user = await createPerson(database, { staffRole: 'reader' })
  const browser = await passwordSession(service, user)
  clock.advance(16 * 60_000)
  expect(heading(await browser.open('/staff'))).toEqual([200, 'Confirm it’s you'])
})
