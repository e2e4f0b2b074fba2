import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { pageNumbers } from '../../rest-facade/envelope.ts'
import { createInvoice } from '../support/data/invoices/invoice.ts'
import { request } from '../support/http/request.ts'
import { useService } from '../support/service/service.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import type { Team } from '../../prisma/generated/client/client.ts'

const service = useService()
const { database } = service

describe('the page links', () => {
  test.each([
    [1, 13, '1 2 3 4 5 6 7 8 9 10 11 12 13'],
    [1, 14, '1 2 3 4 5 6 7 8 9 10 ... 13 14'],
    [7, 14, '1 2 3 4 5 6 7 8 9 10 ... 13 14'],
    [8, 14, '1 2 ... 5 6 7 8 9 10 11 12 13 14'],
    [8, 20, '1 2 ... 5 6 7 8 9 10 11 ... 19 20'],
    [13, 20, '1 2 ... 10 11 12 13 14 15 16 ... 19 20'],
    [14, 20, '1 2 ... 11 12 13 14 15 16 17 18 19 20'],
    [25, 20, '1 2 ... 11 12 13 14 15 16 17 18 19 20'],
  ])('of page %i of %i are %s', (current, last, labels) => {
    expect(
      pageNumbers(current, last)
        .map((page) => page ?? '...')
        .join(' '),
    ).toBe(labels)
  })
})

describe('a paginated list of 45 invoices', () => {
  let team: Team
  let token: string
  let invoice: { teamId: string; status: 'open'; currency: string; subtotal: bigint }
  let path: string
  let all: any
  beforeAll(async () => {
    ;({ team, token } = await createOwnedTeam(database))
    invoice = { teamId: team.id, status: 'open' as const, currency: 'eur', subtotal: 0n }
    await database.prisma.invoice.createMany({
      data: Array.from({ length: 45 }, (_, index) => ({
        ...invoice,
        number: `N-${index}`,
        invoiceDate: new Date(Date.UTC(2026, 0, 1 + (index % 9))),
      })),
    })
    path = `/api/v1/teams/${team.slug}/invoices`
    all = (await request(service, 'GET', `${path}?per_page=100`, { token })).body.data
  })

  test('returns the requested slice, links and meta for any page and page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom('asc', 'desc'),
        async (page, size, sort) => {
          const { body } = await request(service, 'GET', `${path}?sort=${sort}&per_page=${size}&page=${page}`, { token })
          const sorted = sort === 'desc' ? all : all.toReversed()
          const expected = sorted.slice((page - 1) * size, page * size)
          const last = Math.max(Math.ceil(45 / size), 1)
          const url = (number: number) => `${service.url}${path}?sort=${sort}&per_page=${size}&page=${number}`
          expect(body.data).toEqual(expected)
          expect(body.links).toEqual({
            first: url(1),
            last: url(last),
            prev: page === 1 ? null : url(page - 1),
            next: page >= last ? null : url(page + 1),
          })
          const { links, ...numbers } = body.meta
          const from = expected.length ? (page - 1) * size + 1 : null
          const to = from === null ? null : from + expected.length - 1
          expect(numbers).toEqual({ current_page: page, from, last_page: last, path: service.url + path, per_page: size, to, total: 45 })
          expect(links.filter(({ active }: { active: boolean }) => active).map(({ label }: { label: string }) => label)).toEqual(
            page <= last ? [String(page)] : [],
          )
          expect([links[0].url, links.at(-1).url]).toEqual([body.links.prev, body.links.next])
        },
      ),
      { numRuns: 60 },
    )
  })

  test('uses the canonical path in meta and reads every one of 400 query parameters', async () => {
    const many = Array.from({ length: 400 }, (_, index) => `x${index}=1`).join('&')
    const { body } = await request(service, 'GET', `${path.replace('/v1/teams/t', '/v1/teams/%74')}/?${many}&per_page=10`, { token })
    expect([body.data.length, body.meta.path]).toEqual([10, service.url + path])
  })

  test('returns 200 for an empty list and for a page far beyond the last', async () => {
    const empty = await request(service, 'GET', `${path}?app_id=cert`, { token })
    expect(empty.body.meta).toMatchObject({ from: null, to: null, total: 0, last_page: 1 })
    expect(empty.body.meta.links.map(({ label }: { label: string }) => label)).toEqual(['&laquo; Previous', '1', 'Next &raquo;'])
    const beyond = await request(service, 'GET', `${path}?page=2147483647&per_page=100`, { token })
    expect([beyond.status, beyond.body.data, beyond.body.links.next]).toEqual([200, [], null])
    expect(beyond.body.links.prev).toBe(`${service.url}${path}?per_page=100&page=2147483646`)
  })
})

describe('the SQL statements', () => {
  let team: Team
  let token: string
  beforeAll(async () => {
    ;({ team, token } = await createOwnedTeam(database, { slug: 'acme' }))
    for (const amounts of [[1, 2, 3], [4], [5, 6]]) await createInvoice(database, team, {}, amounts)
  })
  const requestAndCount = async (path: string) => {
    service.statements.length = 0
    const { status } = await request(service, 'GET', path, { token })
    return [status, service.statements.filter((text) => !text.includes('last_used_at = u.at')).length]
  }

  const lists: [path: string, count: number][] = [
    ['', 1],
    ['/acme', 1],
    ['/acme/members?per_page=100', 2],
    ['/acme/invoices?per_page=100', 2],
    ['/acme/invoices?per_page=100&app_id=flow&expand[]=lines', 2],
    ['/acme/invoices?per_page=100&expand[]=lines', 3],
    ['/acme/apps', 2],
    ['/acme/tokens', 2],
  ]

  test.each(lists)('of GET /v1/teams%s are %i in number, authentication included', async (path, count) => {
    expect(await requestAndCount(`/api/v1/teams${path}`)).toEqual([200, count])
  })

  test('of every list request are prepared statements', async () => {
    const sent = new Set<string>()
    for (const [path] of lists) {
      await requestAndCount(`/api/v1/teams${path}`)
      for (const text of service.statements) sent.add(text)
    }
    const { pool } = database
    const sessions = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
    const results = await Promise.all(
      sessions.map((session) => session.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements')),
    )
    for (const session of sessions) session.release()
    const prepared = new Set(results.flatMap(({ rows }) => rows.map(({ statement }) => statement)))
    expect(sent.size).toBeGreaterThan(6)
    expect([...sent].filter((text) => !prepared.has(text))).toEqual([])
  })
})
