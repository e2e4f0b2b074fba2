import { expect, test } from 'vitest'
import type { HTMLElement } from 'node-html-parser'
import type { Browser, Page } from '../../support/browser/browser.ts'
import { alertOf, heading, noticeOf } from '../../support/account-site/page-content.ts'
import { inTeam, rowsOf } from '../../support/account-site/team.ts'
import { invite } from '../../support/data/invitation.ts'
import { createUser, join, personalToken, unique } from '../../support/data/team.ts'
import { requireSignIn } from '../../support/domains/required-sign-in.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

const roles = (teamId: string) => prisma.member.findMany({ where: { teamId }, orderBy: { joinedAt: 'asc' } })
const nameIn = (row: HTMLElement) => row.querySelector('th a')?.text
const shown = (page: Page) => page.root.querySelectorAll('.rows tbody tr').map(nameIn)

/** Presses the button below the names of the selected members, if the page asks. */
const confirm = (browser: Browser, asked: Page, fields = {}) => {
  const button = asked.root.querySelector('.bulk .selected ~ .buttons button')
  return button ? browser.press(asked, button.text, fields) : asked
}

/** Opens the members of a team with the owners Olga and Ada and the members Ben and Cy. */
async function membersPage() {
  const context = await inTeam(service, 'owner', '/members')
  const [ben, cy] = [await createUser(database, { name: 'Ben' }), await createUser(database, { name: 'Cy' })]
  await join(database, context.team, ben, 'member')
  await join(database, context.team, cy, 'billing', ['flow'])
  const page = await context.browser.open(context.address)
  const apply = async (selected: string[], action: string, from: Page = page) => {
    const asked = await context.browser.press(from, 'Continue', { selected, action })
    return confirm(context.browser, asked)
  }
  return { ...context, page, ben, cy, apply }
}

test('several members get another role, or are removed', async () => {
  const { team, ben, cy, apply } = await membersPage()
  expect(noticeOf(await apply([ben.id, cy.id], 'BILLING'))).toEqual([200, 'Ben and Cy now have the role Billing.'])
  expect((await roles(team.id)).map(({ role }) => role)).toEqual(['owner', 'owner', 'billing', 'billing'])
  expect(noticeOf(await apply([ben.id, cy.id], 'REMOVE'))).toEqual([200, 'Ben and Cy were removed from the team.'])
  expect(await roles(team.id)).toHaveLength(2)
})

test('the last owner keeps the role, and the notice names who was changed and who was refused', async () => {
  const { team, owner, person, ben, apply } = await membersPage()
  await prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: owner.id } }, data: { role: 'member' } })
  const changed = await apply([ben.id, person.id], 'BILLING')
  expect(noticeOf(changed)).toEqual([200, 'Ben now has the role Billing. Ada: The team must keep at least one owner.'])
  const alone = await apply([person.id], 'REMOVE', changed)
  expect([alertOf(alone), alone.root.querySelector('#field-selected-wrong')?.text]).toEqual([
    [422, 'Ada: The team must keep at least one owner.'],
    'Ada: The team must keep at least one owner.',
  ])
  // The selection is kept.
  expect(alone.root.querySelectorAll('.rows input[checked]').map((input) => input.getAttribute('value'))).toEqual([person.id])
  expect((await roles(team.id)).filter(({ role }) => role === 'owner')).toHaveLength(1)
})

test('members without two-factor authentication are found and reminded, and those who use it are named', async () => {
  const { browser, team, ben, cy } = await membersPage()
  await prisma.user.update({ where: { id: cy.id }, data: { totpSecret: Buffer.alloc(20) } })
  const requirement = await browser.open(`/teams/${team.slug}/two-factor`)
  const link = requirement.root.querySelectorAll('main a').find(({ text }) => text.trim() === 'View the 3 members without it')
  const without = await browser.open(link?.getAttribute('href') ?? '')
  expect([without.root.querySelector('#rows')?.text, ...shown(without)]).toEqual(['3 members found', 'Ada', 'Ben', 'Olga'])
  const all = await browser.open(`/teams/${team.slug}/members`)
  const asked = await browser.press(all, 'Continue', { selected: [ben.id, cy.id], action: 'REMIND' })
  expect(noticeOf(await confirm(browser, asked))).toEqual([
    200,
    'An email reminds Ben to turn on two-factor authentication. Cy: This member already uses two-factor authentication.',
  ])
  expect(service.mails.filter(({ kind }) => kind === 'two-factor-required')).toMatchObject([{ userId: ben.id }])
})

test('no member is changed if none is selected or if the caller is not an owner', async () => {
  const { team, person, ben, apply } = await membersPage()
  expect(alertOf(await apply([], 'REMOVE'))).toEqual([422, 'Select at least one member.'])
  await prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: person.id } }, data: { role: 'member' } })
  expect(heading(await apply([ben.id], 'REMOVE'))).toEqual([403, 'You don’t have access'])
  expect(await roles(team.id)).toHaveLength(4)
})

