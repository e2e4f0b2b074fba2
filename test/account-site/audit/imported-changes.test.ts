import { expect, test } from 'vitest'
import { announceInvoices } from '../../../schema/invoices/announcements.ts'
import { createUser } from '../../support/data/team.ts'
import { contentOf, inTeam, rowsOf } from '../../support/account-site/team.ts'
import { runCli } from '../../support/service/cli.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service

const today = () => clock.now().toISOString().slice(0, 10)

test('the audit log says what an import changed and which invoice became overdue, with amounts and a link to the invoice', async () => {
  const { browser, team } = await inTeam(service, 'owner', '')
  const path = `/teams/${team.slug}/audit-trail`
  const invoice = (number: string, changes: object) => ({
    type: 'invoice',
    team: team.slug,
    number,
    status: 'open',
    currency: 'eur',
    invoice_date: today(),
    due_date: today(),
    lines: [{ description: 'Seats', quantity: 1, unit_amount: 12_345 }],
    ...changes,
  })
  const user = await createUser(database, { name: 'Bo' })
  const files = [
    [invoice('A-1', {}), invoice('A-2', { status: 'paid', amount_paid: 12_345 }), invoice('A-3', {})],
    [{ type: 'member', team: team.slug, user: user.email, role: 'billing' }],
    [invoice('A-1', { status: 'paid', amount_paid: 12_345 })],
    [invoice('A-2', { status: 'void' })],
  ]
  for (const records of files) {
    const text = records.map((record) => JSON.stringify(record)).join('\n')
    expect((await runCli({ DATABASE_URL: service.databaseUrl }, ['import', '-', '--emit-events'], text)).status).toBe(0)
  }
  clock.advance(86_400_000)
  await announceInvoices({ database, now: clock.now, sendMail: async () => {} })
  const sentences = rowsOf(await browser.open(path)).map((row) => String(row[1]))
  expect(sentences.slice(0, 4)).toEqual([
    'announced that the invoice A-3 is overdue',
    'changed the invoice A-2',
    'recorded that the invoice A-1 was paid',
    'added Bo as Billing',
  ])
  expect(sentences.slice(4).toSorted()).toEqual([
    'issued the invoice A-1',
    'issued the invoice A-2, which is paid',
    'issued the invoice A-3',
  ])

  const list = await browser.open(`${path}?action=PAY_INVOICE`)
  const page = await browser.open(list.root.querySelector('a.entry')?.getAttribute('href') ?? '')
  expect(rowsOf(page)).toEqual([
    ['Status', 'open', 'paid'],
    ['Amount due', '€123.45', '€0.00'],
  ])
  expect(contentOf(page)).toContain('as the service operator')
  const { id } = await database.prisma.invoice.findFirstOrThrow({ where: { teamId: team.id, number: 'A-1' } })
  const target = page.root.querySelector('main a[href*=invoices]')
  expect([target?.text, target?.getAttribute('href')]).toEqual(['A-1', `/teams/${team.slug}/invoices/${id}`])
})
