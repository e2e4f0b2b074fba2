import { beforeAll, describe, expect, test } from 'vitest'
import type { Page, Browser } from '../../support/browser/browser.ts'
import { createInvoice } from '../../support/data/invoice.ts'
import { useService } from '../../support/service/service.ts'
import { browserOf, heading, tableOf } from '../../support/browser/site-page.ts'
import { createTeam } from '../../support/data/team.ts'
import type { Team } from '../../../prisma/generated/client/client.ts'
import type { StoredInvoice } from '../../support/data/invoice.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

/** The first day of the month `months` months ago. */
const monthsAgo = (months: number) => new Date(Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth() - months))
const monthOf = (date: Date) => date.toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const dayOf = (date: Date) => date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

describe('a team with invoices in euros and yen', () => {
  let team: Team
  let path: string
  beforeAll(async () => {
    team = await createTeam(database)
    path = `/teams/${team.slug}/invoices`
  })
  const [next, now, before] = [monthsAgo(-1), monthsAgo(0), monthsAgo(1)]
  let open: StoredInvoice
  let browser: Browser
  let list: Page
  beforeAll(async () => {
    open = await createInvoice(
      database,
      team,
      { number: '<b>1', invoiceDate: now, dueDate: next, application: 'deploy', tax: 1900n },
      [10_000],
    )
    await prisma.invoiceLine.create({
      data: { invoiceId: open.id, position: 1, application: 'flow', description: '<i>x', quantity: 3, unitAmount: 2000 },
    })
    await createInvoice(database, team, { number: '2', invoiceDate: before, application: 'cert', subtotal: -500n, status: 'paid' }, [-500])
    await createInvoice(database, team, { number: '3', invoiceDate: before, status: 'void' }, [99])
    await createInvoice(database, team, { number: '4', invoiceDate: before, currency: 'jpy', amountPaid: 100n }, [1200])
    await createInvoice(database, team, { number: '5', invoiceDate: monthsAgo(12), dueDate: monthsAgo(11) }, [5])
    browser = await browserOf(service, team, 'billing')
    list = await browser.open(path)
  })

  test('lists its invoices newest first, with status and amounts in their currency', () => {
    expect(heading(list)).toEqual([200, 'Invoices'])
    const rows = tableOf(list, 'All invoices')
    expect(rows?.[0]).toEqual(['Number', 'Date', 'Total', 'Status', 'Amount due', 'Application'])
    expect(rows?.[1]).toEqual(['<b>1', dayOf(now), '€119.00', `Open, due ${dayOf(next)}`, '€119.00', 'Deploy'])
    expect(rows?.slice(2, 5).toSorted()).toEqual([
      ['2', dayOf(before), '-€5.00', 'Paid', '-€5.00', 'Cert'],
      ['3', dayOf(before), '€0.99', 'Void', '–', 'Several'],
      ['4', dayOf(before), '¥1,200', 'Open', '¥1,100', 'Several'],
    ])
    expect(rows?.[5]?.slice(0, 4)).toEqual(['5', dayOf(monthsAgo(12)), '€0.05', `Overdue, due ${dayOf(monthsAgo(11))}`])
  })

  test('shows a table of the last twelve months in one currency, in the order of the chart, and links to the others', async () => {
    const without = (columns: number) =>
      Array.from({ length: 10 }, (_, index) => [monthOf(monthsAgo(11 - index)), ...Array.from({ length: columns }, () => '–')])
    expect(tableOf(list, 'Last twelve months in EUR')).toEqual([
      ['Month', 'Total', 'Cert', 'Deploy', 'Flow', 'Tax'],
      ...without(5),
      [monthOf(before), '-€5.00', '-€5.00', '–', '–', '–'],
      [monthOf(now), '€119.00', '–', '€40.00', '€60.00', '€19.00'],
      ['Total', '€114.00', '-€5.00', '€40.00', '€60.00', '€19.00'],
    ])
    const others = list.root.querySelectorAll('nav[aria-label=Currency] a').map((link) => link.getAttribute('href'))
    expect(others).toEqual([`${path}?currency=eur#year`, `${path}?currency=jpy#year`])
    expect(tableOf(await browser.open(`${path}?currency=jpy`), 'Last twelve months in JPY')).toEqual([
      ['Month', 'Total', 'No product'],
      ...without(2),
      [monthOf(before), '¥1,200', '¥1,200'],
      [monthOf(now), '–', '–'],
      ['Total', '¥1,200', '¥1,200'],
    ])
  })

  test('shows the last twelve months as a described chart without inline styles', () => {
    const [chart, ...others] = list.root.querySelectorAll('svg[role=img]')
    expect(others).toEqual([])
    const words = chart
      ?.getAttribute('aria-labelledby')
      ?.split(' ')
      .map((id) => list.root.querySelector(`#${id}`)?.text)
    expect(words).toEqual([
      'Invoiced by month and application in EUR',
      `€114.00 in twelve months, most in ${monthOf(now)} with €119.00. Told apart: Cert, Deploy, Flow, Tax. The table that follows has every amount.`,
    ])
    expect(chart?.querySelectorAll('text.month').map(({ text }) => text)).toEqual(
      Array.from({ length: 12 }, (_, index) => monthOf(monthsAgo(11 - index))),
    )
    expect(chart?.querySelectorAll('text.sum').map(({ text }) => text)).toEqual([...Array.from({ length: 10 }, () => '–'), '-€5', '€119'])
    const parts = chart
      ?.querySelectorAll('rect.part')
      .map((part) => [part.querySelector('title')?.text, Number(part.getAttribute('width'))])
    const scale = (248 - 76) / (11_900 + 500)
    expect(parts).toEqual([
      [`${monthOf(before)}, Cert: -€5.00`, expect.closeTo(500 * scale, 1)],
      [`${monthOf(now)}, Deploy: €40.00`, expect.closeTo(4000 * scale, 1)],
      [`${monthOf(now)}, Flow: €60.00`, expect.closeTo(6000 * scale, 1)],
      [`${monthOf(now)}, Tax: €19.00`, expect.closeTo(1900 * scale, 1)],
    ])
    const fills = chart?.querySelectorAll('rect.part').map((part) => part.getAttribute('fill')) ?? []
    const patterns = chart?.querySelectorAll('pattern').map(({ id }) => `url(#${id})`)
    expect(fills.every((fill) => fill && patterns?.includes(fill))).toBe(true)
    expect(list.root.querySelectorAll('[style], script:not([src])')).toEqual([])
  })

  test('filters and sorts its invoices and ignores invalid parameters', async () => {
    const numbers = (page: Page, label: string) =>
      tableOf(page, label)
        ?.slice(1)
        .map(([number]) => number)
    const ofCert = await browser.open(`${path}?app=cert&sort=asc`)
    expect([numbers(ofCert, 'Invoices for Cert'), ofCert.root.querySelectorAll('svg[role=img]').length]).toEqual([['2'], 0])
    expect(ofCert.root.querySelectorAll('option[selected]').map(({ text }) => text)).toEqual(['Cert', 'Oldest first'])
    expect(numbers(await browser.open(`${path}?sort=asc`), 'All invoices')?.[0]).toBe('5')
    const none = await browser.open(`${path}?app=socket`)
    expect([none.status, none.root.querySelector('.empty')?.text]).toEqual([200, 'No invoice is for Socket alone.'])
    for (const query of [
      'app=nope',
      'app=__proto__',
      'app=cert%00',
      'sort=up',
      'page=0',
      'page=-1',
      'page=1e9',
      'page=x',
      'app=%ff',
      'app[]=cert',
    ]) {
      const page = await browser.open(`${path}?${query}`)
      expect([query, page.status, numbers(page, 'All invoices')?.length]).toEqual([query, 200, 5])
    }
  })

  test('has no navigation link to invoices for a role that cannot read them', async () => {
    const page = await (await browserOf(service, team, 'member')).open('/security')
    expect(page.root.querySelectorAll('nav a').map((link) => link.getAttribute('href'))).not.toContain(path)
  })

  test('shows no address and no payment method', () => {
    expect(list.text).not.toMatch(/address|payment method|tax number|vat/i)
  })
})

