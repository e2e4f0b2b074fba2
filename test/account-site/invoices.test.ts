import type { HTMLElement } from 'node-html-parser'
import { describe, expect, test } from 'vitest'
import type { Role } from '../../prisma/generated/client/enums.ts'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { createInvoice } from '../support/invoice.ts'
import { createPerson, password } from '../support/oauth.ts'
import { linesOf, readPdf } from '../support/pdf.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, join } from '../support/team.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database

const heading = ({ status, root }: Page) => [status, root.querySelector('h1')?.text]
const plain = (text: string | undefined) => text?.replaceAll('\u00A0', ' ')
const rowsOf = (table: HTMLElement | null | undefined) =>
  table?.querySelectorAll('tr').map((row) => row.querySelectorAll('th, td').map((cell) => plain(cell.text)))
const tableOf = ({ root }: Page, label: string) => {
  const section = root.querySelectorAll('section').find((each) => each.querySelector('h2')?.text === label)
  return rowsOf(section?.querySelector('table'))
}

/** A browser of somebody with this role in the team. */
async function browserOf(team: Awaited<ReturnType<typeof createTeam>>, role: Role | null) {
  const person = await createPerson(database)
  if (role) await join(database, team, person, role)
  const browser = new Browser(service.url)
  await browser.press(await browser.open('/sign-in'), 'Sign in', { 'Email address': person.email, Password: password })
  return browser
}

/** The first of the month so many months ago. */
const monthsAgo = (months: number) => new Date(Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth() - months))
const monthOf = (date: Date) => date.toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const dayOf = (date: Date) => date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

