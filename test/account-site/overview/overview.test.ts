import { describe, expect, test } from 'vitest'
import { contentOf, heading, signedIn } from '../../support/account-site/page-content.ts'
import { names, seedSite } from '../../support/account-site/seed.ts'
import { enter } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createInvoice } from '../../support/data/invoice.ts'
import { createTeam, join, teamToken } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, statements } = service

describe('the start page of a team', () => {
  test('says what an owner of a new team can do next', async () => {
    const { user, browser } = await signedIn(service)
    const team = await createTeam(database, { name: 'Acme' })
    await join(database, team, user, 'owner')
    const page = await browser.open('/')
    expect([page.url.pathname, heading(page)]).toEqual([`/teams/${team.slug}`, [200, 'Acme']])
    for (const text of ['Invite members', 'Create a team token', 'Members 1', 'Outstanding invoices None', 'No activity yet.'])
      expect(contentOf(page)).toContain(text)
  })

  test('shows outstanding invoices, invitations, tokens and activity to an owner, in few statements', async () => {
    const { person, team, tokens } = await seedSite(service, names.plain)
    const browser = new Browser(service.url)
    await enter(browser, person)
    await database.prisma.accessToken.update({
      where: { id: tokens.teamToken.id },
      data: { expiresAt: new Date(service.clock.now().getTime() + 3 * 86_400_000) },
    })
    statements.length = 0
    const page = await browser.open(`/teams/${team.slug}`)
    expect(statements.length).toBeLessThan(14)
    for (const text of ['1 pending invitation', 'Outstanding invoices €', 'expires on ', 'Recent activity', 'Team details changed'])
      expect(contentOf(page)).toContain(text)
    expect(contentOf(page)).not.toContain('Set up your team')
  })

  test('counts all tokens that expire soon and names three, and sums all invoices, whatever their number', async () => {
    const { user, browser } = await signedIn(service)
    const team = await createTeam(database, { name: 'Acme' })
    await join(database, team, user, 'owner')
    const day = 86_400_000
    const now = service.clock.now().getTime()
    for (let index = 1; index <= 120; index++) {
      const dueDate = new Date(now + (index <= 2 ? -day : day))
      await createInvoice(database, team, { dueDate, currency: index === 1 ? 'usd' : 'eur' })
      await teamToken(database, team, { expiresAt: new Date(now + (index <= 5 ? index : 15 + index) * day) })
    }
    const content = contentOf(await browser.open(`/teams/${team.slug}`))
    expect(content).toContain('Outstanding invoices €1,190.00 $10.00 120 invoices Overdue invoices €10.00 $10.00 2 invoices')
    expect(content).toMatch(/Team tokens 120 (test expires on \d+ \w+ \d{4} ){3}2 more expire soon/)
  })

  test('shows a member neither tokens, invoices, activity nor next steps', async () => {
    const { user, browser } = await signedIn(service)
    const team = await createTeam(database, { name: 'Acme' })
    await join(database, team, user, 'member')
    expect(contentOf(await browser.open(`/teams/${team.slug}`))).toBe('Acme Members 1')
  })
})
