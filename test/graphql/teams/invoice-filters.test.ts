import { beforeAll, describe, expect, test } from 'vitest'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const dayAt = (days: number) => new Date(clock.now().getTime() + days * 86_400_000)
const dateAt = (days: number) => dayAt(days).toISOString().slice(0, 10)
const startOfYear = new Date(Date.UTC(clock.now().getUTCFullYear(), 0, 1))
const lastYear = new Date(startOfYear.getTime() - 1)

let owned: OwnedTeam
beforeAll(async () => {
  owned = await createOwnedTeam(database)
  const { team } = owned
  const dates = { late: dayAt(-40), recent: dayAt(-10), due: dayAt(-1), today: dayAt(0) }
  await createInvoice(database, team, { number: 'A-1', invoiceDate: dates.late, dueDate: dates.due, application: 'deploy', tax: 190n })
  await createInvoice(database, team, { number: 'A-2', invoiceDate: dates.recent, dueDate: dates.today, amountPaid: 400n })
  await createInvoice(database, team, { number: 'A-3', invoiceDate: dates.recent, status: 'void', dueDate: dates.due })
  await createInvoice(database, team, { number: 'b_4', invoiceDate: dates.late, status: 'uncollectible', dueDate: dates.due })
  const paid = { status: 'paid', amountPaid: 1000n } as const
  await createInvoice(database, team, { ...paid, number: 'b-5', invoiceDate: lastYear, paidAt: startOfYear, currency: 'jpy' })
  await createInvoice(database, team, { ...paid, number: 'b-6', invoiceDate: lastYear, paidAt: lastYear, currency: 'jpy' })
  await createInvoice(database, team, { ...paid, number: 'b-7', invoiceDate: startOfYear, application: 'deploy' })
  await createInvoice(database, (await createOwnedTeam(database)).team, { number: 'A-9', dueDate: dates.due })
})

const read = (args: string, fields: string) =>
  graphql(service, owned.token, `{ team(slug: "${owned.team.slug}") { invoices(${args}) { ${fields} } } }`)
async function numbersOf(args: string): Promise<string[]> {
  const { data } = await read(args, 'total nodes { number }')
  const { total, nodes } = data.team.invoices
  expect(total).toBe(nodes.length)
  return nodes.map(({ number }: { number: string }) => number)
}

