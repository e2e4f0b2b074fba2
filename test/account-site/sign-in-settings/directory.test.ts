import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { contentOf, heading, tokenValueOn } from '../../support/account-site/page-content.ts'
import { inTeam, rowsOf } from '../../support/account-site/team.ts'
import type { Page } from '../../support/browser/browser.ts'
import { patchOf, scim, verifyDomain } from '../../support/scim/directory.ts'
import { unique } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

/** An owner on the page of the directory, whose domain is verified. */
async function createContext() {
  const opened = await inTeam(service, 'owner', '/sign-in/directory')
  const domain = `${unique('directory')}.example`
  const open = () => opened.browser.open(opened.address)
  return { ...opened, domain, open }
}

const cellsIn = ({ root }: Page, table: string) =>
  root
    .querySelectorAll(`${table} tbody tr`)
    .map((row) => row.querySelectorAll('th, td').map(({ structuredText }) => structuredText.replaceAll(/\s+/g, ' ').trim()))

describe('the token of a directory', () => {
  test('is created, shown once, used, and rotated without JavaScript', async () => {
    const { team, browser, page, open, domain } = await createContext()
    expect(heading(page)).toEqual([200, 'Directory'])
    expect(page.root.querySelector('#directory-url')?.text).toBe(`${service.url}/scim/v2`)
    expect(contentOf(page)).toContain('The team has no verified domain')
    const created = await browser.press(page, 'Create token')
    expect(heading(created)).toEqual([200, 'Copy your token'])
    const token = tokenValueOn(created)
    const [stored] = await prisma.accessToken.findMany({ where: { teamId: team.id } })
    expect(stored).toMatchObject({ name: 'Directory', scopes: ['acct:team:scim'], expiresAt: null, kind: 'team' })
    await verifyDomain(service, team, domain)
    const before = await open()
    expect(contentOf(before)).not.toContain('no verified domain')
    expect(contentOf(before)).toContain('Last request None yet')
    expect(before.root.toString()).not.toContain(token)
    expect((await scim(service, token, 'POST', '/Users', { userName: `ada@${domain}`, displayName: 'Ada' })).status).toBe(201)
    // The use of a token is recorded after the response.
    await expect.poll(async () => contentOf(await open())).not.toContain('None yet')
    const used = await open()
    const rotated = await browser.press(used, 'Rotate token', { overlapSeconds: '0' })
    expect(heading(rotated)).toEqual([200, 'Copy your token'])
    const statuses = [token, tokenValueOn(rotated)].map(async (value) => (await scim(service, value, 'GET', '/Users')).status)
    expect(await Promise.all(statuses)).toEqual([401, 200])
    expect(await prisma.accessToken.count({ where: { teamId: team.id } })).toBe(1)
  })

  test('that expired or was revoked is named, and can be replaced', async () => {
    const { team, browser, page, open } = await createContext()
    await browser.press(page, 'Create token')
    const { id } = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
    await prisma.accessToken.update({ where: { id }, data: { revokedAt: service.clock.now() } })
    expect(contentOf(await open())).toContain('was revoked')
    const expired = new Date(service.clock.now().getTime() - 3 * 86_400_000)
    await prisma.accessToken.update({ where: { id }, data: { revokedAt: null, expiresAt: expired } })
    const page2 = await open()
    expect(contentOf(page2)).toContain('expired 3 days ago')
    expect(heading(await browser.press(page2, 'Create token'))).toEqual([200, 'Copy your token'])
  })

  test('is one of several if others have the permission, and each leads to its page', async () => {
    const { team, browser, page, open } = await createContext()
    await browser.press(page, 'Create token')
    const data = { kind: 'team', teamId: team.id, lastFour: 'abcd', scopes: ['acct:team:scim', 'acct:team:read'] } as const
    const other = await prisma.accessToken.create({
      data: { ...data, scopes: [...data.scopes], name: 'Other', hash: randomBytes(32) },
    })
    const listed = await open()
    expect(listed.root.querySelector(`a[href="/teams/${team.slug}/tokens/${other.id}"]`)?.text).toBe('Other')
    expect(listed.root.querySelector('#rotate')).toBeNull()
    expect(contentOf(listed)).toContain('Open a token to rotate or revoke it.')
  })
})

