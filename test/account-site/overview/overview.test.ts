import { describe, expect, test } from 'vitest'
import { contentOf, enter, heading, signedIn } from '../../support/account-site/page-content.ts'
import { names, seedSite } from '../../support/account-site/seed.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createTeam, createUser, join, teamToken } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, statements } = service
const day = 86_400_000

const inDays = (days: number) => new Date(service.clock.now().getTime() + days * day)

/** A signed-in user with a role in a new team. */
async function memberOf(role: 'owner' | 'member' | 'billing', applications?: ('deploy' | 'cert' | 'flow')[]) {
  const { user, browser } = await signedIn(service)
  const team = await createTeam(database, { name: 'Acme' })
  await join(database, team, user, role, applications)
  return { user, browser, team, path: `/teams/${team.slug}` }
}

/** Where the cards and entries of a page lead, by their titles. */
const linksOf = ({ root }: Awaited<ReturnType<Browser['open']>>) =>
  Object.fromEntries(root.querySelectorAll('main .linked a').map((link) => [link.text.trim(), link.getAttribute('href')]))

describe('the start page of an owner', () => {
  test('lists the steps to set up a new team, and none of it twice', async () => {
    const { browser, path } = await memberOf('owner')
    const page = await browser.open('/')
    expect([page.url.pathname, heading(page)]).toEqual([path, [200, 'Overview']])
    expect(contentOf(page)).toMatch(/^Overview Set up your team 0 of 4 done Hide Invite people .* Members 1$/)
    expect(linksOf(page)).toEqual({
      'Invite people': `${path}/invitations/new`,
      'Turn on two-factor authentication': '/security/two-factor',
      'Choose who gets the invoices': `${path}/invitations/new`,
      'Create a team token': `${path}/tokens/new`,
      Members: `${path}/members`,
    })
  })

  test('marks steps as done, and shows no step when all are done', async () => {
    const { user, browser, team, path } = await memberOf('owner')
    await join(database, team, await createUser(database), 'billing')
    await teamToken(database, team)
    const page = await browser.open(path)
    expect(contentOf(page)).toMatch(
      /3 of 4 done Hide Turn on two-factor authentication .* Done: Invite people · Choose who .* · Create a team token/,
    )
    expect(page.root.querySelectorAll('.steps a').map((link) => link.text)).toEqual(['Turn on two-factor authentication'])
    await database.prisma.user.update({ where: { id: user.id }, data: { totpSecret: new Uint8Array(8) } })
    expect(contentOf(await browser.open(path))).not.toContain('Set up your team')
  })

  test('keeps the steps hidden in this browser, for this team only', async () => {
    const { user, browser, path } = await memberOf('owner')
    const other = await createTeam(database)
    await join(database, other, user, 'owner')
    const hidden = await browser.press(await browser.open(path), 'Hide')
    expect([hidden.url.pathname, contentOf(hidden)]).toEqual([path, 'Overview Members 1'])
    expect(contentOf(await browser.open(`/teams/${other.slug}`))).toContain('Set up your team')
  })

  test('shows members, money, security and activity, each once and as one link, in few statements', async () => {
    const { person, team, tokens } = await seedSite(service, names.plain)
    const browser = new Browser(service.url)
    await enter(browser, person)
    await database.prisma.accessToken.update({ where: { id: tokens.teamToken.id }, data: { expiresAt: inDays(3) } })
    const required = await database.prisma.team.update({ where: { id: team.id }, data: { twoFactorRequiredAt: inDays(9) } })
    statements.length = 0
    const page = await browser.open(`/teams/${team.slug}`)
    expect(statements.length).toBeLessThan(14)
    for (const text of [
      'Members 2 1 pending invitation',
      '0 of 2 members use it, required from ',
      'Team tokens 2 1 expires soon Ada Moreau , ',
    ])
      expect(contentOf(page)).toContain(text)
    expect(contentOf(page)).toMatch(
      /Outstanding invoices €119.00 1 invoice .*Recent activity Ada Moreau renamed the team from before to Ada Moreau just now Audit log/,
    )
    const path = `/teams/${required.slug}`
    expect(linksOf(page)).toMatchObject({
      'Outstanding invoices': `${path}/invoices?status=OPEN&sort=due`,
      'Two-factor': `${path}/two-factor`,
      'Team tokens': `${path}/tokens?sort=expires`,
    })
    const cards = page.root.querySelectorAll('.overview .card')
    expect(cards.map((card) => card.querySelectorAll('a').length)).toEqual([1, 1, 1, 1])
  })

  test('counts all tokens that expire soon, and sums all invoices and those that are overdue, whatever their number', async () => {
    const { browser, team, path } = await memberOf('owner')
    for (let index = 1; index <= 120; index++) {
      // The overdue ones are not among the latest invoices, which the page lists with their status.
      const days = index <= 2 ? { invoiceDate: new Date('2020-01-01'), dueDate: inDays(-1) } : { dueDate: inDays(1) }
      await createInvoice(database, team, { ...days, currency: index === 1 ? 'usd' : 'eur' })
      await teamToken(database, team, { expiresAt: inDays(index <= 5 ? index : 15 + index) })
    }
    const content = contentOf(await browser.open(path))
    expect(content).toContain('Outstanding invoices €1,190.00 $10.00 120 invoices 2 overdue €10.00 · $10.00')
    expect(content).toMatch(/Needs attention Overdue 2 invoices of €10\.00 and \$10\.00 /)
    expect(content.match(/overdue/gi)).toHaveLength(2)
    expect(content).toMatch(/Team tokens 120 5 expire soon first: test , \d+ \w+ \d{4}/)
  })
})

