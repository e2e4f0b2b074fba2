import { describe, expect, test } from 'vitest'
import { heading } from '../../support/account-site/page-content.ts'
import { inTeam } from '../../support/account-site/team.ts'
import type { Page } from '../../support/browser/browser.ts'
import { browserOf } from '../../support/browser/site-page.ts'
import { invite } from '../../support/data/invitation.ts'
import { createTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service

const rowsOf = ({ root }: Page) => root.toString().split('\r\n').slice(0, -1)

describe('the export of the members of a team', () => {
  test('is a CSV file for owners with activity and invitations, in which no cell is a formula', async () => {
    const { browser, team, owner, person, page } = await inTeam(service, 'owner', '/members')
    const formula = await createUser(database, { name: '=1+1' })
    await join(database, team, formula, 'member', ['deploy', 'flow'], new Date('2026-01-02T03:04:05Z'))
    await database.prisma.user.update({ where: { id: formula.id }, data: { lastActiveAt: '2026-02-03T00:00:00Z' } })
    await invite(service, team.slug, await personalToken(database, owner), { email: 'zoe@guest.test', role: 'billing' })
    const link = page.root.querySelectorAll('main a').find(({ text }) => text === 'Export as CSV')
    const file = await browser.open(link?.getAttribute('href') ?? '')
    expect([file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8; header=present',
      `attachment; filename=${team.slug}-members-${clock.now().toISOString().slice(0, 10)}.csv`,
    ])
    const instant = '[\\d-]+T[\\d:.]+Z'
    expect(rowsOf(file)).toEqual([
      'Name,Email address,Status,Role,Products,Two-factor,Last active,Joined,Invited',
      `'=1+1,${formula.email},Member,Member,"Deployments, Traffic rules",Off,2026-02-03T00:00:00.000Z,2026-01-02T03:04:05.000Z,`,
      expect.stringMatching(new RegExp(`^Ada,${person.email},Member,Owner,All products,Off,(${instant})?,${instant},$`)),
      expect.stringMatching(new RegExp(`^Olga,${owner.email},Member,Owner,All products,Off,(${instant})?,${instant},$`)),
      expect.stringMatching(new RegExp(`^,zoe@guest.test,Invited,Billing,All products,,,,${instant}$`)),
    ])
  })

  test('has the people who match the filters of the page, on all its pages, in its order', async () => {
    const { browser, team, address } = await inTeam(service, 'owner', '/members')
    for (let index = 10; index < 40; index++) await join(database, team, await createUser(database, { name: `Bo ${index}` }), 'member')
    const names = rowsOf(await browser.open(`${address}.csv?search=bo&sort=-name&size=10&page=2`)).map((row) => row.split(',')[0])
    expect(names).toEqual(['Name', ...Array.from({ length: 30 }, (_, index) => `Bo ${39 - index}`)])
  })

  test.each(['member', 'billing'] as const)('has no columns that the role %s may not know, and no invitations', async (role) => {
    const { browser, team, owner, address } = await inTeam(service, role, '/members')
    await invite(service, team.slug, await personalToken(database, owner), { email: 'zoe@guest.test', role: 'billing' })
    const [head, ...rows] = rowsOf(await browser.open(`${address}.csv?state=INVITED`))
    expect([head, rows]).toEqual(['Name,Email address,Role,Products,Joined', []])
    expect(rowsOf(await browser.open(`${address}.csv`))).toHaveLength(3)
  })

  test('is refused to users who are not in the team', async () => {
    const team = await createTeam(database)
    const browser = await browserOf(service, team, null)
    expect(heading(await browser.open(`/teams/${team.slug}/members.csv`))).toEqual([403, 'You don’t have access'])
  })
})
