import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { invoicePdf } from '../../../src/account-site/invoices/pdf/invoice-pdf.ts'
import type { PrintedTeam } from '../../../src/account-site/invoices/content.ts'
import { visualRuns } from '../../../src/account-site/invoices/pdf/text.ts'
import { linesOf, readPdf } from '../../support/data/invoices/pdf.ts'
import { issuer, line, printedTeam } from '../../support/data/invoices/printed-invoice.ts'
import { fuzzing } from '../../support/service/full.ts'

const text = async (team: PrintedTeam) => readPdf(await invoicePdf(team, issuer)).pages.flatMap(linesOf)

describe('the PDF of an invoice', () => {
  test('shows a box for characters that no font has and removes invisible ones', async () => {
    const lines = await text(printedTeam({ name: '𐌰𐌱 \u202Eevil\u2069 \uFEFF\n\tend' }))
    expect(lines[4]).toBe('Example Ltd | □□ evil end')
  })

  test('writes right-to-left names in visual order', async () => {
    const lines = await text(printedTeam({ name: 'Acme שלום עולם GmbH' }))
    expect(lines[4]?.replaceAll(' | ', ' ')).toBe('Example Ltd Acme םלוע םולש GmbH')
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