test('the page of the directory shows the last error, the groups with their roles, and the users', async () => {
  const { team, browser, page, open, domain } = await createContext()
  await verifyDomain(service, team, domain)
  const token = tokenValueOn(await browser.press(page, 'Create token'))
  const empty = contentOf(await open())
  for (const text of ['The directory received no error in the last 30 days.', 'has sent no groups', 'has not sent any users yet'])
    expect(empty).toContain(text)
  const send = async (path: string, body: object) => (await scim(service, token, 'POST', path, body)).body
  const ada = await send('/Users', { userName: `ada@${domain}`, displayName: 'Ada M' })
  await send('/Users', { userName: 'guest@elsewhere.example', displayName: 'Guest' })
  await send('/Users', { userName: `off@${domain}`, active: false })
  await send('/Groups', { displayName: 'Engineering', members: [{ value: ada.id }] })
  await send('/Groups', { displayName: 'Other <b>' })
  await prisma.groupRole.create({ data: { teamId: team.id, group: 'Engineering', role: 'billing', allApplications: true } })
  await send('/Users', { userName: `ada@${domain}` })
  const shown = await open()
  const content = contentOf(shown)
  for (const text of [`The user ada@${domain} exists already.`, 'POST /scim/v2/Users', 'Status 409', 'type uniqueness'])
    expect(content).toContain(text)
  expect(cellsIn(shown, '[aria-labelledby=received-groups]')).toEqual([
    ['Engineering', '1 user', 'Billing'],
    ['Other <b>', '0 users', 'Set a role for Other <b>'],
  ])
  expect(cellsIn(shown, 'table.rows').map((row) => row.slice(0, 4))).toEqual([
    [`Ada M ada@${domain}`, 'Active', 'Member', 'Owners'],
    ['Guest guest@elsewhere.example', 'Invited', '', ''],
    [`off@${domain}`, 'Inactive', '', ''],
  ])
  expect(contentOf(await browser.open(`${shown.url.pathname}?state=INVITED`))).toContain('1 user of the directory found')
  expect(contentOf(await browser.open(`/teams/${team.slug}/sign-in`))).toContain('has sent 3 users')
  const form = await browser.open(shown.root.querySelector('a[href*="groups/new?group=Other"]')?.getAttribute('href') ?? '')
  expect(form.root.querySelector('input[name=group]')?.getAttribute('value')).toBe('Other <b>')
  expect(form.root.querySelectorAll('datalist option').map((option) => option.getAttribute('value'))).toEqual(['Other <b>'])
})

test('the page of groups offers those of the directory that have no role', async () => {
  const { team, browser, page, domain } = await createContext()
  await verifyDomain(service, team, domain)
  const token = tokenValueOn(await browser.press(page, 'Create token'))
  const groups = `/teams/${team.slug}/sign-in/groups`
  expect(contentOf(await browser.open(groups))).not.toContain('Groups of the directory')
  for (const displayName of ['Engineering', 'Finance']) await scim(service, token, 'POST', '/Groups', { displayName })
  const offered = await browser.open(groups)
  expect(rowsOf(offered)).toEqual([
    ['Engineering', '0 users', 'Set a role for Engineering'],
    ['Finance', '0 users', 'Set a role for Finance'],
  ])
  const form = await browser.open(offered.root.querySelector('tbody a')?.getAttribute('href') ?? '')
  const added = await browser.press(form, 'Add group', { role: 'BILLING', access: 'all' })
  expect(rowsOf(added)).toEqual([
    ['Engineering', 'Billing', 'All products'],
    ['Finance', '0 users', 'Set a role for Finance'],
  ])
  expect(contentOf(added)).toContain('groups that the identity provider sends at sign-in have no effect')
})

test('the service accepts and keeps every attribute that the guide for Entra ID lists', async () => {
  const { team, browser, page, domain } = await createContext()
  await verifyDomain(service, team, domain)
  const attributes = cellsIn(page, '[aria-label="Attributes of users in Entra ID"]').map(([target = '']) => target)
  expect(attributes).toContain('emails[type eq "work"].value')
  const token = tokenValueOn(await browser.press(page, 'Create token'))
  const { body } = await scim(service, token, 'POST', '/Users', { userName: `ada@${domain}` })
  for (const path of attributes) {
    const value = path === 'active' ? 'True' : `changed@${domain}`
    const change = patchOf({ op: 'Replace', path, value })
    expect([path, (await scim(service, token, 'PATCH', `/Users/${body.id}`, change)).status]).toEqual([path, 200])
    const filter = new URLSearchParams({ filter: `${path} eq "${value}" and id eq "${body.id}"` })
    expect([path, (await scim(service, token, 'GET', `/Users?${filter}`)).body.totalResults]).toEqual([path, 1])
  }
})

test.each(['member', 'billing'] as const)('the page of the directory is not there for a %s', async (role) => {
  const { page } = await inTeam(service, role, '/sign-in/directory')
  expect(page.status).toBe(403)
  expect(page.root.toString()).not.toContain('/scim/v2')
})

test('the page of the directory of another team is not there for its owner', async () => {
  const { browser } = await createContext()
  const { address } = await createContext()
  expect((await browser.open(address)).status).toBe(403)
})
