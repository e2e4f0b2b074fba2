import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Application } from '../../../prisma/generated/client/enums.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import type { Team } from '../../../prisma/generated/client/client.ts'

const service = useService()
const { database } = service
const query = `query ($team: String!, $since: Date, $until: Date) {
  team(slug: $team) { invoiceTotals(since: $since, until: $until) { month currency subtotal tax total apps { appId subtotal } } }
}`

type Lines = readonly (readonly [app: Application | null, quantity: number, unitAmount: number])[]

async function createInvoiceWithLines(
  team: Parameters<typeof createInvoice>[1],
  invoice: Parameters<typeof createInvoice>[2],
  lines: Lines,
) {
  const subtotal = BigInt(lines.reduce((sum, [, quantity, unitAmount]) => sum + quantity * unitAmount, 0))
  const { id: invoiceId } = await createInvoice(database, team, { subtotal, ...invoice }, [])
  const data = lines.map(([application, quantity, unitAmount], position) => {
    return { invoiceId, position, application, description: 'Line', quantity, unitAmount }
  })
  await database.prisma.invoiceLine.createMany({ data })
}

describe('Team.invoiceTotals', () => {
  let team: Team
  let token: string
  beforeAll(async () => {
    ;({ team, token } = await createOwnedTeam(database))
  })
  const january = { invoiceDate: new Date('2026-01-31'), tax: 190n }
  beforeAll(async () => {
    await createInvoiceWithLines(team, { ...january, application: 'deploy' }, [
      ['deploy', 1, 700],
      [null, 3, 100],
      ['flow', 2, 55],
    ])
    await createInvoiceWithLines(team, { ...january, application: null, status: 'paid', invoiceDate: new Date('2026-01-01') }, [
      ['flow', 1, 5],
      [null, 1, 7],
      ['cert', 1, 0],
    ])
    await createInvoiceWithLines(team, { ...january, status: 'void' }, [['cert', 1, 9000]])
    await createInvoiceWithLines(team, { ...january, currency: 'jpy', status: 'uncollectible', tax: 0n }, [['cert', 1, -20]])
    await createInvoiceWithLines(team, { application: 'backup', invoiceDate: new Date('2026-02-01'), tax: 3n }, [])
    await createInvoiceWithLines(await createOwnedTeam(database).then((other) => other.team), january, [['cert', 1, 77]])
  })

  const eur = {
    month: '2026-01-01',
    currency: 'eur',
    subtotal: 1122,
    tax: 380,
    total: 1502,
    apps: [
      { appId: 'DEPLOY', subtotal: 1000 },
      { appId: 'FLOW', subtotal: 115 },
      { appId: null, subtotal: 7 },
    ],
  }
  const jpy = { month: '2026-01-01', currency: 'jpy', subtotal: -20, tax: 0, total: -20, apps: [{ appId: 'CERT', subtotal: -20 }] }
  const february = { month: '2026-02-01', currency: 'eur', subtotal: 0, tax: 3, total: 3, apps: [] }
  const totals = async (variables: Record<string, unknown>) => {
    const { data, errors } = await graphql(service, token, query, { team: team.slug, ...variables })
    return data?.team.invoiceTotals ?? errors
  }

  test('groups amounts by month and by the application of the line or its invoice, and counts tax once per invoice', async () => {
    expect(await totals({ since: '2026-01-01' })).toEqual([eur, jpy, february])
  })

  test('includes only the requested days, first and last included', async () => {
    expect(await totals({ since: '2026-01-31', until: '2026-01-31' })).toEqual([
      { ...eur, subtotal: 1110, tax: 190, total: 1300, apps: [eur.apps[0], { appId: 'FLOW', subtotal: 110 }] },
      jpy,
    ])
    expect(await totals({ since: '2026-02-02' })).toEqual([])
    expect(await totals({ since: '0001-01-01', until: '9999-12-31' })).toEqual([eur, jpy, february])
  })

  test('covers twelve months by default', async () => {
    const { team, token } = await createOwnedTeam(database)
    const now = service.clock.now()
    const monthsAgo = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months))
    for (const months of [0, 11, 12]) await createInvoice(database, team, { invoiceDate: monthsAgo(months) }, [months])
    const { data } = await graphql(service, token, query, { team: team.slug })
    const day = (months: number) => monthsAgo(months).toISOString().slice(0, 10)
    expect(data.team.invoiceTotals.map(({ month, total }: { month: string; total: number }) => [month, total])).toEqual([
      [day(11), 11],
      [day(0), 0],
    ])
  })

  test('covers the twelve months before an end date that is in the past', async () => {
    const { team, token } = await createOwnedTeam(database)
    const dates = ['2020-03-31', '2020-04-01', '2021-03-10', '2021-03-11']
    for (const date of dates) await createInvoice(database, team, { invoiceDate: new Date(date) }, [1])
    const until = async (date: string) =>
      (await graphql(service, token, query, { team: team.slug, until: date })).data.team.invoiceTotals.map(
        (each: { month: string }) => each.month,
      )
    expect(await until('2021-03-10')).toEqual(['2020-04-01', '2021-03-01'])
    expect(await until('2021-02-28')).toEqual(['2020-03-01', '2020-04-01'])
    for (const date of ['0001-01-01', '0001-12-31', '0002-01-01', '9999-12-31']) expect(await until(date)).toEqual([])
  })

  test('sends one statement', async () => {
    service.statements.length = 0
    await totals({ since: '2026-01-01' })
    expect(service.statements.filter((text) => text.includes('invoice'))).toHaveLength(1)
  })

  test('rejects an end date before the start date', async () => {
    const message = 'The until field must be a date after or equal to 2026-01-02.'
    expect(await totals({ since: '2026-01-02', until: '2026-01-01' })).toEqual([
      expect.objectContaining({
        message,
        path: ['team', 'invoiceTotals'],
        extensions: { code: 'validation_failed', errors: { until: [message] }, request_id: expect.any(String) },
      }),
    ])
  })

  test.each(['2026-02-30', '2026-1-1', '0000-01-01', '2026-01-01T00:00:00Z', '', '\0', 'now', 5, true, {}, ['2026-01-01']])(
    'rejects the date %j',
    async (since) => {
      expect(await totals({ since })).toEqual([
        expect.objectContaining({ extensions: { code: 'bad_user_input', request_id: expect.any(String) } }),
      ])
    },
  )

  test('is rejected as too complex with 50 aliases that read the lines, in one document', async () => {
    const aliases = Array.from({ length: 50 }, (_, index) => `a${index}: invoiceTotals(since: "2000-01-01") { total apps { subtotal } }`)
    const { errors } = await graphql(service, token, `{ team(slug: "${team.slug}") { ${aliases.join(' ')} } }`)
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The query costs \d+; at most 50000 is left for this request. Request fewer fields or rows.$/),
    ])
  })

  test('returns role_required for a member who cannot read invoices', async () => {
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const { data, errors } = await graphql(service, await personalToken(database, member), query, { team: team.slug })
    expect([data, errors[0]?.extensions?.code]).toEqual([{ team: { invoiceTotals: null } }, 'role_required'])
  })
})

