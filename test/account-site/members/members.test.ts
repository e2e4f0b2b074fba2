import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, createUser, join } from '../../support/data/team.ts'
import { alertOf, enter, heading, noticeOf, signedIn } from '../../support/account-site/page-content.ts'
import { contentOf, inTeam, rowsOf, wrongOf } from '../../support/account-site/team.ts'

const service = useService()
const { database } = service
const { prisma } = database

const checked = ({ root }: Page) => root.querySelectorAll('main input[checked]').map((input) => input.getAttribute('value'))
const memberOf = (teamId: string, userId: string) => prisma.member.findUnique({ where: { teamId_userId: { teamId, userId } } })
const lastOwner = [422, 'The team must keep at least one owner.']

describe('the members of a team', () => {
  test('are listed to every member with role, application access and join date', async () => {
    const { browser, team, owner, person, address, page } = await inTeam(service, 'billing', '/members')
    const joinedOn = (userId: string, day: string) =>
      prisma.member.updateMany({ where: { teamId: team.id, userId }, data: { joinedAt: new Date(`${day}T03:04:05Z`) } })
    const third = await createUser(database, { name: '<b>Bo</b>' })
    await join(database, team, third, 'member', ['deploy', 'cert'])
    await joinedOn(third.id, '2026-02-03')
    await joinedOn(person.id, '2026-01-09')
    await joinedOn(owner.id, '2026-01-02')
    const [ada, bo, olga] = [
      [`A Ada (you) ${person.email}`, 'Billing', 'All products', '9 Jan 2026'],
      [`BB <b>Bo</b> ${third.email}`, 'Member', '2 products', '3 Feb 2026'],
      [`O Olga ${owner.email}`, 'Owner', 'All products', '2 Jan 2026'],
    ]
    // By name: `<` comes before letters.
    expect(rowsOf(await browser.open(address))).toEqual([bo, ada, olga])
    expect(rowsOf(await browser.open(`${address}?sort=since`))).toEqual([olga, ada, bo])
    expect(heading(page)).toEqual([200, 'Members'])
  })

  test.each([
    ['Ada', 'Ada'],
    ['שרה', '\u2068שרה\u2069'],
    ['a\u202Eb\u2069', 'ab'],
  ])('have a page each, whose title the name %j cannot reverse', async (name, shown) => {
    const { browser, team, address } = await inTeam(service, 'member', '/members')
    const user = await createUser(database, { name })
    await join(database, team, user, 'member')
    const page = await browser.open(`${address}/${user.id}`)
    expect([page.root.querySelector('title')?.text, page.root.querySelector('h1')?.text]).toEqual([`${shown} · Team accounts`, name])
  })

  test('are listed fifty per page', async () => {
    const { browser, team, address } = await inTeam(service, 'owner', '/members')
    for (let count = 0; count < 50; count++) await join(database, team, await createUser(database), 'member')
    const first = await browser.open(address)
    expect([rowsOf(first).length, first.root.querySelector('.pages')?.text]).toEqual([50, 'Page 1 of 2Next page'])
    const second = await browser.open(first.root.querySelector('a[rel=next]')?.getAttribute('href') ?? '')
    expect([rowsOf(second).length, second.url.search]).toEqual([2, '?page=2'])
    expect(contentOf(await browser.open(`${address}?page=9`))).toContain('There is nothing on this page.')
    expect(rowsOf(await browser.open(`${address}?page=-1&page=x`)).length).toBe(50)
  })
})

