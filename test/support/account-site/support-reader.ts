import type { User } from '../../../prisma/generated/client/client.ts'
import { Browser } from '../browser/browser.ts'
import { createTeam, join } from '../data/team.ts'
import { createAccountSupportSession, createSupportSession } from '../data/support-session.ts'
import { createPerson } from '../oauth/oauth.ts'
import type { TestService } from '../service/service.ts'
import { enter } from './page-content.ts'

/** Signs a staff user in, whose session has proved two factors. */
export async function openAsStaff({ database, url }: Pick<TestService, 'database' | 'url'>, data: Partial<User> = {}) {
  const staff = await createPerson(database, { name: 'Grace', staffRole: 'reader', ...data })
  const browser = new Browser(url)
  await enter(browser, staff)
  await database.prisma.session.updateMany({ where: { userId: staff.id }, data: { provedTwoFactor: true } })
  return { staff, browser }
}

/** A team whose owner has opened a support session, the start of the addresses of its pages, and staff who are signed in. */
export async function createSupportScene(service: TestService) {
  const { database, clock } = service
  const team = await createTeam(database, { name: 'Acme' })
  const owner = await createPerson(database, { name: 'Olga' })
  await join(database, team, owner, 'owner')
  const session = await createSupportSession(database, team, owner, { now: clock.now() })
  return { team, owner, session, start: `/teams/${team.slug}`, ...(await openAsStaff(service)) }
}

/** A user who has opened a support session of the account, the start of the addresses of its pages, and staff who are signed in. */
export async function createAccountScene(service: TestService) {
  const user = await createPerson(service.database, { name: 'Ada' })
  const session = await createAccountSupportSession(service.database, user, { now: service.clock.now() })
  return { user, session, start: `/staff/users/${user.id}/pages`, ...(await openAsStaff(service)) }
}