test('no sum is shown twice when all outstanding invoices are overdue', async () => {
  const { browser, team, path } = await memberOf('owner')
  for (const currency of ['eur', 'usd']) await createInvoice(database, team, { dueDate: inDays(-1), currency })
  expect(contentOf(await browser.open(path))).toContain('Outstanding invoices €10.00 $10.00 2 invoices All overdue')
  expect(contentOf(await browser.open(`${path}/invoices`))).toMatch(
    /Outstanding €10\.00 \$10\.00 2 invoices All overdue Paid this year None/,
  )
})

describe('the start page of a member', () => {
  test('has the products that they may use, their role and the owners, and nothing about others', async () => {
    const { browser, team, path } = await memberOf('member', ['deploy', 'cert'])
    for (const [application, url, status] of [
      ['deploy', 'https://deploy.example/', 'active'],
      ['cert', 'https://cert.example/', 'suspended'],
      ['flow', 'https://flow.example/', 'active'],
    ] as const)
      await database.prisma.connectedApp.create({ data: { teamId: team.id, application, name: application, url, status } })
    for (const name of ['Ann', 'Bea', 'Cleo', 'Dora']) await join(database, team, await createUser(database, { name }), 'owner')
    statements.length = 0
    const page = await browser.open(path)
    expect(statements.length).toBeLessThan(7)
    expect(contentOf(page)).toMatch(
      /^Overview Your products Certificates Suspended Deployments Your role You are a member of this team\. .* AN? Ann \S+@\S+ .*Cleo .*All 4 owners$/,
    )
    expect(linksOf(page)).toEqual({ Deployments: 'https://deploy.example/' })
    const contacts = page.root.querySelectorAll('.contacts a').map((link) => link.getAttribute('href'))
    expect(contacts.every((address) => /^mailto:[^@]+%40/.test(address ?? '')) && contacts.length).toBe(3)
  })

  test('links to no product whose address is unset or no web address, and says so without products', async () => {
    const { browser, team, path } = await memberOf('member')
    expect(contentOf(await browser.open(path))).toContain('You have no products in this team yet. Your role')
    for (const [application, url] of [
      ['deploy', null],
      ['cert', 'javascript:alert(1)'],
    ] as const)
      await database.prisma.connectedApp.create({ data: { teamId: team.id, application, name: application, url } })
    const page = await browser.open(path)
    expect([contentOf(page).includes('Deployments'), linksOf(page)]).toEqual([true, {}])
  })
})

describe('the start page of the billing role', () => {
  test('has what is due and the latest invoices, each with its own link', async () => {
    const { browser, team, path } = await memberOf('billing', [])
    await join(database, team, await createUser(database, { name: 'Ann' }), 'owner')
    expect(contentOf(await browser.open(path))).toMatch(
      /^Overview Latest invoices Invoices appear here .* Your role You have the billing role/,
    )
    for (let month = 1; month <= 7; month++)
      await createInvoice(database, team, {
        number: `ACME-${month}`,
        invoiceDate: inDays(30 * (month - 7)),
        dueDate: inDays(30 * (month - 7) + 14),
        status: month < 6 ? 'paid' : 'open',
      })
    const page = await browser.open(path)
    expect(contentOf(page)).toMatch(
      /^Overview Needs attention Overdue 1 invoice of €10\.00 Outstanding invoices €20.00 2 invoices 1 overdue €10.00 Latest invoices ACME-7 Due on /,
    )
    expect(Object.keys(linksOf(page))).toEqual(['1 invoice', 'Outstanding invoices', 'ACME-7', 'ACME-6', 'ACME-5', 'ACME-4', 'ACME-3'])
    expect((await browser.open(linksOf(page)['ACME-6'] ?? '')).status).toBe(200)
    expect(contentOf(page)).not.toMatch(/Members|Your products|Recent activity|Set up/)
  })

  test('lists the latest invoices of one day by number, the highest first', async () => {
    const { browser, team, path } = await memberOf('billing', [])
    const numbers = ['ACME-3', 'ACME-1', 'ACME-4', 'ACME-2']
    for (const number of numbers) await createInvoice(database, team, { number, invoiceDate: inDays(-1), status: 'paid' })
    const shown = Object.keys(linksOf(await browser.open(path))).filter((name) => numbers.includes(name))
    expect(shown).toEqual(['ACME-4', 'ACME-3', 'ACME-2', 'ACME-1'])
  })
})