describe('a member', () => {
  test('can get another role and other applications from an owner', async () => {
    const { browser, team, address } = await inTeam(service, 'owner', '/members')
    const member = await createUser(database, { name: 'Bo' })
    await join(database, team, member, 'member', ['cert'])
    const page = await browser.open(`${address}/${member.id}`)
    expect([heading(page), checked(page)]).toEqual([
      [200, 'Bo'],
      ['MEMBER', 'chosen', 'CERT'],
    ])
    const saved = await browser.press(page, 'Save', { role: 'BILLING', accessibleAppIds: ['FLOW', 'DEPLOY'] })
    expect([saved.url.pathname, noticeOf(saved)]).toEqual([`${address}/${member.id}`, [200, 'The role and products of Bo were saved.']])
    expect(await memberOf(team.id, member.id)).toMatchObject({ role: 'billing', allApplications: false, applications: ['flow', 'deploy'] })
    await browser.press(page, 'Save', { access: 'all', accessibleAppIds: ['FLOW'] })
    expect(await memberOf(team.id, member.id)).toMatchObject({ role: 'member', allApplications: true, applications: [] })
    const refused = await browser.press(page, 'Save', { accessibleAppIds: [] })
    expect([refused.status, wrongOf(refused, 'accessibleAppIds')]).toEqual([422, 'Choose at least one product.'])
    expect(await memberOf(team.id, member.id)).toMatchObject({ allApplications: true, applications: [] })
    expect(noticeOf(await browser.press(page, 'Save', { role: 'OWNER', access: 'all' }))).toEqual([200, 'Bo is now an owner.'])
  })

  test.each([
    [{ role: 'EMPEROR' }, 'Choose a role.'],
    [{ role: [] }, 'Choose a role.'],
    [{ accessibleAppIds: ['FLOW', 'NONSENSE'] }, 'Choose at least one product.'],
    [{ accessibleAppIds: ['FLOW', 'FLOW'] }, 'Choose at least one product.'],
  ])('is not changed by the invalid form %j', async (fields, message) => {
    const { browser, team, address } = await inTeam(service, 'owner', '/members')
    const member = await createUser(database)
    await join(database, team, member, 'member', ['cert'])
    const page = await browser.open(`${address}/${member.id}`)
    expect(alertOf(await browser.press(page, 'Save', fields))).toEqual([422, message])
    expect(await memberOf(team.id, member.id)).toMatchObject({ role: 'member', allApplications: false, applications: ['cert'] })
  })

  test('can be removed by an owner after a confirmation', async () => {
    const { browser, team, address } = await inTeam(service, 'owner', '/members')
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const page = await browser.open(`${address}/${member.id}`)
    const confirmation = await browser.openConfirmation(page, 'Remove from the team')
    const removed = await browser.press(page, 'Remove from the team')
    expect([removed.url.pathname, noticeOf(removed)]).toEqual([address, [200, 'Ada was removed from the team.']])
    expect(await memberOf(team.id, member.id)).toBeNull()
    expect(heading(await browser.press(confirmation, 'Remove from the team'))).toEqual([404, 'Page not found'])
    expect(heading(await browser.press(page, 'Save'))).toEqual([404, 'Page not found'])
  })

  test('who is the last owner cannot be demoted or removed and cannot leave', async () => {
    const { browser, user: person } = await signedIn(service)
    const team = await createTeam(database)
    await join(database, team, person, 'owner')
    const page = await browser.open(`/teams/${team.slug}/members/${person.id}`)
    expect(alertOf(await browser.press(page, 'Save', { role: 'MEMBER' }))).toEqual(lastOwner)
    expect(alertOf(await browser.press(page, 'Remove from the team'))).toEqual(lastOwner)
    expect(alertOf(await browser.press(await browser.open(`/teams/${team.slug}/members`), 'Leave the team'))).toEqual(lastOwner)
    expect(await memberOf(team.id, person.id)).toMatchObject({ role: 'owner' })
  })

  test('who lost the role owner sees no forms, and a form opened before is refused', async () => {
    const { browser, team, owner, person, address } = await inTeam(service, 'owner', '/members')
    const page = await browser.open(`${address}/${owner.id}`)
    const confirmation = await browser.openConfirmation(page, 'Remove from the team')
    await prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: person.id } }, data: { role: 'member' } })
    for (const [form, button] of [
      [page, 'Save'],
      [confirmation, 'Remove from the team'],
    ] as const)
      expect(heading(await browser.press(form, button))).toEqual([403, 'You don’t have access'])
    const shown = await browser.open(`${address}/${owner.id}`)
    expect([heading(shown), shown.root.querySelectorAll('main form').length]).toEqual([[200, 'Olga'], 0])
    expect(await memberOf(team.id, owner.id)).toMatchObject({ role: 'owner' })
  })

  test('of another team is not found', async () => {
    const { browser, address } = await inTeam(service, 'owner', '/members')
    const other = await inTeam(service, 'owner', '/members')
    for (const id of [other.owner.id, 'nobody', '%00', '%ED%A0%80'])
      expect(heading(await browser.open(`${address}/${id}`)), id).toEqual([404, 'Page not found'])
  })
})

describe('leaving a team', () => {
  test('ends the membership at once', async () => {
    const { browser, team, person, address, page } = await inTeam(service, 'member', '/members')
    const other = await createTeam(database)
    await join(database, other, person, 'member')
    const left = await browser.press(page, 'Leave the team')
    expect([left.url.pathname, noticeOf(left)]).toEqual([`/teams/${other.slug}`, [200, `You left the team “${team.name}”.`]])
    expect(await memberOf(team.id, person.id)).toBeNull()
    expect(heading(await browser.open(address))).toEqual([403, 'You don’t have access'])
  })

  test('by both owners at the same time removes only one of them', async () => {
    const { browser, team, owner, page } = await inTeam(service, 'owner', '/members')
    const { browser: second, page: otherPage } = await signedInAs(owner.email, `/teams/${team.slug}/members`)
    const answers = await Promise.all([browser.press(page, 'Leave the team'), second.press(otherPage, 'Leave the team')])
    expect(answers.filter(({ status }) => status === 422).map(alertOf)).toEqual([lastOwner])
    expect(await prisma.member.count({ where: { teamId: team.id } })).toBe(1)
  })
})

async function signedInAs(email: string, path: string) {
  const browser = new Browser(service.url)
  return { browser, page: await enter(browser, { email }, path) }
}

test('one owner remains when two owners remove each other at the same time', async () => {
  const { browser, team, owner, person } = await inTeam(service, 'owner', '/members')
  const mine = await browser.open(`/teams/${team.slug}/members/${owner.id}`)
  const { browser: second, page: otherPage } = await signedInAs(owner.email, `/teams/${team.slug}/members/${person.id}`)
  await Promise.all([browser.press(mine, 'Remove from the team'), second.press(otherPage, 'Remove from the team')])
  expect(await prisma.member.count({ where: { teamId: team.id, role: 'owner' } })).toBe(1)
})