describe('the invoices of a team', () => {
  test.each([
    ['status: OPEN', ['A-1', 'A-2']],
    ['overdue: true', ['A-1']],
    ['overdue: false', ['A-2', 'A-3', 'b-5', 'b-6', 'b-7', 'b_4']],
    ['overdue: true, status: PAID', []],
    ['appId: DEPLOY, status: PAID', ['b-7']],
    ['appId: DEPLOY, orderBy: { field: DATE, direction: DESC }', ['A-1', 'b-7']],
    ['search: "a-"', ['A-1', 'A-2', 'A-3']],
    ['search: "deploym"', ['A-1', 'b-7']],
    ['search: "all products", status: OPEN', ['A-2']],
    ['search: "11.90"', ['A-1']],
    ['search: "€11.9"', ['A-1']],
    ['search: "11", status: OPEN', ['A-1']],
    ['search: "6.00"', ['A-2']],
    ['search: "1,000"', ['b-5', 'b-6']],
    ['search: "10,00 EUR", currency: "eur"', ['A-2', 'A-3', 'b-7', 'b_4']],
    ['search: "-12.00"', []],
    ['search: "_"', ['b_4']],
    ['search: "%"', []],
    [`dueSince: "${dateAt(-1)}", dueUntil: "${dateAt(-1)}", status: OPEN`, ['A-1']],
    [`dueSince: "${dateAt(0)}"`, ['A-2']],
    [`search: "A-", since: "${dateAt(-10)}"`, ['A-2', 'A-3']],
    [`search: "A-", since: "${dateAt(-40)}", until: "${dateAt(-40)}"`, ['A-1']],
  ])('are filtered by %s', async (args, numbers) => {
    expect((await numbersOf(args)).toSorted()).toEqual(numbers)
  })

  test('are sorted by number, by due date with those without one last, by total amount, and by invoice date', async () => {
    expect(await numbersOf('orderBy: { field: NUMBER, direction: ASC }')).toEqual(['A-1', 'A-2', 'A-3', 'b-5', 'b-6', 'b-7', 'b_4'])
    expect(await numbersOf('orderBy: { field: NUMBER, direction: DESC }')).toEqual(['b_4', 'b-7', 'b-6', 'b-5', 'A-3', 'A-2', 'A-1'])
    expect((await numbersOf('orderBy: { field: DUE, direction: DESC }'))[0]).toBe('A-2')
    expect((await numbersOf('orderBy: { field: TOTAL, direction: DESC }'))[0]).toBe('A-1')
    expect((await numbersOf('orderBy: { field: TOTAL, direction: ASC }')).at(-1)).toBe('A-1')
    const byDue = await numbersOf('orderBy: { field: DUE, direction: ASC }')
    expect([byDue.slice(0, 3).toSorted(), byDue[3], byDue.slice(4).toSorted()]).toEqual([
      ['A-1', 'A-3', 'b_4'],
      'A-2',
      ['b-5', 'b-6', 'b-7'],
    ])
    expect(await numbersOf('orderBy: { field: DATE, direction: DESC }')).toEqual(await numbersOf('page: 1'))
  })

  test('are read a page at a time, with the total of all that match', async () => {
    const { data } = await read('orderBy: { field: NUMBER, direction: ASC }, perPage: 3, page: 2', 'total page lastPage nodes { number }')
    expect(data.team.invoices).toEqual({ total: 7, page: 2, lastPage: 3, nodes: [{ number: 'b-5' }, { number: 'b-6' }, { number: 'b-7' }] })
    const beyond = await read('appId: DEPLOY, status: OPEN, page: 9', 'total nodes { number } sums { outstandingCount }')
    expect(beyond.data.team.invoices).toEqual({ total: 1, nodes: [], sums: [{ outstandingCount: 1 }] })
  })

  test('are summed by currency in the database, whatever page and status is read', async () => {
    const fields = 'sums { currency outstanding outstandingCount overdue overdueCount paidThisYear paidThisYearCount }'
    const none = { outstanding: 0, outstandingCount: 0, overdue: 0, overdueCount: 0 }
    const all = [
      { currency: 'eur', outstanding: 1790, outstandingCount: 2, overdue: 1190, overdueCount: 1, paidThisYear: 1000, paidThisYearCount: 1 },
      { ...none, currency: 'jpy', paidThisYear: 1000, paidThisYearCount: 1 },
    ]
    for (const args of [
      'page: 1',
      'perPage: 1',
      'orderBy: { field: NUMBER, direction: DESC }, perPage: 1, page: 3',
      'status: VOID',
      'overdue: true',
    ])
      expect((await read(args, fields)).data.team.invoices.sums, args).toEqual(all)
    const ofApp = [
      {
        ...none,
        currency: 'eur',
        outstanding: 1190,
        outstandingCount: 1,
        overdue: 1190,
        overdueCount: 1,
        paidThisYear: 1000,
        paidThisYearCount: 1,
      },
    ]
    expect((await read('appId: DEPLOY', fields)).data.team.invoices.sums).toEqual(ofApp)
    expect((await read('search: "nothing"', fields)).data.team.invoices.sums).toEqual([])
  })

  test.each([
    ['since: "2026-02-01", until: "2026-01-31"', 'The until field must be a date after or equal to 2026-02-01.'],
    ['dueSince: "2026-02-01", dueUntil: "2026-01-31"', 'The due until field must be a date after or equal to 2026-02-01.'],
    [`search: "${'x'.repeat(101)}"`, 'The search field must not be greater than 100 characters.'],
    ['status: OPEN, perPage: 101', 'The per page field must not be greater than 100.'],
  ])('are not read with the invalid arguments %s', async (args, message) => {
    expect((await read(args, 'total')).errors[0]?.message).toBe(message)
  })
})

test('an invoice becomes overdue on the day after its due date', async () => {
  const { team, token } = await createOwnedTeam(database)
  await createInvoice(database, team, { dueDate: clock.now() })
  const query = `{ team(slug: "${team.slug}") { invoices(overdue: true) { total nodes { isOverdue } sums { overdueCount } } } }`
  expect((await graphql(service, token, query)).data.team.invoices.total).toBe(0)
  clock.advance(86_400_000)
  const { data } = await graphql(service, token, query)
  expect(data.team.invoices).toEqual({ total: 1, nodes: [{ isOverdue: true }], sums: [{ overdueCount: 1 }] })
})
