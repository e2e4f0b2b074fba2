import { beforeAll, describe, expect, test } from 'vitest'
import type { Page, Browser } from '../../support/browser/browser.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { useService } from '../../support/service/service.ts'
import { browserOf, heading } from '../../support/browser/site-page.ts'
import { contentOf, rowsOf } from '../../support/account-site/team.ts'
import { createTeam } from '../../support/data/team.ts'
import type { Team } from '../../../prisma/generated/client/client.ts'
import type { StoredInvoice } from '../../support/data/invoices/invoice.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

/** The first day of the month `months` months ago. */
const monthsAgo = (months: number) => new Date(Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth() - months))
const dateOf = (date: Date) => date.toISOString().slice(0, 10)
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
    expect([heading(list), list.root.querySelector('#rows')?.text]).toEqual([[200, 'Invoices'], '5 invoices'])
    const rows = rowsOf(list).map((row) => row.slice(0, 7))
    expect(rows[0]).toEqual(['<b>1', 'Open', 'Several products', dayOf(now), dayOf(next), '€119.00', '€119.00'])
    expect(rows.slice(1, 4).toSorted(([one = ''], [other = '']) => one.localeCompare(other))).toEqual([
      ['2', 'Credit', 'Certificates', dayOf(before), '–', '-€5.00', '–'],
      ['3', 'Void', 'All products', dayOf(before), '–', '€0.99', '–'],
      ['4', 'Open', 'All products', dayOf(before), '–', '¥1,200', '¥1,100'],
    ])
    expect(rows[4]).toEqual(['5', 'Overdue', 'All products', dayOf(monthsAgo(12)), dayOf(monthsAgo(11)), '€0.05', '€0.05'])
    const menu = list.root.querySelector('.row-menu')?.querySelectorAll('a') ?? []
    expect(menu.map((link) => [link.text, link.getAttribute('href')])).toEqual([
      ['View invoice', `${path}/${open.id}`],
      ['Download PDF', `${path}/${open.id}/invoice.pdf`],
    ])
  })

  test('sums what is outstanding, overdue and paid this year by currency, with links to these invoices', async () => {
    const cards = ({ root }: Page) => root.querySelectorAll('.sums .card').map((card) => card.structuredText.split('\n').filter(Boolean))
    expect(cards(list)).toEqual([
      ['Outstanding', '€119.05', '¥1,100', '3 invoices'],
      ['Overdue', '€0.05', '1 invoice'],
      before.getUTCFullYear() === now.getUTCFullYear() ? ['Paid this year', '€0.00', '1 invoice'] : ['Paid this year', 'None'],
    ])
    const links = list.root.querySelectorAll('.sums a').map((link) => link.getAttribute('href') ?? '')
    const overdue = await browser.open(links[1] ?? '')
    expect([links.length, rowsOf(overdue).map(([number]) => number), cards(overdue)]).toEqual([3, ['5'], cards(list)])
    const searched = await browser.open(`${path}?search=nothing`)
    expect([cards(searched), searched.root.querySelector('.sums a')?.getAttribute('href')]).toEqual([cards(list), `${path}?status=OPEN`])
    expect(cards(await browser.open(`${path}?product=DEPLOY`))[0]).toEqual(['Outstanding', '€119.00', '1 invoice'])
  })

  test.each([
    ['status=PAID', ['2']],
    ['status=OVERDUE', ['5']],
    ['status=OPEN&sort=-number', ['<b>1', '5', '4']],
    ['product=CERT', ['2']],
    ['search=B%3E', ['<b>1']],
    ['sort=date&size=10', ['5', '2', '3', '4', '<b>1']],
    [`from=${dateOf(now)}`, ['<b>1']],
    [`from=${dateOf(monthsAgo(11))}&to=${dateOf(monthsAgo(13))}`, ['5']],
  ])('shows the invoices that match %s', async (query, numbers) => {
    const page = await browser.open(`${path}?${query}`)
    const isSorted = query.includes('sort=-')
    const shown = rowsOf(page).map(([number = '']) => number)
    expect(isSorted ? shown : shown.toSorted()).toEqual(isSorted ? numbers : numbers.toSorted())
    const count = `${numbers.length} ${numbers.length === 1 ? 'invoice' : 'invoices'}`
    expect(page.root.querySelector('#rows')?.text).toBe(query.startsWith('sort') ? count : `${count} found`)
  })

  test.each([
    'status=nope',
    'product=__proto__',
    'product=CERT%00',
    'sort=up',
    'page=0',
    'page=1e9',
    'from=2026-02-30',
    'to=x',
    'product[]=CERT',
  ])('ignores the invalid parameter %s', async (query) => {
    const page = await browser.open(`${path}?${query}`)
    expect([page.status, page.root.querySelector('#rows')?.text]).toEqual([200, '5 invoices'])
  })

  test('says what to do when no invoice matches', async () => {
    const page = await browser.open(`${path}?product=SOCKET`)
    expect(contentOf(page)).toMatch(/Change the search or the filters, or show all invoices\.$/)
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
    const links = ({ root }: Page) => root.querySelectorAll('nav.pages a').map((link) => link.getAttribute('href'))
    const query = 'product=FLOW&sort=date&size=25'
    const first = await browser.open(`${path}?${query}&page=1`)
    expect([rowsOf(first).length, links(first)]).toEqual([25, [`${path}?${query}&page=2`]])
    const last = await browser.open(`${path}?page=2`)
    expect([rowsOf(last).map(([number]) => number), links(last)]).toEqual([['50'], [`${path}?page=1`]])
    const beyond = await browser.open(`${path}?page=999999999`)
    expect([beyond.root.querySelector('.empty')?.text, links(beyond)]).toEqual(['There is nothing on this page.', [`${path}?page=2`]])
  })
})

