import { beforeAll, describe, expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { csvFile } from '../../../src/web/files/csv.ts'
import type { Page } from '../../support/browser/browser.ts'
import { browserOf } from '../../support/browser/site-page.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createTeam } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const header =
  'Number,Status,Product,Invoice date,Due date,Paid at,Period start,Period end,Currency,Subtotal,Tax,Total,Amount paid,Amount due'

/** The lines of a file without the header. */
const linesOf = ({ root }: Page) => root.toString().split('\r\n').slice(1, -1)

let team: Team
let path: string
beforeAll(async () => {
  team = await createTeam(database)
  path = `/teams/${team.slug}/invoices`
  const day = new Date('2026-01-31T00:00:00Z')
  const dates = { invoiceDate: day, dueDate: day, paidAt: day, periodStart: day, periodEnd: day }
  await createInvoice(database, team, {
    ...dates,
    number: '=HYPERLINK("a,b")',
    status: 'paid',
    application: 'deploy',
    tax: 190n,
    amountPaid: 1190n,
  })
  await createInvoice(database, team, { number: 'A "1"', currency: 'kwd', invoiceDate: new Date('2025-01-31') }, [-5])
})

describe('the export of the invoices of a team', () => {
  test('is a CSV file named after the team and the day, in which no cell is a formula', async () => {
    const browser = await browserOf(service, team, 'billing')
    const list = await browser.open(path)
    const link = list.root.querySelectorAll('main a').find(({ text }) => text === 'Export as CSV')
    const { status, headers, root } = await browser.open(link?.getAttribute('href') ?? '')
    expect([status, headers.get('content-type'), headers.get('content-disposition'), headers.get('cache-control')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      `attachment; filename=${team.slug}-invoices-${service.clock.now().toISOString().slice(0, 10)}.csv`,
      'no-store',
    ])
    expect(root.toString().split('\r\n')).toEqual([
      header,
      `"'=HYPERLINK(""a,b"")",Paid,Deployments,2026-01-31,2026-01-31,2026-01-31T00:00:00.000Z,2026-01-31,2026-01-31,EUR,10.00,1.90,11.90,11.90,0.00`,
      '"A ""1""",Open,All products,2025-01-31,,,,,KWD,-0.005,0.000,-0.005,0.000,-0.005',
      '',
    ])
  })

  test('contains the invoices that match the filters of the page, in its order', async () => {
    const browser = await browserOf(service, team, 'owner')
    const lines = async (query: string) => linesOf(await browser.open(`${path}.csv?${query}`))
    expect([(await lines('status=OPEN')).length, (await lines('to=2020-01-01')).length]).toEqual([1, 0])
    expect((await lines('sort=date')).map((line) => line.slice(0, 4))).toEqual(['"A "', `"'=H`])
  })

  test('contains the rows of all pages, once each, and is refused for more than 10,000', async () => {
    const large = await createTeam(database)
    const add = (from: number, to: number) =>
      database.pool.query(
        `INSERT INTO invoices (team_id, number, status, currency, subtotal, invoice_date)
         SELECT $1, i, 'open', 'eur', 1, '2026-01-31' FROM generate_series($2::int, $3::int) i`,
        [large.id, from, to],
      )
    await add(1, 250)
    const browser = await browserOf(service, large, 'owner')
    const address = `/teams/${large.slug}/invoices`
    const file = await browser.open(`${address}.csv?page=2&size=10`)
    const numbers = linesOf(file).map((line) => line.split(',')[0])
    expect(numbers.toSorted((one, other) => Number(one) - Number(other))).toEqual(
      Array.from({ length: 250 }, (_, index) => String(index + 1)),
    )
    await add(251, 10_001)
    expect((await browser.open(`${address}.csv`)).status).toBe(422)
    expect((await browser.open(address)).text).toContain('Export as CSV: filter the list to at most 10,000 invoices.')
    expect((await browser.open(`${address}.csv?search=777`)).status).toBe(200)
  })

  test.each([
    ['member', 403],
    [null, 403],
  ] as const)('is refused like the page for the role %s', async (role, status) => {
    const browser = await browserOf(service, team, role)
    expect([(await browser.open(path)).status, (await browser.open(`${path}.csv`)).status]).toEqual([status, status])
  })

  test('leads to sign-in without a session', async () => {
    const response = await fetch(`${service.url}${path}.csv`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([303, expect.stringContaining('/sign-in')])
  })
})

// Excel reads a file with a byte order mark as UTF-8.
test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', `"'\rx"`],
  ['-12.50', '-12.50'],
  ['a=b', 'a=b'],
  ['one\ntwo', '"one\ntwo"'],
  ['שלום, "x"', '"שלום, ""x"""'],
])('the cell %j is written as %j', async (value, written) => {
  const { body } = await csvFile(['Value'], [value], (each) => [each, null])
  expect(body.toString()).toBe(`\u{feff}Value\r\n${written},\r\n`)
})
