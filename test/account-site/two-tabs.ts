import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { furnish } from '../support/furnished.ts'
import type { TestService } from '../support/service.ts'
import { openTab, signInAt } from '../support/tab.ts'
import type { Tab } from '../support/tab.ts'

type Furnished = Awaited<ReturnType<typeof furnish>>

/** The tab of somebody who is signed in and owns what is furnished, and that of a visitor to whom every other page is open. */
export async function openTabs(browser: Browser, service: TestService, furnished: Furnished, options: BrowserContextOptions) {
  const [visitor, owner] = [await openTab(browser, service, options), await openTab(browser, service, options)]
  for (const tab of [visitor, owner]) await openLinks(tab, service, furnished)
  // Half-way: the second factor is there for nobody else.
  await signInAt(visitor, service, furnished.guarded.email)
  await signInAt(owner, service, furnished.person.email)
  return { visitor, owner }
}

/** Opens the links of mails, whose pages are there for nobody else. */
async function openLinks({ page }: Tab, { url }: TestService, { links, parameters }: Furnished): Promise<void> {
  for (const secret of Object.values(links)) await page.goto(`${url}/links/${secret}`)
  await page.goto(`${url}/invitations/${parameters['secret']}`)
}