test('Team.invoiceTotals returns sums that match the invoices for arbitrary lines', async () => {
  const app = fc.option(fc.constantFrom<Application>('domain', 'cert', 'deploy', 'flow'), { nil: null })
  const line = fc.tuple(app, fc.nat(9), fc.integer({ min: -1_000_000, max: 1_000_000_000 }))
  const invoice = fc.record({
    application: app,
    currency: fc.constantFrom('eur', 'jpy', 'kwd'),
    status: fc.constantFrom('open' as const, 'paid' as const, 'uncollectible' as const, 'void' as const),
    tax: fc.bigInt({ min: 0n, max: 1_000_000n }),
    invoiceDate: fc.date({ min: new Date('2026-01-01'), max: new Date('2026-03-31'), noInvalidDate: true }),
    lines: fc.array(line, { maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(invoice, { maxLength: 6 }), async (invoices) => {
      const { team, token } = await createOwnedTeam(database)
      for (const { lines, ...data } of invoices) await createInvoiceWithLines(team, data, lines)
      const { data } = await graphql(service, token, query, { team: team.slug, since: '2026-01-01', until: '2026-03-31' })
      const months: {
        currency: string
        subtotal: number
        tax: number
        total: number
        apps: { subtotal: number }[]
      }[] = data.team.invoiceTotals
      for (const currency of ['eur', 'jpy', 'kwd']) {
        const issued = invoices.filter((one) => one.currency === currency && one.status !== 'void')
        const net = sum(issued.flatMap(({ lines }) => lines.map(([, quantity, unitAmount]) => quantity * unitAmount)))
        const tax = sum(issued.map((one) => Number(one.tax)))
        const currencyMonths = months.filter((month) => month.currency === currency)
        const apps = sum(currencyMonths.flatMap((month) => month.apps.map(({ subtotal }) => subtotal)))
        const all = (field: 'subtotal' | 'tax' | 'total') => sum(currencyMonths.map((month) => month[field]))
        expect([apps, all('subtotal'), all('tax'), all('total')]).toEqual([net, net, tax, net + tax])
      }
    }),
    { numRuns: 25 },
  )
})

test('Team.invoiceTotals returns sums beyond the range of exact integers', async () => {
  const { team, token } = await createOwnedTeam(database)
  for (let i = 0; i < 3; i++) await createInvoice(database, team, { application: 'flow', subtotal: 9007199254740991n }, [9007199254740991])
  const { data } = await graphql(service, token, query, { team: team.slug, since: '2026-01-01' })
  expect(data.team.invoiceTotals[0].total).toBeCloseTo(3 * 9007199254740991, -2)
  expect(data.team.invoiceTotals[0].apps).toEqual([{ appId: 'FLOW', subtotal: data.team.invoiceTotals[0].total }])
})

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
