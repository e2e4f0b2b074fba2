import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { createInvoice } from '../support/invoice.ts'
import { linesOf, readPdf } from '../support/pdf.ts'
import { startService } from '../support/service.ts'
import { browserOf, heading, tableOf } from '../support/site-page.ts'
import { createOwnedTeam, createTeam } from '../support/team.ts'

const service = await startService()
const { database } = service
const { prisma } = database

const mainOf = ({ root }: Page) =>
  root
    .querySelector('main')
    ?.querySelectorAll('h1, p')
    .map(({ text }) => text)
const notYours = [
  'You cannot open this',
  'It belongs to a team that you are not in, or needs a role that you do not have there. Ask an owner of the team.',
  'Go to the start page',
]
const notFound = [
  'There is nothing here',
  'The address may be mistyped, or what it named may be gone. Your account and your teams are found from the start page.',
  'Go to the start page',
]

describe('an invoice with two lines', async () => {
  const team = await createTeam(database)
  const path = `/teams/${team.slug}/invoices`
  const open = await createInvoice(
    database,
    team,
    { number: '<b>1', dueDate: new Date('2026-02-14'), application: 'deploy', tax: 1900n },
    [10_000],
  )
  await prisma.invoiceLine.create({
    data: { invoiceId: open.id, position: 1, application: 'flow', description: '<i>x', quantity: 3, unitAmount: 2000 },
  })
  const browser = await browserOf(service, team, 'billing')

  test('shows one whole, with its lines', async () => {
    const page = await browser.open(`${path}/${open.id}`)
    expect(heading(page)).toEqual([200, 'Invoice <b>1'])
    expect(page.root.querySelectorAll('dl > div').map((fact) => [fact.querySelector('dt')?.text, fact.querySelector('dd')?.text])).toEqual([
      ['Team', 'Acme'],
      ['Status', 'Open'],
      ['Invoice date', '31 Jan 2026'],
      ['Due', '14 Feb 2026'],
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

    const named = await createInvoice(database, team, { number: '../Ünï "7"\r\n\u202Exe', invoiceDate: new Date('2024-01-31') })
    const other = await fetch(`${service.url}${path}/${named.id}/invoice.pdf`, { headers: { cookie } })
    await other.arrayBuffer()
    expect(other.headers.get('content-disposition')).toBe(
      `attachment; filename="Invoice ..-?n? -7-xe.pdf"; filename*=UTF-8''Invoice%20..-%C3%9Cn%C3%AF%20-7-xe.pdf`,
    )
  })

  test('is a file to load, and nothing can be sent to it', async () => {
    const { status, headers } = await fetch(`${service.url}${path}/${open.id}/invoice.pdf`, { method: 'POST' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test.each(['', `/${open.id}`, `/${open.id}/invoice.pdf`])('refuses %s to whoever may not read invoices', async (rest) => {
    for (const role of ['member', null] as const) {
      const refused = await (await browserOf(service, team, role)).open(path + rest)
      expect([refused.status, mainOf(refused)]).toEqual([403, notYours])
    }
    const visitor = await new Browser(service.url).open(path + rest)
    expect([visitor.url.pathname, visitor.url.searchParams.get('return_to')]).toEqual(['/sign-in', path + rest])
  })

  test.each(['/invoice.pdf', ''])('an invoice of another team, or of none, is not found%s', async (rest) => {
    const foreign = await createInvoice(database, (await createOwnedTeam(database)).team)
    for (const id of [foreign.id, '00000000-0000-4000-8000-000000000000', 'x', '%00', '1']) {
      const refused = await browser.open(`${path}/${id}${rest}`)
      expect([id, refused.status, mainOf(refused)]).toEqual([id, 404, notFound])
    }
  })
})
