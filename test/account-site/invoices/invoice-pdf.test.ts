import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHash } from 'node:crypto'
import { invoicePdf } from '../../../src/account-site/invoices/pdf/invoice-pdf.ts'
import type { PrintedTeam } from '../../../src/account-site/invoices/pdf/invoice-pdf.ts'
import { visualRuns } from '../../../src/account-site/invoices/pdf/text.ts'
import { linesOf, readPdf } from '../../support/data/pdf.ts'
import { issuer, line, printedTeam } from '../../support/data/printed-invoice.ts'
import { fuzzing } from '../../support/service/full.ts'

const read = async (team: PrintedTeam) => readPdf(await invoicePdf(team, issuer))
const text = async (team: PrintedTeam) => (await read(team)).pages.flatMap(linesOf)

describe('an invoice as a PDF', () => {
  test('contains all properties of the invoice', async () => {
    const { pages, info } = await read(
      printedTeam({
        status: 'PAID',
        appId: 'DEPLOY',
        currency: 'kwd',
        dueDate: '2026-02-14',
        paidAt: '2026-02-01T09:30:00.000Z',
        periodStart: '2026-01-01',
        periodEnd: '2026-01-31',
        amountPaid: 1000,
        amountDue: 190,
        lines: [line({ appId: 'FLOW', description: 'Plan', periodStart: '2026-01-01', periodEnd: '2026-01-31' })],
      }),
    )
    expect(pages.map(linesOf)).toEqual([
      [
        'Invoice ACME-0001',
        'From | Bill to',
        'Example Ltd | Acme',
        '1 Main Street',
        'Status | Paid',
        'Invoice date | 31 Jan 2026',
        'Due | 14 Feb 2026',
        'Paid | 1 Feb 2026',
        'Period | 1 Jan 2026 – 31 Jan 2026',
        'Product | Deployments',
        'Description | Quantity | Unit price | Amount',
        'Plan | 2 | KWD 0.500 | KWD 1.000',
        'Traffic rules · 1 Jan 2026 – 31 Jan 2026',
        'Subtotal | KWD 1.000',
        'Tax | KWD 0.190',
        'Total | KWD 1.190',
        'Paid | KWD 1.000',
        'Amount due | KWD 0.190',
        'Invoice ACME-0001 | Page 1 of 1',
      ],
    ])
    const day = 'D:20260131000000Z'
    const properties = { Creator: 'Team accounts', Producer: 'Team accounts', CreationDate: day, ModDate: day }
    expect(info).toEqual({ Title: 'Invoice ACME-0001', Author: 'Example Ltd', ...properties })
  })

  test.each([
    [{ status: 'VOID', amountDue: 0 }, 'VOID', ', void', 'Paid | €0.00'],
    [{ isOverdue: true }, 'Overdue', ', overdue', 'Amount due | €11.90'],
    [{ status: 'UNCOLLECTIBLE' }, undefined, '', 'Amount due | €11.90'],
  ] as const)('of an invoice with %j has the mark %s', async (invoice, mark, footer, amountDue) => {
    const lines = await text(printedTeam(invoice))
    expect(lines.slice(1, mark ? 2 : 1)).toEqual(mark ? [mark] : [])
    expect(lines.find((each) => each.startsWith('Status'))?.toLowerCase()).toBe(`status | ${mark ?? 'Uncollectible'}`.toLowerCase())
    expect(lines.slice(-2)).toEqual([amountDue, `Invoice ACME-0001${footer} | Page 1 of 1`])
  })

  test('has the same bytes for the same invoice', async () => {
    const digest = async () =>
      createHash('sha256')
        .update(await invoicePdf(printedTeam({ name: 'Ünï שלום' }), issuer))
        .digest('hex')
    const first = await digest()
    await invoicePdf(printedTeam({ name: '漢字 सूरज', number: '2' }), issuer)
    expect(await digest()).toBe(first)
  })

  test('with 500 lines repeats column titles and page numbers and contains every line', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => line({ description: `Line number ${index}` }))
    const { pages } = await read(printedTeam({ lines }))
    expect(pages.length).toBeGreaterThan(8)
    const sheets = pages.map(linesOf)
    sheets.forEach((sheet, index) => {
      if (index > 0) expect(sheet[0]).toBe('Description | Quantity | Unit price | Amount')
      expect(sheet.at(-1)).toBe(`Invoice ACME-0001 | Page ${index + 1} of ${pages.length}`)
    })
    expect(sheets.flat().filter((row) => row.startsWith('Line number'))).toEqual(
      lines.map(({ description }) => `${description} | 2 | €5.00 | €10.00`),
    )
    expect(sheets.at(-1)?.at(-2)).toBe('Amount due | €11.90')
  })

  test('never has the totals alone on a page, whatever the number of lines', async () => {
    for (let count = 25; count < 60; count++) {
      const lines = Array.from({ length: count }, (_, index) => line({ description: `Line number ${index}` }))
      const { pages } = await read(printedTeam({ lines }))
      const last = linesOf(pages.at(-1) ?? [])
      expect([count, last.some((row) => row.startsWith('Line number')), last.at(-2)]).toEqual([count, true, 'Amount due | €11.90'])
    }
  })

  test('keeps long names and large amounts within the margins', async () => {
    const long = { number: 'W'.repeat(255), name: 'W'.repeat(255), currency: 'kwd', total: Number.MAX_SAFE_INTEGER }
    const description = 'many words '.repeat(700).trim()
    const amounts = { quantity: 2_147_483_647, unitAmount: -Number.MAX_SAFE_INTEGER, amount: -Number.MAX_SAFE_INTEGER }
    const { pages } = await read(
      printedTeam({ ...long, lines: [line({ description, ...amounts }), line({ description: 'W'.repeat(300) })] }),
    )
    const pieces = pages.flat()
    const allText = pieces.map(({ text }) => text).join('')
    expect(allText.replaceAll(/[^W]/g, '').length).toBeGreaterThanOrEqual(255 + 255 + 300)
    expect(allText.match(/many/g)).toHaveLength(700)
    expect(allText).toContain('2,147,483,647')
    expect(allText).toContain('-KWD\u00A09,007,199,254,740.991')
    for (const { x, y } of pieces) expect([x >= 47.9, x < 547.3, y > 47, y < 794]).toEqual([true, true, true, true])
  })

  test('shows a box for characters that no font has and removes invisible ones', async () => {
    const lines = await text(printedTeam({ name: '𐌰𐌱 \u202Eevil\u2069 \uFEFF\n\tend' }))
    expect(lines[2]).toBe('Example Ltd | □□ evil end')
  })

  test('writes right-to-left names in visual order', async () => {
    const lines = await text(printedTeam({ name: 'Acme שלום עולם GmbH' }))
    expect(lines[2]?.replaceAll(' | ', ' ')).toBe('Example Ltd Acme םלוע םולש GmbH')
  })

  test('is created for any text', async () => {
    const any = fc.string({ unit: 'binary', maxLength: 60 }).map((value) => value.toWellFormed())
    await fc.assert(
      fc.asyncProperty(any, any, any, async (name, number, description) => {
        const bytes = await invoicePdf(printedTeam({ name, number, lines: [line({ description })] }), issuer)
        expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
      }),
      fuzzing({ short: 12, full: 100 }),
    )
  })
})

test.each([
  ['abc (def)', ['abc (def)']],
  ['שלום', ['שלום']],
  ['a שלום עולם b', ['a ', 'עולם', ' ', 'שלום', ' b']],
  ['(שלום)', ['(', 'שלום', ')']],
  ['שלום (עולם)', ['(', 'עולם', ') ', 'שלום']],
  ['שלום 12 עולם', ['עולם', ' 12 ', 'שלום']],
  ['שלום 12', ['שלום', ' 12']],
  ['סכום abc סכום', ['סכום', ' abc ', 'סכום']],
])('%s is split into runs in visual order', (line, runs) => {
  expect(visualRuns(line)).toEqual(runs)
})
