import { beforeAll, expect, test } from 'vitest'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createTeam } from '../../support/data/team.ts'
import { browserOf, tableOf } from '../../support/browser/site-page.ts'
import type { Browser } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service

/** The first day of the month `months` months ago. */
const monthsAgo = (months: number) => new Date(Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth() - months))
const monthOf = (date: Date) => date.toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const [now, before] = [monthsAgo(0), monthsAgo(1)]

let path: string
let browser: Browser
beforeAll(async () => {
  const team = await createTeam(database)
  path = `/teams/${team.slug}/invoices`
  const { id } = await createInvoice(database, team, { invoiceDate: now, application: 'deploy', tax: 1900n }, [10_000])
  await database.prisma.invoiceLine.create({
    data: { invoiceId: id, position: 1, application: 'flow', description: 'x', quantity: 3, unitAmount: 2000 },
  })
  await createInvoice(database, team, { invoiceDate: before, application: 'cert', subtotal: -500n, status: 'paid' }, [-500])
  await createInvoice(database, team, { invoiceDate: before, status: 'void' }, [99])
  await createInvoice(database, team, { invoiceDate: before, currency: 'jpy', amountPaid: 100n }, [1200])
  await createInvoice(database, team, { invoiceDate: monthsAgo(12) }, [5])
  browser = await browserOf(service, team, 'billing')
})

test('shows a table of the last twelve months in one currency, in the order of the chart, and links to the others', async () => {
  const without = (columns: number) =>
    Array.from({ length: 10 }, (_, index) => [monthOf(monthsAgo(11 - index)), ...Array.from({ length: columns }, () => '–')])
  const months = await browser.open(`${path}/by-month`)
  expect(tableOf(months, 'Last twelve months in EUR')).toEqual([
    ['Month', 'Total', 'Certificates', 'Deployments', 'Traffic rules', 'Tax'],
    ...without(5),
    [monthOf(before), '-€5.00', '-€5.00', '–', '–', '–'],
    [monthOf(now), '€119.00', '–', '€40.00', '€60.00', '€19.00'],
    ['Total', '€114.00', '-€5.00', '€40.00', '€60.00', '€19.00'],
  ])
  const others = months.root.querySelectorAll('nav[aria-label=Currency] a').map((link) => [link.text, link.getAttribute('href')])
  expect(others).toEqual([
    ['EUR €114.00', `${path}/by-month?currency=eur`],
    ['JPY ¥1,200', `${path}/by-month?currency=jpy`],
  ])
  expect(tableOf(await browser.open(`${path}/by-month?currency=jpy`), 'Last twelve months in JPY')).toEqual([
    ['Month', 'Total', 'Other'],
    ...without(2),
    [monthOf(before), '¥1,200', '¥1,200'],
    [monthOf(now), '–', '–'],
    ['Total', '¥1,200', '¥1,200'],
  ])
})

test('shows the last twelve months as a described chart without inline styles', async () => {
  const { root } = await browser.open(`${path}/by-month`)
  const [chart, ...others] = root.querySelectorAll('[role=img]')
  expect(others).toEqual([])
  expect(chart?.getAttribute('aria-label')).toBe(
    `Invoiced by month and product in EUR. €114.00 in twelve months, most in ${monthOf(now)} with €119.00. Shown: Certificates, Deployments, Traffic rules, Tax. The table that follows has every amount.`,
  )
  expect(chart?.querySelectorAll('.month').map(({ text }) => text)).toEqual(
    Array.from({ length: 12 }, (_, index) => monthOf(monthsAgo(11 - index))),
  )
  expect(chart?.querySelectorAll('.sum').map(({ text }) => text)).toEqual([...Array.from({ length: 10 }, () => '–'), '-€5', '€119'])
  const parts = chart
    ?.querySelectorAll('rect.part')
    .map((part) => [part.querySelector('title')?.text, Number.parseFloat(part.getAttribute('width') ?? '')])
  const scale = 100 / (11_900 + 500)
  expect(parts).toEqual([
    [`${monthOf(before)}, Certificates: -€5.00`, expect.closeTo(500 * scale, 1)],
    [`${monthOf(now)}, Deployments: €40.00`, expect.closeTo(4000 * scale, 1)],
    [`${monthOf(now)}, Traffic rules: €60.00`, expect.closeTo(6000 * scale, 1)],
    [`${monthOf(now)}, Tax: €19.00`, expect.closeTo(1900 * scale, 1)],
  ])
  const fills = chart?.querySelectorAll('rect.part').map((part) => part.getAttribute('fill')) ?? []
  const patterns = chart?.querySelectorAll('pattern').map(({ id }) => `url(#${id})`)
  expect(fills.every((fill) => fill && patterns?.includes(fill))).toBe(true)
  expect(root.querySelectorAll('[style], script:not([src])')).toEqual([])
})

test('exports the totals of all currencies as a CSV file', async () => {
  const months = await browser.open(`${path}/by-month`)
  const link = months.root.querySelectorAll('main a').find(({ text }) => text === 'Export as CSV')
  const { status, headers, root } = await browser.open(link?.getAttribute('href') ?? '')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
  const lines = root.toString().split('\r\n')
  const yearAndMonth = (date: Date) => date.toISOString().slice(0, 7)
  expect(lines).toHaveLength(1 + 2 * 12 + 1)
  expect([lines[0], lines[11], lines[12], lines[23]]).toEqual([
    'Currency,Month,Total,Certificates,Deployments,Traffic rules,Other,Tax',
    `EUR,${yearAndMonth(before)},-5.00,-5.00,0.00,0.00,0.00,0.00`,
    `EUR,${yearAndMonth(now)},119.00,0.00,40.00,60.00,0.00,19.00`,
    `JPY,${yearAndMonth(before)},1200,0,0,0,1200,0`,
  ])
})
