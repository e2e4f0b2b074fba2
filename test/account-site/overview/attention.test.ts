import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { contentOf, signedIn } from '../../support/account-site/page-content.ts'
import type { Page } from '../../support/browser/browser.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createTeam, join, teamToken } from '../../support/data/team.ts'
import { insertDelivery } from '../../support/webhooks/delivery-row.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

const inDays = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000)

/** The texts of what needs attention, with the addresses of their links. */
const listItems = (root: Page['root']) =>
  root
    .querySelectorAll('[aria-labelledby=attention] li')
    .map((item) => [item.text.replaceAll(/\s+/g, ' ').trim(), item.querySelector('a')?.getAttribute('href')])

/** A signed-in owner of a new team. */
async function openOwnedTeam() {
  const { user, browser } = await signedIn(service)
  const team = await createTeam(database)
  await join(database, team, user, 'owner')
  return { browser, team, path: `/teams/${team.slug}` }
}

test('the start page of an owner lists what needs attention, with links to the pages that correct it', async () => {
  const { browser, team, path } = await openOwnedTeam()
  expect(contentOf(await browser.open(path))).not.toContain('Needs attention')
  await database.prisma.team.update({ where: { id: team.id }, data: { twoFactorRequiredAt: inDays(9) } })
  const email = 'grace@example.com'
  const link = { tokenHash: randomBytes(32), nonce: randomBytes(16), sentAt: service.clock.now(), expiresAt: inDays(7) }
  await database.prisma.invitation.create({ data: { teamId: team.id, email, role: 'member', ...link } })
  await teamToken(database, team, { name: 'Nightly', expiresAt: inDays(3) })
  const webhooks = []
  for (const [description, data] of [
    ['Ledger', { failingSince: service.clock.now() }],
    ['Archive', { disabledAt: service.clock.now(), disabledReason: 'gone' }],
    ['Paused', { disabledAt: service.clock.now(), disabledReason: 'request' }],
    ['Healthy', {}],
  ] as const) {
    const { webhookId: id } = await insertDelivery(database.pool, team.id, service.clock.now())
    await database.prisma.webhook.update({ where: { id }, data: { description, ...data } })
    webhooks.push(`${path}/webhooks/${id}`)
  }
  const { root } = await browser.open(path)
  const items = listItems(root)
  expect(items).toHaveLength(5)
  expect(items).toEqual(
    expect.arrayContaining([
      ['Failing Webhook Ledger', webhooks[0]],
      ['Disabled Webhook Archive after failed deliveries', webhooks[1]],
      [expect.stringMatching(/^Expires soon Token Nightly on \d+ \w+ \d{4}$/), `${path}/tokens?sort=expires`],
      ['Required 1 member without the required two-factor authentication', `${path}/members?twoFactor=OFF`],
      ['Pending 1 invitation not accepted yet', `${path}/invitations`],
    ]),
  )
  for (const [, address] of items) expect((await browser.open(address ?? '')).status).toBe(200)
})

test.each(['owner', 'billing'] as const)('overdue invoices come first in what needs attention (%s)', async (role) => {
  const { user, browser } = await signedIn(service)
  const team = await createTeam(database)
  await join(database, team, user, role)
  const path = `/teams/${team.slug}`
  await teamToken(database, team, { name: 'Nightly', expiresAt: inDays(3) })
  const open = { status: 'open', currency: 'eur', subtotal: 10_000n, tax: 1900n } as const
  await createInvoice(database, team, { ...open, number: 'ACME-1', dueDate: inDays(-2) })
  await createInvoice(database, team, { ...open, number: 'ACME-2', dueDate: inDays(2) })
  const { root } = await browser.open(path)
  const [first, ...others] = listItems(root)
  expect(first).toEqual(['Overdue 1 invoice of €119.00', `${path}/invoices?status=OPEN&sort=due`])
  expect(others).toHaveLength(role === 'owner' ? 1 : 0)
})

test('the start page of an owner shows the products that the team uses and the latest invoices', async () => {
  const { browser, team, path } = await openOwnedTeam()
  await database.prisma.connectedApp.create({
    data: { teamId: team.id, application: 'deploy', name: 'Deploy', url: 'https://deploy.example/' },
  })
  const invoice = await createInvoice(database, team, { number: 'ACME-1' })
  const { root } = await browser.open(path)
  const links = root.querySelectorAll('main .linked a').map((link) => [link.text.trim(), link.getAttribute('href')])
  expect(Object.fromEntries(links)).toMatchObject({
    Deployments: 'https://deploy.example/',
    'ACME-1': `${path}/invoices/${invoice.id}`,
  })
})
