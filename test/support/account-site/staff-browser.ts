import type { StaffRole } from '../../../prisma/generated/client/enums.ts'
import { Browser } from '../browser/browser.ts'
import type { Page } from '../browser/browser.ts'
import { createPerson } from '../oauth/oauth.ts'
import type { TestService } from '../service/service.ts'
import { enter } from './page-content.ts'
import { giveFactor } from './password-session.ts'

/** Creates a user with the role, signs in with two factors and opens `path`. */
export async function openAsStaff(service: TestService, staffRole: StaffRole = 'reader', path = '/staff') {
  const user = await createPerson(service.database, { name: 'Grace Hopper', staffRole })
  const code = await giveFactor(service, user, 'totp')
  const browser = new Browser(service.url)
  const page: Page = await browser.press(await enter(browser, user, path), 'Continue', { code })
  return { user, browser, page }
}
