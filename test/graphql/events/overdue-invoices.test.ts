import { expect, test } from 'vitest'
import type { Invoice, Team } from '../../../prisma/generated/client/client.ts'
import { announceInvoices } from '../../../schema/invoices/announcements.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { settled } from '../../support/data/settled.ts'
import { createOwnedTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const day = 86_400_000

/** Does what the service does every minute, in two processes at once. */
const record = async () => {
  const run = () => announceInvoices({ database, now: clock.now, sendMail: async () => {} })
  while ((await Promise.all([run(), run()])).some((count) => count > 0));
}

async function eventsOf(team: Team, token: string) {
  await settled(database.pool)
  const { body } = await request(service, 'GET', `/api/v1/teams/${team.slug}/events`, { token })
  return body.data
}

test('an invoice becomes overdue once, on the day after its due date, as an event by the system', async () => {
  const { team, token } = await createOwnedTeam(database)
  const dueDate = clock.now()
  const { id } = await createInvoice(database, team, { number: 'A-1', dueDate, tax: 190n, amountPaid: 90n }, [1000])
  await record()
  expect(await eventsOf(team, token)).toEqual([])
  clock.advance(day)
  for (let run = 0; run < 2; run++) await record()
  const { body: invoice } = await request(service, 'GET', `/api/v1/teams/${team.slug}/invoices/${id}`, { token })
  const { number, status, currency, total, amount_due, due_date } = invoice
  expect([total, amount_due]).toEqual([1190, 1100])
  expect(await eventsOf(team, token)).toEqual([
    expect.objectContaining({
      type: 'invoice.overdue',
      actor: { kind: 'system', id: null, name: 'system' },
      data: { invoice_id: id, number, status, currency, total, amount_due, due_date },
    }),
  ])
})

test('is read by owners and billing members only', async () => {
  const { team, token } = await createOwnedTeam(database)
  await createInvoice(database, team, { dueDate: clock.now() })
  clock.advance(day)
  await record()
  expect(await eventsOf(team, token)).toHaveLength(1)
  for (const [role, count] of [
    ['billing', 1],
    ['member', 0],
  ] as const) {
    const user = await createUser(database)
    await join(database, team, user, role)
    const own = await personalToken(database, user)
    expect(await eventsOf(team, own)).toHaveLength(count)
    const named = await request(service, 'GET', `/api/v1/teams/${team.slug}/events?types[]=invoice.overdue`, { token: own })
    expect(named.status).toBe(count === 1 ? 200 : 403)
  }
})

test.each<[what: string, data: (today: Date) => Partial<Invoice>]>([
  ['that was overdue when it was recorded', (today) => ({ dueDate: new Date(today.getTime() - day) })],
  ['whose email was sent before events were recorded', (today) => ({ dueDate: today, overdueNotifiedAt: today })],
  ['without a due date', () => ({})],
  ['that is paid', (dueDate) => ({ dueDate, status: 'paid' })],
  ['that is uncollectible', (dueDate) => ({ dueDate, status: 'uncollectible' })],
  ['that is void', (dueDate) => ({ dueDate, status: 'void' })],
])('an invoice %s does not become overdue', async (_, data) => {
  const { team, token } = await createOwnedTeam(database)
  await createInvoice(database, team, { ...data(clock.now()), recordedAt: clock.now() })
  clock.advance(day)
  await record()
  expect(await eventsOf(team, token)).toEqual([])
})
