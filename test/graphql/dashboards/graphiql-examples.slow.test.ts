import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDemo } from '../../../src/demo/demo.ts'
import type { Demo } from '../../../src/demo/demo.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab } from '../../support/browser/tab.ts'
import type { Tab } from '../../support/browser/tab.ts'
import { contextOf, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { url } = service
const browser = useChromium()
let demo: Demo
let tab: Tab
beforeAll(async () => {
  // The data of the first `npm start`.
  demo = await createDemo({ connectionString: service.databaseUrl }, contextOf(service, operator))
  tab = await openTab(browser, service)
  await tab.page.goto(`${url}/sign-in?return_to=/graphql/graphiql`)
  await tab.page.getByLabel('Email address').fill(demo.email)
  await tab.page.getByLabel('Password').fill(demo.password)
  await tab.page.getByRole('button', { name: 'Sign in', exact: true }).click()
})

// The editor shows spaces as no-break spaces.
const textOf = async (page: Page, selector: string) => (await page.locator(selector).innerText()).replaceAll('\u00a0', ' ')

describe('GraphiQL offers an example of the dashboard', () => {
  test.each([
    ['Teams overview', 'TeamsOverview'],
    ['Members by role', 'MembersByRole'],
    ['Invoices', 'InvoicesByMonth'],
    ['Token inventory', 'TokenInventory'],
    ['Audit timeline', 'AuditTimeline'],
  ])('“%s”, which runs on the demo data without an error', async (title, operation) => {
    const { page, complaints } = tab
    await page.getByRole('navigation', { name: 'Examples' }).getByRole('link', { name: title }).click()
    await expect.poll(() => textOf(page, '.graphiql-query-editor')).toContain(`# ${title}:`)
    // The editor renders only the lines that are visible, so the response is read itself.
    const answered = page.waitForResponse((response) => response.request().postData()?.includes(`query ${operation}`) ?? false)
    await page.getByLabel(/^Execute query/).click()
    const { data, errors } = await (await answered).json()
    expect(errors).toBeUndefined()
    expect(JSON.stringify(data)).toContain('"slug":"acme"')
    expect(complaints).toEqual([])
  })
})