describe('a team with invoices in euros and yen', async () => {
  const team = await createTeam(database)
  const path = `/teams/${team.slug}/invoices`
  const [now, before] = [monthsAgo(0), monthsAgo(1)]
  const open = await createInvoice(
    database,
    team,
    { number: '<b>1', invoiceDate: now, dueDate: now, application: 'deploy', tax: 1900n },
    [10_000],
  )
  await prisma.invoiceLine.create({
    data: { invoiceId: open.id, position: 1, application: 'flow', description: '<i>x', quantity: 3, unitAmount: 2000 },
  })
  const credit = await createInvoice(
    database,
    team,
    { number: '2', invoiceDate: before, application: 'cert', subtotal: -500n, status: 'paid' },
    [-500],
  )
  await createInvoice(database, team, { number: '3', invoiceDate: before, status: 'void' }, [99])
  await createInvoice(database, team, { number: '4', invoiceDate: before, currency: 'jpy', amountPaid: 100n }, [1200])
  await createInvoice(database, team, { number: '5', invoiceDate: monthsAgo(12) }, [5])
  const browser = await browserOf(team, 'billing')
  const list = await browser.open(path)

  test('shows them newest first, with status in words and amounts in their currencies', () => {
    expect(heading(list)).toEqual([200, 'Invoices'])
    const rows = tableOf(list, 'All invoices')
    expect(rows?.[0]).toEqual(['Number', 'Date', 'Total', 'Status', 'Still due', 'Application'])
    expect(rows?.[1]).toEqual(['<b>1', dayOf(now), '€119.00', `Open, due ${dayOf(now)}`, '€119.00', 'Deploy'])
    expect(rows?.slice(2, 5).toSorted()).toEqual([
      ['2', dayOf(before), '-€5.00', 'Paid', '-€5.00', 'Cert'],
      ['3', dayOf(before), '€0.99', 'Void', '–', 'Several'],
      ['4', dayOf(before), '¥1,200', 'Open', '¥1,100', 'Several'],
    ])
    expect(rows?.[5]?.[0]).toBe('5')
  })

  test('shows a year of each currency, in a table', () => {
    expect(tableOf(list, 'Last twelve months in EUR')).toEqual([
      ['Month', 'Total', 'Cert', 'Deploy', 'Flow', 'Tax'],
      [monthOf(now), '€119.00', '–', '€40.00', '€60.00', '€19.00'],
      [monthOf(before), '-€5.00', '-€5.00', '–', '–', '–'],
      ['Twelve months', '€114.00', '-€5.00', '€40.00', '€60.00', '€19.00'],
    ])
    expect(tableOf(list, 'Last twelve months in JPY')).toEqual([
      ['Month', 'Total', 'No application'],
      [monthOf(before), '¥1,200', '¥1,200'],
      ['Twelve months', '¥1,200', '¥1,200'],
    ])
  })

  test('shows the same year as a picture with words, without a style of its own', () => {
    const [chart, ...others] = list.root.querySelectorAll('svg[role=img]')
    expect(others).toHaveLength(1)
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

  test('filters and sorts as asked by the form, and passes by what cannot be meant', async () => {
    const numbers = (page: Page, label: string) =>
      tableOf(page, label)
        ?.slice(1)
        .map(([number]) => number)
    const ofCert = await browser.open(`${path}?app=cert&sort=asc`)
    expect([numbers(ofCert, 'Invoices for Cert'), ofCert.root.querySelectorAll('svg[role=img]').length]).toEqual([['2'], 0])
    expect(ofCert.root.querySelectorAll('option[selected]').map(({ text }) => text)).toEqual(['Cert', 'Oldest first'])
    expect(numbers(await browser.open(`${path}?sort=asc`), 'All invoices')?.[0]).toBe('5')
    const none = await browser.open(`${path}?app=socket`)
    expect([none.status, none.root.querySelector('.empty')?.text]).toEqual([200, 'There is no invoice yet.'])
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

  test('shows one whole, with its lines', async () => {
    const page = await browser.open(`${path}/${open.id}`)
    expect(heading(page)).toEqual([200, 'Invoice <b>1'])
    expect(page.root.querySelectorAll('dl > div').map((fact) => [fact.querySelector('dt')?.text, fact.querySelector('dd')?.text])).toEqual([
      ['Team', 'Acme'],
      ['Status', 'Open'],
      ['Invoice date', dayOf(now)],
      ['Due', dayOf(now)],
      ['Application', 'Deploy'],
    ])
    expect(tableOf(page, 'Lines')).toEqual([
      ['Description', 'Quantity', 'Unit price', 'Amount'],
      ['Line 0', '1', '€100.00', '€100.00'],
      ['<i>xFlow', '3', '€20.00', '€60.00'],
      ['Subtotal', '€100.00'],
      ['Tax', '€19.00'],
      ['Total', '€119.00'],
      ['Paid', '€0.00'],
      ['Amount due', '€119.00'],
    ])
    expect(page.root.querySelectorAll('p.screen a').map((link) => link.getAttribute('href'))).toEqual([
      `${path}/${open.id}/invoice.pdf`,
      path,
    ])
  })

  test('gives one as a PDF, whose name leads nowhere', async () => {
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const response = await fetch(`${service.url}${path}/${open.id}/invoice.pdf`, { headers: { cookie } })
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'application/pdf',
      'no-store',
    ])
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="Invoice -b-1.pdf"')
    const [lines] = readPdf(Buffer.from(await response.arrayBuffer())).pages.map(linesOf)
    expect(lines?.slice(0, 2)).toEqual(['Invoice <b>1', 'Acme'])

    const named = await createInvoice(database, team, { number: '../Ünï "7"\r\n\u202Exe', invoiceDate: monthsAgo(20) })
    const other = await fetch(`${service.url}${path}/${named.id}/invoice.pdf`, { headers: { cookie } })
    await other.arrayBuffer()
    expect(other.headers.get('content-disposition')).toBe(
      `attachment; filename="Invoice ..-?n? -7-xe.pdf"; filename*=UTF-8''Invoice%20..-%C3%9Cn%C3%AF%20-7-xe.pdf`,
    )
    await prisma.invoice.delete({ where: { id: named.id } })
  })

  test.each(['', `/${credit.id}`, `/${credit.id}/invoice.pdf`])('refuses %s to whoever may not read invoices', async (rest) => {
    for (const role of ['member', null] as const) {
      const refused = await (await browserOf(team, role)).open(path + rest)
      expect([refused.status, refused.text.includes('€')]).toEqual([403, false])
    }
    const visitor = await new Browser(service.url).open(path + rest)
    expect([visitor.url.pathname, visitor.url.searchParams.get('return_to')]).toEqual(['/sign-in', path + rest])
  })

  test('is led to no page of invoices where the role has none', async () => {
    const page = await (await browserOf(team, 'member')).open('/security')
    expect(page.root.querySelectorAll('nav a').map((link) => link.getAttribute('href'))).not.toContain(path)
  })

  test.each(['/invoice.pdf', ''])('an invoice of another team, or of none, is not found%s', async (rest) => {
    const foreign = await createInvoice(database, (await createOwnedTeam(database)).team)
    for (const id of [foreign.id, '00000000-0000-4000-8000-000000000000', 'x', '%00', '1'])
      expect([id, (await browser.open(`${path}/${id}${rest}`)).status]).toEqual([id, 404])
  })

  test('never says what is not for any answer', () => {
    expect(list.text).not.toMatch(/address|payment method|tax number|vat/i)
  })
})

describe('a team with 51 invoices', async () => {
  const team = await createTeam(database)
  const path = `/teams/${team.slug}/invoices`
  for (let index = 0; index < 51; index++)
    await createInvoice(database, team, { number: `${index}`, application: 'flow', invoiceDate: monthsAgo(index) })
  const browser = await browserOf(team, 'owner')

  test('has three pages that keep what was asked for', async () => {
    const links = ({ root }: Page) => root.querySelectorAll('nav[aria-label=Pages] a').map((link) => link.getAttribute('href'))
    const first = await browser.open(`${path}?app=flow&sort=asc&page=1`)
    expect([tableOf(first, 'Invoices for Flow')?.length, links(first)]).toEqual([26, [`${path}?app=flow&sort=asc&page=2`]])
    const last = await browser.open(`${path}?page=3`)
    expect([tableOf(last, 'All invoices')?.map(([number]) => number), links(last)]).toEqual([['Number', '50'], [`${path}?page=2`]])
    expect(last.root.querySelectorAll('svg[role=img]')).toEqual([])
    const beyond = await browser.open(`${path}?page=999999999`)
    expect([beyond.root.querySelector('.empty')?.text, links(beyond)]).toEqual(['The list ends before this page.', [`${path}?page=3`]])
  })
})

test('a team without an invoice is told so, without an empty picture', async () => {
  const team = await createTeam(database)
  const page = await (await browserOf(team, 'owner')).open(`/teams/${team.slug}/invoices`)
  expect([page.status, page.root.querySelector('.empty')?.text, page.root.querySelectorAll('svg[role=img]').length]).toEqual([
    200,
    'There is no invoice yet.',
    0,
  ])
})
