import { describe, expect, test } from 'vitest'
import { createInvoice } from '../support/invoice.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createUser, join, personalToken } from '../support/team.ts'

const service = await startService()
const { database } = service
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe('an invoice with two lines, paid in part', async () => {
  const { team, token } = await createOwnedTeam(database)
  const stored = await createInvoice(
    database,
    team,
    {
      number: 'ACME-0042',
      application: 'deploy',
      status: 'paid',
      currency: 'usd',
      tax: 190n,
      amountPaid: 1000n,
      dueDate: new Date('2026-02-28'),
      paidAt: new Date('2026-02-01T09:30:00.5Z'),
      periodStart: new Date('2026-01-01'),
      periodEnd: new Date('2026-01-31'),
    },
    [700, 300],
  )
  const invoice = {
    id: stored.id,
    number: 'ACME-0042',
    app_id: 'deploy',
    status: 'paid',
    currency: 'usd',
    subtotal: 1000,
    tax: 190,
    total: 1190,
    amount_due: 190,
    amount_paid: 1000,
    invoice_date: '2026-01-31',
    due_date: '2026-02-28',
    paid_at: '2026-02-01T09:30:00.500Z',
    period_start: '2026-01-01',
    period_end: '2026-01-31',
  }
  const line = { id: uuid, app_id: null, quantity: 1, currency: 'usd', period_start: null, period_end: null }
  const lines = [
    { ...line, description: 'Line 0', unit_amount: 700, amount: 700 },
    { ...line, description: 'Line 1', unit_amount: 300, amount: 300 },
  ]
  const path = `/api/v1/teams/${team.slug}/invoices`

  test('is shown whole, without lines unless expanded', async () => {
    const shown = await request(service, 'GET', `${path}/${stored.id}`, { token })
    expect([shown.status, shown.body]).toEqual([200, invoice])
    const expanded = await request(service, 'GET', `${path}/${stored.id}?expand[]=lines`, { token })
    expect([expanded.status, expanded.body]).toEqual([200, { ...invoice, lines }])
  })

  test.each(['expand[]=lines', 'expand[0]=lines', 'expand%5B%5D=lines&expand[]=lines'])('is listed with lines for ?%s', async (query) => {
    const { status, body } = await request(service, 'GET', `${path}?${query}`, { token })
    expect([status, body.data]).toEqual([200, [{ ...invoice, lines }]])
  })

  test('is listed without the member lines unless asked', async () => {
    const { body } = await request(service, 'GET', path, { token })
    expect(body.data).toEqual([invoice])
  })

  test('another id, another team’s and one of no form are 404', async () => {
    const other = await createOwnedTeam(database)
    const foreign = await createInvoice(database, other.team)
    for (const id of [foreign.id, '00000000-0000-4000-8000-000000000000', 'x', '%00', '1']) {
      const { status, body } = await request(service, 'GET', `${path}/${id}`, { token })
      expect([status, body]).toEqual([404, { message: 'Not Found.', code: 'not_found', request_id: uuid }])
    }
  })
})

describe('a list of invoices', async () => {
  const { team, token } = await createOwnedTeam(database)
  const days = ['2026-01-10', '2026-01-20', '2026-01-20', '2026-01-30']
  for (const [index, day] of days.entries())
    await createInvoice(database, team, { invoiceDate: new Date(day), application: index % 2 ? 'flow' : null })
  const path = `/api/v1/teams/${team.slug}/invoices`
  const datesAndIds = async (query: string) => {
    const { body } = await request(service, 'GET', `${path}?${query}`, { token })
    return body.data.map(({ invoice_date, id }: { invoice_date: string; id: string }) => [invoice_date, id])
  }

  test('is newest first unless asked otherwise, ties by id in the same direction', async () => {
    const newest = await datesAndIds('')
    expect(newest.map(([day]: [string]) => day)).toEqual(days.toReversed())
    expect(newest).toEqual(newest.toSorted().reverse())
    expect(await datesAndIds('sort=asc')).toEqual(newest.toReversed())
    expect(await datesAndIds('sort=desc')).toEqual(newest)
  })

  test('is filtered by application, and the links keep the filter', async () => {
    const { body } = await request(service, 'GET', `${path}?app_id=flow&per_page=1&expand[]=lines&unknown=1`, { token })
    expect(body.data).toHaveLength(1)
    expect(body.meta.total).toBe(2)
    expect(body.links.next).toBe(`${service.url}${path}?app_id=flow&per_page=1&expand%5B0%5D=lines&page=2`)
  })

  test.each([
    ['app_id=nope', { app_id: ['The selected app id is invalid.'] }],
    ['sort=up', { sort: ['The selected sort is invalid.'] }],
    ['expand=lines', { expand: ['The expand field must be an array.'] }],
    ['expand[]=nope', { 'expand.0': ['The selected expand.0 is invalid.'] }],
    ['sort=asc&sort=desc', { sort: ['The selected sort is invalid.'] }],
    ['per_page=0', { per_page: ['The per page field must be at least 1.'] }],
    ['per_page=101', { per_page: ['The per page field must not be greater than 100.'] }],
    ['page=99999999999999999999', { page: ['The page field must not be greater than 2147483647.'] }],
    ['page=2147483648', { page: ['The page field must not be greater than 2147483647.'] }],
    ...['', '-1', '+1', '1.5', ' 1', '0x1', '1e3', 'one'].map((page): [string, object] => [
      `page=${encodeURIComponent(page)}`,
      { page: ['The page field must be an integer.'] },
    ]),
    ['page=1&page=2', { page: ['The page field must be an integer.'] }],
  ])('?%s is 422', async (query, errors) => {
    const { status, body } = await request(service, 'GET', `${path}?${query}`, { token })
    const [message] = Object.values(errors as Record<string, string[]>).flat()
    expect([status, body]).toEqual([422, { message, errors, code: 'validation_failed', request_id: uuid }])
  })

  test('two and three faults are counted in the message', async () => {
    const two = await request(service, 'GET', `${path}?page=0&per_page=0`, { token })
    expect(two.body.message).toBe('The page field must be at least 1. (and 1 more error)')
    const three = await request(service, 'GET', `${path}?page=0&per_page=0&sort=x`, { token })
    expect(three.body.message).toBe('The page field must be at least 1. (and 2 more errors)')
  })

  test('a member without a role for invoices is refused, a billing member is not', async () => {
    for (const [role, status] of [
      ['member', 403],
      ['billing', 200],
    ] as const) {
      const user = await createUser(database)
      await join(database, team, user, role)
      const answer = await request(service, 'GET', path, { token: await personalToken(database, user) })
      expect(answer.status).toBe(status)
      if (status === 403) expect(answer.body).toEqual({ message: 'This action is unauthorized.', code: 'role_required', request_id: uuid })
    }
  })
})
