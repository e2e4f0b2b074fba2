import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, openTab, signInAt } from '../../support/browser/tab.ts'
import type { Tab } from '../../support/browser/tab.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { readPdf } from '../../support/data/invoices/pdf.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { readZip } from '../../support/data/zip.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const chromium = useChromium()
const { database } = service

let team: Team
let person: User
beforeAll(async () => {
  team = await createTeam(database)
  person = await createPerson(database)
  await join(database, team, person, 'billing')
  for (const number of ['A-1', 'A-2', 'B-3']) await createInvoice(database, team, { number })
})

/** Clicks a link that downloads a file. Returns its name and content. */
async function save(page: Page, name: string) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name, exact: true }).click()])
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

describe.each([true, false])('invoices in a browser with JavaScript %s', (javaScriptEnabled) => {
  let tab: Tab
  beforeAll(async () => {
    tab = await openTab(chromium, service, { javaScriptEnabled, acceptDownloads: true })
    await signInAt(tab, service, person.email)
  })

  test('have their filters in one row at 1280 pixels, with the link that clears them', async () => {
    const { page } = tab
    await page.goto(`${service.url}/teams/${team.slug}/invoices`)
    await page.getByLabel('Search').fill('10.00')
    await page.getByLabel('Issued to').fill('2999-12-31')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('3 invoices found').waitFor()
    await page.getByRole('link', { name: 'Clear' }).waitFor()
    const rows = await evaluateInPage(page, ({ document }) => {
      const shown = [...document.querySelector('form.controls').children].filter((each: any) => each.checkVisibility())
      return shown.map((each: any) => Math.round(each.getBoundingClientRect().bottom / 10))
    })
    expect(rows.length).toBe(8)
    expect(Math.max(...rows) - Math.min(...rows)).toBeLessThan(2)
  })

  test('are downloaded as the PDF files of a search, and one by one', async () => {
    const { page } = tab
    await page.goto(`${service.url}/teams/${team.slug}/invoices?search=a-`)
    const { name, content } = await save(page, 'Download PDFs')
    expect([
      name.endsWith('.zip'),
      readZip(content)
        .map((file) => file.name)
        .toSorted(),
    ]).toEqual([true, ['Invoice A-1.pdf', 'Invoice A-2.pdf']])
    await page.getByRole('rowheader', { name: 'A-1' }).getByRole('link').click()
    const pdf = await save(page, 'Download PDF')
    expect([pdf.name, readPdf(pdf.content).info['Author']]).toEqual(['Invoice A-1.pdf', 'Example Ltd'])
    expect(tab.complaints).toEqual([])
  })
})
