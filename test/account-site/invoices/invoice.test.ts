import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { linesOf, readPdf } from '../../support/data/invoices/pdf.ts'
import { useService } from '../../support/service/service.ts'
import { browserOf, heading, tableOf } from '../../support/browser/site-page.ts'
import { createOwnedTeam, createTeam } from '../../support/data/team.ts'
import type { Team } from '../../../prisma/generated/client/client.ts'
import type { StoredInvoice } from '../../support/data/invoices/invoice.ts'

const service = useService()
const { database } = service
const { prisma } = database

describe('an invoice with two lines', () => {
  let team: Team
  let path: string
  let open: StoredInvoice
  let browser: Browser
  beforeAll(async () => {
    team = await createTeam(database)
    path = `/teams/${team.slug}/invoices`
    open = await createInvoice(
      database,
      team,
      { number: '<b>1', dueDate: new Date('2026-02-14'), application: 'deploy', tax: 1900n },
      [10_000],
    )
    await prisma.invoiceLine.create({
      data: { invoiceId: open.id, position: 1, application: 'flow', description: '<i>x', quantity: 3, unitAmount: 2000 },
    })
    browser = await browserOf(service, team, 'billing')
  })

  test('shows all its properties and lines', async () => {
    const page = await browser.open(`${path}/${open.id}`)
    expect(heading(page)).toEqual([200, 'Invoice <b>1'])
    expect(page.root.querySelector('.title > .badge')?.text).toBe('Overdue')
    expect(page.root.querySelector('.invoice-head > p')?.text).toBe('Amount due €119.00')
    expect(page.root.querySelectorAll('dl > div').map((fact) => fact.querySelectorAll('dt, dd').map(({ text }) => text))).toEqual([
      ['Due', '14 Feb 2026'],
      ['Payment', 'IBAN DE00 1234', 'State the invoice number.'],
      ['From', 'Example Ltd', '1 Main Street', 'Springfield'],
      ['Bill to', 'Acme'],
      ['Invoice date', '31 Jan 2026'],
      ['Product', 'Several products'],
    ])
    expect(tableOf(page, 'Items')).toEqual([
      ['Description', 'Quantity', 'Unit price', 'Amount'],
      ['Line 0', '1', '€100.00', '€100.00'],
      ['<i>xTraffic rules', '3', '€20.00', '€60.00'],
      ['Subtotal', '€100.00'],
      ['Tax', '€19.00'],
      ['Total', '€119.00'],
      ['Paid', '€0.00'],
      ['Amount due', '€119.00'],
    ])
    expect(page.root.querySelector('a.button')?.attributes).toMatchObject({ href: `${path}/${open.id}/invoice.pdf` })
  })

  test('shows the tax by rate, and how to pay an open invoice', async () => {
    const rated = await createInvoice(database, team, { tax: 260n }, [1000, 1000])
    for (const [index, { id }] of rated.lines.entries())
      await prisma.invoiceLine.update({ where: { id }, data: { taxRate: index === 0 ? 19 : 7 } })
    const page = await browser.open(`${path}/${rated.id}`)
    expect(tableOf(page, 'Items')?.slice(0, 6)).toEqual([
      ['Description', 'Quantity', 'Unit price', 'Tax', 'Amount'],
      ['Line 0', '1', '€10.00', '19%', '€10.00'],
      ['Line 1', '1', '€10.00', '7%', '€10.00'],
      ['Subtotal', '€20.00'],
      ['Tax 19% on €10.00', '€1.90'],
      ['Tax 7% on €10.00', '€0.70'],
    ])
    const paid = await createInvoice(database, team, { status: 'paid', amountPaid: 1000n })
    const settled = await browser.open(`${path}/${paid.id}`)
    expect(settled.text).not.toContain('IBAN')
    expect(settled.root.querySelector('.invoice-head > p')?.text).toBe('Total €10.00')
  })

  test('says the same as its PDF, with the lines in the same order', async () => {
    const dates = { dueDate: new Date('2999-01-31'), periodStart: new Date('2026-01-01'), periodEnd: new Date('2026-01-31') }
    const { id } = await createInvoice(database, team, { ...dates, application: 'deploy', tax: 190n, amountPaid: 90n }, [600, 400])
    await prisma.invoiceLine.updateMany({ where: { invoiceId: id }, data: { taxRate: 19 } })
    const page = await browser.open(`${path}/${id}`)
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const pdf = await fetch(`${service.url}${path}/${id}/invoice.pdf`, { headers: { cookie } })
    const { pages } = readPdf(Buffer.from(await pdf.arrayBuffer()))
    const words = (text: string) => text.split(/[\s|]+/).filter((word) => word !== '')
    const wordsOn = (selector: string) => page.root.querySelectorAll(selector).flatMap(({ structuredText }) => words(structuredText))
    const printed = pages
      .flatMap((texts) => linesOf(texts).slice(0, -1))
      .slice(2)
      .flatMap(words)
    const lines = wordsOn('main th, main td')
    const start = printed.indexOf('Description')
    expect(printed.slice(start, start + lines.length)).toEqual(lines)
    // The page shows the status next to the title and the payment next to the amount. The file lists both with the other facts.
    const others = [...printed.slice(0, start), ...printed.slice(start + lines.length)]
    expect(others.toSorted()).toEqual([...wordsOn('h1, .title > .badge, .invoice-head :is(dt, dd)'), 'Status'].toSorted())
  })

  test.each([
    ['void', '2026-02-14', 'Void', null],
    ['open', '2026-02-14', 'Overdue', '€10.00'],
    ['open', '2999-01-01', 'Open', '€10.00'],
    ['uncollectible', '2026-02-14', 'Uncollectible', '€10.00'],
  ] as const)('that is %s and due on %s says once that it is %s', async (status, dueDate, label, amountDue) => {
    const { id } = await createInvoice(database, team, { status, dueDate: new Date(dueDate) })
    const page = await browser.open(`${path}/${id}`)
    expect(page.root.querySelectorAll('.badge').map(({ text }) => text)).toEqual([label])
    expect(page.root.querySelector('main')?.structuredText.match(/\b(?:void|overdue|open|uncollectible)\b/gi)).toEqual([label])
    expect(tableOf(page, 'Items')?.at(-1)).toEqual(amountDue ? ['Amount due', amountDue] : ['Paid', '€0.00'])
  })

  test('can be downloaded as a PDF with a safe file name', async () => {
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const response = await fetch(`${service.url}${path}/${open.id}/invoice.pdf`, { headers: { cookie } })
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'application/pdf',
      'no-store',
    ])
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="Invoice -b-1.pdf"')
    const [lines] = readPdf(Buffer.from(await response.arrayBuffer())).pages.map(linesOf)
    expect(lines?.slice(0, 6)).toEqual(['Team accounts', 'T', 'Invoice <b>1', 'From | Bill to', 'Example Ltd | Acme', '1 Main Street'])

    const named = await createInvoice(database, team, { number: '../Ünï "7"\r\n\u202Exe', invoiceDate: new Date('2024-01-31') })
    const other = await fetch(`${service.url}${path}/${named.id}/invoice.pdf`, { headers: { cookie } })
    await other.arrayBuffer()
    expect(other.headers.get('content-disposition')).toBe(
      `attachment; filename="Invoice ..-?n? -7-xe.pdf"; filename*=UTF-8''Invoice%20..-%C3%9Cn%C3%AF%20-7-xe.pdf`,
    )
  })

  test('refuses POST requests to its PDF', async () => {
    const { status, headers } = await fetch(`${service.url}${path}/${open.id}/invoice.pdf`, { method: 'POST' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test.each(['', '/:id', '/:id/invoice.pdf'])('is refused at %s to users who cannot read invoices', async (pattern) => {
    const rest = pattern.replace(':id', open.id)
    for (const role of ['member', null] as const) {
      const refused = await (await browserOf(service, team, role)).open(path + rest)
      expect(heading(refused)).toEqual([403, 'You don’t have access'])
    }
    const visitor = await new Browser(service.url).open(path + rest)
    expect([visitor.url.pathname, visitor.url.searchParams.get('return_to')]).toEqual(['/sign-in', path + rest])
  })

  test.each(['/invoice.pdf', ''])('is not found under another team or with an unknown id (%s)', async (rest) => {
    const foreign = await createInvoice(database, (await createOwnedTeam(database)).team)
    for (const id of [foreign.id, '00000000-0000-4000-8000-000000000000', 'x', '%00', '1']) {
      const refused = await browser.open(`${path}/${id}${rest}`)
      expect([id, ...heading(refused)]).toEqual([id, 404, 'Page not found'])
    }
  })
})
