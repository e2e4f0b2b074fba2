import { beforeAll, describe, expect, test } from 'vitest'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import type { Team } from '../../../prisma/generated/client/client.ts'
import type { StoredInvoice } from '../../support/data/invoices/invoice.ts'

const service = useService()
const { database } = service
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe('a partially paid invoice with two lines', () => {
  let team: Team
  let token: string
  let stored: StoredInvoice
  let invoice: object
  beforeAll(async () => {
    ;({ team, token } = await createOwnedTeam(database))
    stored = await createInvoice(
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
    invoice = {
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
  })
  const line = { id: uuid, app_id: null, quantity: 1, currency: 'usd', period_start: null, period_end: null }
  const lines = [
    { ...line, description: 'Line 0', unit_amount: 700, amount: 700 },
    { ...line, description: 'Line 1', unit_amount: 300, amount: 300 },
  ]
  let path: string
  beforeAll(async () => {
    path = `/api/v1/teams/${team.slug}/invoices`
  })

  test('is returned with every field, and with lines only if expanded', async () => {
    const single = await request(service, 'GET', `${path}/${stored.id}`, { token })
    expect([single.status, single.body]).toEqual([200, invoice])
    const expanded = await request(service, 'GET', `${path}/${stored.id}?expand[]=lines`, { token })
    expect([expanded.status, expanded.body]).toEqual([200, { ...invoice, lines }])
  })

  test.each(['expand[]=lines', 'expand[0]=lines', 'expand%5B%5D=lines&expand[]=lines'])(
    'is listed with lines for the query ?%s',
    async (query) => {
      const { status, body } = await request(service, 'GET', `${path}?${query}`, { token })
      expect([status, body.data]).toEqual([200, [{ ...invoice, lines }]])
    },
  )

  test('is listed without lines by default', async () => {
    const { body } = await request(service, 'GET', path, { token })
    expect(body.data).toEqual([invoice])
  })

  test('is not found by an unknown ID, a malformed ID or the ID of another team’s invoice', async () => {
    const other = await createOwnedTeam(database)
    const foreign = await createInvoice(database, other.team)
    for (const id of [foreign.id, '00000000-0000-4000-8000-000000000000', 'x', '%00', '1']) {
      const { status, body } = await request(service, 'GET', `${path}/${id}`, { token })
      expect([status, body]).toEqual([404, { message: 'Not Found.', code: 'not_found', request_id: uuid }])
    }
  })
})

describe('GET /v1/teams/{teamSlug}/invoices', () => {
  let team: Team
  let token: string
  beforeAll(async () => {
    ;({ team, token } = await createOwnedTeam(database))
  })
  const days = ['2026-01-10', '2026-01-20', '2026-01-20', '2026-01-30']
  let path: string
  beforeAll(async () => {
    for (const [index, day] of days.entries())
      await createInvoice(database, team, { invoiceDate: new Date(day), application: index % 2 ? 'flow' : null })
    path = `/api/v1/teams/${team.slug}/invoices`
  })
  const datesAndIds = async (query: string) => {
    const { body } = await request(service, 'GET', `${path}?${query}`, { token })
    return body.data.map(({ invoice_date, id }: { invoice_date: string; id: string }) => [invoice_date, id])
  }

  test('sorts by date, newest first by default, and by ID in the same direction', async () => {
    const newest = await datesAndIds('')
    expect(newest.map(([day]: [string]) => day)).toEqual(days.toReversed())
    expect(newest).toEqual(newest.toSorted().reverse())
    expect(await datesAndIds('sort=asc')).toEqual(newest.toReversed())
    expect(await datesAndIds('sort=desc')).toEqual(newest)
  })

  test('filters by application and keeps the filter in the links', async () => {
    const { body } = await request(service, 'GET', `${path}?app_id=flow&per_page=1&expand[]=lines&unknown=1`, { token })
    expect(body.data).toHaveLength(1)
    expect(body.meta.total).toBe(2)
    expect(body.links.next).toBe(`${service.url}${path}?app_id=flow&per_page=1&expand%5B0%5D=lines&page=2`)
  })

  test.each([
    ['app_id=unknown', { app_id: ['The selected app id is invalid.'] }],
    ['sort=up', { sort: ['The selected sort is invalid.'] }],
    ['expand=lines', { expand: ['The expand field must be an array.'] }],
    ['expand[]=unknown', { 'expand.0': ['The selected expand.0 is invalid.'] }],
    ['sort=asc&sort=desc', { sort: ['The selected sort is invalid.'] }],
    ['per_page=0', { per_page: ['The per page field must be at least 1.'] }],
    ['per_page=101', { per_page: ['The per page field must not be greater than 100.'] }],
    ['page=99999999999999999999', { page: ['The page field must not be greater than 2147483647.'] }],
    ['page=2147483648', { page: ['The page field must not be greater than 2147483647.'] }],
    ...['', '-1', '+1', '1.5', ' 1', '0x1', '1e3', 'one'].map((page): [string, Record<string, string[]>] => [
      `page=${encodeURIComponent(page)}`,
      { page: ['The page field must be an integer.'] },
    ]),
    ['page=1&page=2', { page: ['The page field must be an integer.'] }],
  ])('returns 422 for the query ?%s', async (query, errors) => {
    const { status, body } = await request(service, 'GET', `${path}?${query}`, { token })
    const [message] = Object.values<string[]>(errors).flat()
    expect([status, body]).toEqual([422, { message, errors, code: 'validation_failed', request_id: uuid }])
  })

  test('counts further validation errors in the message', async () => {
    const two = await request(service, 'GET', `${path}?page=0&per_page=0`, { token })
    expect(two.body.message).toBe('The page field must be at least 1. (and 1 more error)')
    const three = await request(service, 'GET', `${path}?page=0&per_page=0&sort=x`, { token })
    expect(three.body.message).toBe('The page field must be at least 1. (and 2 more errors)')
  })

  test('returns 403 role_required for the role member and 200 for the role billing', async () => {
    for (const [role, status] of [
      ['member', 403],
      ['billing', 200],
    ] as const) {
      const user = await createUser(database)
      await join(database, team, user, role)
      const response = await request(service, 'GET', path, { token: await personalToken(database, user) })
      expect(response.status).toBe(status)
      if (status === 403)
        expect(response.body).toEqual({ message: 'This action is unauthorized.', code: 'role_required', request_id: uuid })
    }
  })
})