test('members and pending invitations are found by name, address, role and status, and sorted', async () => {
  const { browser, team, owner, ben, page, address } = await membersPage()
  const token = await personalToken(database, owner)
  await invite(service, team.slug, token, { email: 'zoe@guest.test', role: 'billing' })
  await prisma.user.update({ where: { id: ben.id }, data: { lastActiveAt: new Date(clock.now().getTime() + 86_400_000) } })
  const open = async (query: string) => shown(await browser.open(`${address}?${query}`))
  expect(page.root.querySelector('#rows')?.text).toBe('4 members')
  const count = async (query: string) => (await browser.open(`${address}?${query}`)).root.querySelector('#rows')?.text
  expect(await count('')).toBe('4 members, 1 invited')
  expect([await count('search=zoe'), await count('state=INVITED'), await count('state=MEMBER'), await count('role=MEMBER')]).toEqual([
    'No members, 1 invited found',
    '1 invited found',
    '4 members found',
    '1 member found',
  ])
  // Those who are invited are in the order of the list.
  await invite(service, team.slug, token, { email: 'bob@guest.test', role: 'member' })
  expect(await open('')).toEqual(['Ada', 'Ben', undefined, 'Cy', 'Olga', undefined])
  expect(await open('sort=name&role=MEMBER')).toEqual(['Ben', undefined])
  expect(await open(`search=${ben.email.slice(0, 12).toUpperCase()}`)).toEqual(['Ben'])
  expect(await open('search=%25')).toEqual([])
  expect((await open('sort=-last_active'))[0]).toBe('Ben')
  expect(await open('state=MEMBER&size=25&sort=-name')).toEqual(['Olga', 'Cy', 'Ben', 'Ada'])
  expect(await open('sort=nonsense&size=7&role=KING&search=%00')).toHaveLength(6)
  const invited = await browser.open(`${address}?state=INVITED`)
  expect(rowsOf(invited).map(([, name]) => name)).toEqual(['BG bob@guest.test', 'ZG zoe@guest.test'])
  const none = await browser.open(`${address}?search=nobody`)
  expect(none.root.querySelector('.empty')?.text).toBe('Change the search or the filters, or show all people.')
})

test('only owners see invitations, activity and two-factor authentication', async () => {
  const { browser, team, owner, address } = await inTeam(service, 'member', '/members')
  const token = await personalToken(database, owner)
  await invite(service, team.slug, token, { email: `${unique('zoe')}@guest.test`, role: 'member' })
  await prisma.user.update({ where: { id: owner.id }, data: { totpSecret: Buffer.alloc(32) } })
  const page = await browser.open(address)
  // If every cell of a column was empty, it would look as if no member had ever been active.
  const headings = (root: HTMLElement) => root.querySelectorAll('.rows thead th, [name=sort] option').map(({ text }) => text)
  expect(headings(page.root).filter((each) => /Two-factor|Last active/.test(each))).toEqual([])
  expect(rowsOf(page).map((cells) => cells.length)).toEqual([4, 4])
  expect([page.root.querySelectorAll('.rows input').length, page.root.querySelectorAll('.row-menu').length]).toEqual([0, 0])
  await prisma.member.updateMany({ where: { teamId: team.id }, data: { role: 'owner' } })
  const seen = await browser.open(address)
  expect(rowsOf(seen).map((cells) => cells.slice(4, 6))).toEqual([
    ['Off', expect.any(String)],
    ['On', 'never'],
    ['', ''],
  ])
})

const namesOf = (root: HTMLElement) => root.querySelectorAll('.selected li').map(({ text }) => text)

test('selected members are listed by name before they are changed, and again after the selection changed', async () => {
  const { browser, team, ben, cy, page } = await membersPage()
  const asked = await browser.press(page, 'Continue', { selected: [ben.id, cy.id], action: 'REMOVE' })
  expect(asked.root.querySelector('title')?.text).toMatch(/^Members/)
  const names = ({ root }: Page) => namesOf(root).toSorted()
  expect([asked.status, names(asked), asked.root.querySelector('.bulk')?.classList.contains('open')]).toEqual([422, ['Ben', 'Cy'], true])
  const again = await confirm(browser, asked, { selected: [ben.id] })
  expect([names(again), (await roles(team.id)).length]).toEqual([['Ben'], 4])
  expect(noticeOf(await confirm(browser, again))).toEqual([200, 'Ben was removed from the team.'])
})

test('all members of a page are selected with one box, without JavaScript', async () => {
  const { browser, team, page } = await membersPage()
  const all = page.root.querySelector('input[name=all]')?.getAttribute('value') ?? ''
  const asked = await browser.press(page, 'Continue', { all, action: 'BILLING' })
  expect(namesOf(asked.root).toSorted()).toEqual(['Ada', 'Ben', 'Cy', 'Olga'])
  expect(asked.root.querySelectorAll('input[name=selected][checked]').length).toBe(4)
  const changed = await confirm(browser, asked)
  expect(noticeOf(changed)[1]).toContain('now have the role Billing')
  expect((await roles(team.id)).filter(({ role }) => role === 'owner')).toHaveLength(1)
})

test('members without the required sign-in are found and reminded, and those who are not concerned are named', async () => {
  const { browser, team, ben, cy } = await membersPage()
  const members = `/teams/${team.slug}/members`
  expect((await browser.open(`${members}?signIn=MISSING`)).root.querySelector('#rows')?.text).toBe('4 members found')
  const { address } = await requireSignIn(service, team)
  await prisma.user.update({ where: { id: ben.id }, data: { email: address() } })
  const missing = await browser.open(`${members}?signIn=MISSING`)
  expect([missing.root.querySelector('#rows')?.text, ...shown(missing)]).toEqual(['1 member found', 'Ben'])
  const asked = await browser.press(await browser.open(members), 'Continue', { selected: [ben.id, cy.id], action: 'REMIND_SIGN_IN' })
  expect(noticeOf(await confirm(browser, asked))).toEqual([
    200,
    'An email reminds Ben to sign in through the identity provider. Cy: The requirement does not apply to this member.',
  ])
  expect(service.mails.filter(({ kind }) => kind === 'sign-in-required')).toMatchObject([{ userId: ben.id }])
})
