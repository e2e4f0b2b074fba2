import { describe, expect, test } from 'vitest'
import { createHash } from 'node:crypto'
import { invoicePdf } from '../../../src/account-site/invoices/pdf/invoice-pdf.ts'
import type { PrintedTeam } from '../../../src/account-site/invoices/content.ts'
import { linesOf, readPdf } from '../../support/data/invoices/pdf.ts'
import { issuer, line, printedTeam } from '../../support/data/invoices/printed-invoice.ts'
import { pngImage } from '../../support/data/png.ts'

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
        'Team accounts',
        'T',
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
    [{ status: 'VOID', amountDue: 0 }, 'Void', ['Paid | €0.00']],
    [{ isOverdue: true }, 'Overdue', ['Amount due | €11.90', 'Payment', 'IBAN DE00 1234', 'State the invoice number.']],
    [{ status: 'UNCOLLECTIBLE' }, 'Uncollectible', ['Amount due | €11.90']],
    [{ status: 'PAID', amountPaid: 1190, amountDue: 0 }, 'Paid', ['Paid | €11.90', 'Amount due | €0.00']],
    [{}, 'Open', ['Amount due | €11.90', 'Payment', 'IBAN DE00 1234', 'State the invoice number.']],
  ] as const)('with %j says once that it is %s, and how to pay only what is due', async (invoice, status, end) => {
    const lines = await text(printedTeam(invoice))
    const words = /\b(?:void|overdue|uncollectible|open)\b/i
    expect(lines.filter((each) => words.test(each))).toEqual(status === 'Paid' ? [] : [`Status | ${status}`])
    expect(lines).toContain(`Status | ${status}`)
    expect(lines.slice(-1 - end.length)).toEqual([...end, 'Invoice ACME-0001 | Page 1 of 1'])
  })

  test('has the rate of each line, the tax by rate, and is a credit note if its total is negative', async () => {
    const credit = { quantity: 1, unitAmount: -2000, amount: -2000 }
    const lines = await text(
      printedTeam({
        number: 'CN-1',
        lines: [line({ taxRate: 7 }), line({ ...credit, taxRate: 19 })],
        subtotal: -1000,
        tax: -310,
        total: -1310,
        amountDue: -1310,
        taxes: [
          { rate: 19, net: -2000, tax: -380 },
          { rate: 7, net: 1000, tax: 70 },
        ],
      }),
    )
    expect(lines[2]).toEqual('Credit note CN-1')
    expect(lines.slice(9)).toEqual([
      'Description | Quantity | Unit price | Tax | Amount',
      'Seats | 2 | €5.00 | 7% | €10.00',
      'Seats | 1 | -€20.00 | 19% | -€20.00',
      'Subtotal | -€10.00',
      'Tax 19% on -€20.00 | -€3.80',
      'Tax 7% on €10.00 | €0.70',
      'Total | -€13.10',
      'Paid | €0.00',
      'Credit note CN-1 | Page 1 of 1',
    ])
  })

  test('begins with the PNG logo of the brand, or the first letter of its name', async () => {
    const [png, svg] = [
      { type: 'png', body: pngImage },
      { type: 'svg', body: Buffer.from('<svg/>') },
    ]
    const withLogo = async (logo: typeof png) => {
      const bytes = await invoicePdf(printedTeam(), { ...issuer, logo })
      return [linesOf(readPdf(bytes).pages[0] ?? []).slice(0, 2), bytes.toString('latin1').includes('/Subtype /Image')]
    }
    expect([await withLogo(png), await withLogo(svg)]).toEqual([
      [['Team accounts', 'Invoice ACME-0001'], true],
      [['Team accounts', 'T'], false],
    ])
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

  test('with 500 lines repeats column titles, carried sums and page numbers and contains every line', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => line({ description: `Line number ${index}` }))
    const { pages } = await read(printedTeam({ lines }))
    expect(pages.length).toBeGreaterThan(8)
    const sheets = pages.map(linesOf)
    let count = 0
    sheets.forEach((sheet, index) => {
      const isLast = index === sheets.length - 1
      const sum = () => `€${(count * 10).toLocaleString('en', { minimumFractionDigits: 2 })}`
      if (index > 0) expect(sheet.slice(0, 2)).toEqual(['Description | Quantity | Unit price | Amount', `Brought forward | ${sum()}`])
      count += sheet.filter((row) => row.startsWith('Line number')).length
      const number = `Invoice ACME-0001 | Page ${index + 1} of ${pages.length}`
      expect(sheet.slice(-2)).toEqual([isLast ? 'State the invoice number.' : `Carried forward | ${sum()}`, number])
    })
    expect(sheets.flat().filter((row) => row.startsWith('Line number'))).toEqual(
      lines.map(({ description }) => `${description} | 2 | €5.00 | €10.00`),
    )
  })

  test.each([1, 40])('never has the totals alone on a page, whatever the number of lines (%d words each)', async (words) => {
    for (let count = 25; count < 60; count += words === 1 ? 1 : 3) {
      const lines = Array.from({ length: count }, (_, index) =>
        line({ description: `Line number ${index} ${'word '.repeat(words).trim()}` }),
      )
      const { pages } = await read(printedTeam({ lines, status: 'PAID' }))
      const last = linesOf(pages.at(-1) ?? [])
      expect([count, last.some((row) => row.includes('word')), last.at(-2)]).toEqual([count, true, 'Amount due | €11.90'])
    }
  })

  test('keeps the end of a long last line with the totals', async () => {
    for (let words = 400; words < 460; words += 5) {
      const { pages } = await read(printedTeam({ status: 'PAID', lines: [line({ description: 'many words '.repeat(words).trim() })] }))
      const last = linesOf(pages.at(-1) ?? [])
      expect([words, last.some((row) => row.includes('many')), last.at(-2)]).toEqual([words, true, 'Amount due | €11.90'])
      for (const page of pages)
        expect(linesOf(page).filter((row) => /^(?:Carried|Brought) forward \| €10\.00$/.test(row)).length).toBeLessThan(3)
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
})
