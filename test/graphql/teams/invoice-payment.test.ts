import { expect, test } from 'vitest'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam } from '../../support/data/team.ts'

const service = useService()
const { database } = service
const day = (offset: number) => new Date(new Date().setUTCHours(0, 0, 0, 0) + offset * 86_400_000)

test.each([
  ['open', -1, 900, true],
  ['open', 0, 900, false],
  ['open', 1, 900, false],
  ['open', null, 900, false],
  ['paid', -1, 900, false],
  ['uncollectible', -1, 900, false],
  ['void', -1, 0, false],
] as const)(
  'an invoice that is %s and due in %s days has the amount due %d, and overdue is %s',
  async (status, due, amountDue, isOverdue) => {
    const { team, token } = await createOwnedTeam(database)
    const { id } = await createInvoice(database, team, { status, amountPaid: 100n, dueDate: due === null ? null : day(due) })
    const document = `{ team(slug: "${team.slug}") { invoice(id: "${id}") { amountDue isOverdue } invoices { nodes { amountDue isOverdue } } } }`
    const { data } = await graphql(service, token, document)
    expect(data.team).toEqual({ invoice: { amountDue, isOverdue }, invoices: { nodes: [{ amountDue, isOverdue }] } })
    const path = `/api/v1/teams/${team.slug}/invoices`
    const list = await request(service, 'GET', path, { token })
    const single = await request(service, 'GET', `${path}/${id}`, { token })
    expect([list.body.data[0].amount_due, single.body.amount_due]).toEqual([amountDue, amountDue])
    expect(single.body).not.toHaveProperty('is_overdue')
  },
)

test('an invoice becomes overdue when its due date ends in UTC', async () => {
  const { team, token } = await createOwnedTeam(database, { timezone: 'America/Los_Angeles' })
  await createInvoice(database, team, { dueDate: day(0) })
  const overdue = async () =>
    (await graphql(service, token, `{ team(slug: "${team.slug}") { invoices { nodes { isOverdue } } } }`)).data.team.invoices.nodes[0]
      .isOverdue
  expect(await overdue()).toBe(false)
  service.clock.advance(86_400_000)
  expect(await overdue()).toBe(true)
})
