import type { BrowserContextOptions } from 'playwright-core'
import type { User } from '../../../prisma/generated/client/client.ts'
import type { seedLinks } from './seed.ts'
import type { TestService } from '../service/service.ts'
import type { Chromium } from '../browser/chromium.ts'
import { openTab, signInAt } from '../browser/tab.ts'
import { giveFactor } from './password-session.ts'
import { fieldsFor, newAddress } from './signed-up.ts'
import type { Tab } from '../browser/tab.ts'

interface Seeded {
  person: Pick<User, 'email'>
  userWithSecondFactor: Pick<User, 'email'>
  staff: Pick<User, 'id' | 'email'>
  links: Awaited<ReturnType<typeof seedLinks>>
  parameters: { secret: string }
}

/**
 * Opens three tabs: one signed in as the owner of the seeded team, one of staff with two factors, and one without a session that can open
 * every public page.
 */
export async function openTabs(browser: Chromium, service: TestService, seeded: Seeded, options: BrowserContextOptions) {
  const [anonymous, owner] = [await openTab(browser, service, options), await openTab(browser, service, options)]
  await signUp(anonymous, service)
  for (const tab of [anonymous, owner]) await openLinks(tab, service, seeded)
  // The page of the second factor is open only after a correct password.
  await signInAt(anonymous, service, seeded.userWithSecondFactor.email)
  await signInAt(owner, service, seeded.person.email)
  return { anonymous, owner, staff: await openStaffTab(browser, service, seeded, options) }
}

async function openStaffTab(browser: Chromium, service: TestService, { staff }: Seeded, options: BrowserContextOptions): Promise<Tab> {
  const code = await giveFactor(service, staff, 'totp')
  const tab = await openTab(browser, service, options)
  await signInAt(tab, service, staff.email)
  await tab.page.getByLabel('Code').fill(code)
  await tab.page.getByRole('button', { name: 'Continue', exact: true }).click()
  await tab.page.waitForURL((address) => !address.pathname.startsWith('/sign-in'))
  return tab
}

/** Signs up, which the page that waits for the email requires. */
async function signUp({ page }: Tab, { url }: TestService): Promise<void> {
  await page.goto(`${url}/sign-up`)
  for (const [label, value] of Object.entries(fieldsFor(newAddress()))) await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL((address) => address.pathname === '/sign-up/check-email')
}

/** Opens the mail links, which their pages require. */
async function openLinks({ page }: Tab, { url }: TestService, { links, parameters }: Seeded): Promise<void> {
  for (const secret of Object.values(links)) await page.goto(`${url}/links/${secret}`)
  await page.goto(`${url}/invitations/${parameters.secret}`)
}