test('the pages of a team without invoices say when invoices appear, without cards and charts', async () => {
  const browser = await browserOf(service, await createTeam(database), 'owner')
  const { pathname } = (await browser.open('/')).url
  const page = await browser.open(`${pathname}/invoices`)
  expect([page.status, contentOf(page), page.root.querySelectorAll('.card, form[role=search]').length]).toEqual([
    200,
    'No invoices Invoices appear here when the team is billed for a product.',
    0,
  ])
  expect(contentOf(await browser.open(`${pathname}/invoices/by-month`))).toBe('The team was not invoiced in the last twelve months.')
})

test('lists the invoices of a day by number, and the products of lines', async () => {
  const team = await createTeam(database)
  const invoiceDate = new Date('2026-01-31')
  for (const number of ['B-2', 'B-1', 'B-3']) {
    const { id } = await createInvoice(database, team, { number, invoiceDate, application: number === 'B-3' ? 'deploy' : null })
    const [first, second] = [
      { position: 1, application: 'deploy' },
      { position: 2, application: 'flow' },
    ] as const
    const line = { invoiceId: id, description: 'Plan', quantity: 1, unitAmount: 0 }
    if (number !== 'B-1')
      await database.prisma.invoiceLine.createMany({
        data: [
          { ...line, ...first },
          { ...line, ...second },
        ],
      })
  }
  const browser = await browserOf(service, team, 'owner')
  const shown = async (query: string) => {
    const { root } = await browser.open(`/teams/${team.slug}/invoices?${query}`)
    return root.querySelectorAll('tbody tr').map((row) => row.querySelectorAll('td, th').map(({ text }) => text))
  }
  const columns = (rows: string[][]) =>
    rows.map((cells) => [cells.find((text) => text.startsWith('B-')), cells.find((text) => /product/i.test(text))])
  expect(columns(await shown(''))).toEqual([
    ['B-3', 'Several products'],
    ['B-2', 'Several products'],
    ['B-1', 'All products'],
  ])
  expect(columns(await shown('sort=date')).map(([number]) => number)).toEqual(['B-1', 'B-2', 'B-3'])
})
