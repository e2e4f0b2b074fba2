import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { createInvoice } from '../../support/data/invoice.ts'
import { linesOf, readPdf } from '../../support/data/pdf.ts'
import { useService } from '../../support/service/service.ts'
import { browserOf, heading, tableOf } from '../../support/browser/site-page.ts'
import { createOwnedTeam, createTeam } from '../../support/data/team.ts'
import type { Team } from '../../../prisma/generated/client/client.ts'
import type { StoredInvoice } from '../../support/data/invoice.ts'

const service = useService()
const { database } = service
const { prisma } = database

const mainOf = ({ root }: Page) =>
  root
    .querySelector('main')
    ?.querySelectorAll('h1, p')
    .map(({ text }) => text)
const notYours = [
  'You don’t have access',
  'You are not a member of this team, or your role does not allow this. Ask a team owner for access.',
  'Go to the start page',
]
const notFound = [
  'Page not found',
  'Check the address, or go to the start page to find your account and your teams.',
  'Go to the start page',
]

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
    expect(page.root.querySelectorAll('dl > div').map((fact) => [fact.querySelector('dt')?.text, fact.querySelector('dd')?.text])).toEqual([
      ['Bill to', 'Acme'],
      ['Status', 'Overdue'],
      ['Invoice date', '31 Jan 2026'],
      ['Due', '14 Feb 2026'],
      ['Product', 'Deployments'],
    ])
    expect(tableOf(page, 'Lines')).toEqual([
      ['Description', 'Quantity', 'Unit price', 'Amount'],
      ['Line 0', '1', '€100.00', '€100.00'],
      ['<i>xTraffic rules', '3', '€20.00', '€60.00'],
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

  test.each([
    ['void', '2026-02-14', 'VOID', null, ['Status', 'Void']],
    ['open', '2026-02-14', 'Overdue', '€10.00', ['Status', 'Overdue']],
    ['open', '2999-01-01', undefined, '€10.00', ['Status', 'Open']],
    ['uncollectible', '2026-02-14', undefined, '€10.00', ['Status', 'Uncollectible']],
  ] as const)('that is %s and due on %s has the mark %s', async (status, dueDate, mark, amountDue, fact) => {
    const { id } = await createInvoice(database, team, { status, dueDate: new Date(dueDate) })
    const page = await browser.open(`${path}/${id}`)
    expect(page.root.querySelector('.mark')?.text).toBe(mark)
    expect(page.root.querySelectorAll('dl > div').map((each) => each.querySelectorAll('dt, dd').map(({ text }) => text))).toContainEqual(
      fact,
    )
    expect(tableOf(page, 'Lines')?.at(-1)).toEqual(amountDue ? ['Amount due', amountDue] : ['Paid', '€0.00'])
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
    expect(lines?.filter((each) => !each.includes('Overdue')).slice(0, 4)).toEqual([
      'Invoice <b>1',
      'From | Bill to',
      'Example Ltd | Acme',
      '1 Main Street',
    ])

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
      expect([refused.status, mainOf(refused)]).toEqual([403, notYours])
    }
    const visitor = await new Browser(service.url).open(path + rest)
    expect([visitor.url.pathname, visitor.url.searchParams.get('return_to')]).toEqual(['/sign-in', path + rest])
  })

  test.each(['/invoice.pdf', ''])('is not found under another team or with an unknown id (%s)', async (rest) => {
    const foreign = await createInvoice(database, (await createOwnedTeam(database)).team)
    for (const id of [foreign.id, '00000000-0000-4000-8000-000000000000', 'x', '%00', '1']) {
      const refused = await browser.open(`${path}/${id}${rest}`)
      expect([id, refused.status, mainOf(refused)]).toEqual([id, 404, notFound])
    }
  })
})
