import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { furnish } from '../support/furnished.ts'
import type { TestService } from '../support/service.ts'
import { openTab, signInAt } from '../support/tab.ts'
import type { Tab } from '../support/tab.ts'

type Furnished = Awaited<ReturnType<typeof furnish>>

/** The tab of somebody who is signed in and owns what is furnished, and that of a visitor to whom every other page is open. */
export async function openTabs(browser: Browser, service: TestService, furnished: Furnished, options: BrowserContextOptions) {
  const [visitor, owner] = [await openTab(browser, service, options), await openTab(browser, service, options)]
  await prepare(visitor, service, furnished)
  await signInAt(owner, service, furnished.person.email)
  return { visitor, owner }
}

/** Opens the links of mails, and stops half-way of signing in: some pages are there for nobody else. */
async function prepare(tab: Tab, service: TestService, { links, parameters, guarded }: Furnished): Promise<void> {
  for (const secret of Object.values(links)) await tab.page.goto(`${service.url}/links/${secret}`)
  await tab.page.goto(`${service.url}/invitations/${parameters['secret']}`)
  await signInAt(tab, service, guarded.email)
}