describe('a team with 51 invoices', () => {
  let team: Team
  let path: string
  let browser: Browser
  beforeAll(async () => {
    team = await createTeam(database)
    path = `/teams/${team.slug}/invoices`
    for (let index = 0; index < 51; index++)
      await createInvoice(database, team, { number: `${index}`, application: 'flow', invoiceDate: monthsAgo(index) })
    browser = await browserOf(service, team, 'owner')
  })

  test('has pages of invoices that keep filter and order', async () => {
    const links = ({ root }: Page) => root.querySelectorAll('nav[aria-label=Pages] a').map((link) => link.getAttribute('href'))
    const first = await browser.open(`${path}?app=flow&sort=asc&page=1`)
    expect([tableOf(first, 'Invoices for Flow')?.length, links(first)]).toEqual([26, [`${path}?app=flow&sort=asc&page=2`]])
    const last = await browser.open(`${path}?page=3`)
    expect([tableOf(last, 'All invoices')?.map(([number]) => number), links(last)]).toEqual([['Number', '50'], [`${path}?page=2`]])
    expect(last.root.querySelectorAll('svg[role=img]')).toEqual([])
    const beyond = await browser.open(`${path}?page=999999999`)
    expect([beyond.root.querySelector('.empty')?.text, links(beyond)]).toEqual([
      'There is nothing on this page. Go to the first page.',
      [`${path}?page=3`],
    ])
  })
})

test('the page of a team without invoices has a text and no chart', async () => {
  const team = await createTeam(database)
  const page = await (await browserOf(service, team, 'owner')).open(`/teams/${team.slug}/invoices`)
  expect([page.status, page.root.querySelector('.empty')?.text, page.root.querySelectorAll('svg[role=img]').length]).toEqual([
    200,
    'There is no invoice yet.',
    0,
  ])
})
