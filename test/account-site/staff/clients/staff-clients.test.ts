import { describe, expect, test } from 'vitest'
import type { OAuthClient, Team } from '../../../../prisma/generated/client/client.ts'
import type { StaffRole } from '../../../../prisma/generated/client/enums.ts'
import { alertOf, contentOf, heading, noticeOf } from '../../../support/account-site/page-content.ts'
import { openAsStaff } from '../../../support/account-site/staff-browser.ts'
import { createTeam, join, unique } from '../../../support/data/team.ts'
import { createClient } from '../../../support/oauth/oauth.ts'
import { useService } from '../../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database

/** Creates a published app of a team, with changes that wait for a review. */
async function createChangedClient(): Promise<{ team: Team; client: OAuthClient }> {
  const team = await createTeam(database)
  const { id } = await createClient(database, { ownerTeamId: team.id, name: unique('Reports'), redirectUris: ['https://app.example/a'] })
  const proposedChanges = { name: unique('New'), redirectUris: ['https://app.example/a', 'https://new.example/b'], publisher: 'Acme Ltd' }
  return { team, client: await prisma.oAuthClient.update({ where: { id }, data: { proposedChanges } }) }
}

const pathOf = ({ clientId }: { clientId: string }) => `/staff/clients/${clientId}`
const actsOn = async (role: StaffRole, client: OAuthClient) => {
  const { page } = await openAsStaff(service, role, pathOf(client))
  return page.root.querySelectorAll('main a.confirm').map((link) => link.childNodes[0]?.text)
}

test('the list shows the apps that wait for a review first, in few statements, and can be filtered', async () => {
  const tag = unique('tag')
  const team = await createTeam(database)
  const create = (name: string, data: object) => createClient(database, { ownerTeamId: team.id, publisher: tag, name, ...data })
  await create('Listed', {})
  await create('Draft', { state: 'draft' })
  await create('Submitted', { state: 'submitted' })
  const { browser } = await openAsStaff(service)
  const namesOn = async (query: string) =>
    (await browser.open(`/staff/clients?search=${tag}${query}`)).root.querySelectorAll('tbody th a').map((link) => link.text)
  service.statements.length = 0
  expect(await namesOn('')).toEqual(['Submitted', 'Listed', 'Draft'])
  expect(service.statements.filter((text) => !text.includes('AS u(id, at)')).length).toBeLessThanOrEqual(8)
  expect(await namesOn('&state=SUBMITTED')).toEqual(['Submitted'])
  expect(await namesOn('&access=DISABLED')).toEqual([])
  expect(await namesOn('&sort=name')).toEqual(['Draft', 'Listed', 'Submitted'])
})

describe('the page of an app', () => {
  test('compares the current values with the requested ones, in few statements', async () => {
    const { team, client } = await createChangedClient()
    const { browser } = await openAsStaff(service)
    service.statements.length = 0
    const page = await browser.open(pathOf(client))
    expect(service.statements.filter((text) => !text.includes('AS u(id, at)')).length).toBeLessThanOrEqual(8)
    expect(heading(page)).toEqual([200, client.name])
    const rows = page.root.querySelectorAll('main table tr').map((row) =>
      row.querySelectorAll('th, td').map((cell) =>
        cell.innerHTML
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    )
    const { name } = Object(client.proposedChanges)
    expect(rows[0]).toEqual(['Field', 'Now', 'Requested'])
    expect(rows.slice(1)).toEqual(
      expect.arrayContaining([
        ['Name', client.name, name],
        ['Publisher', 'None', 'Acme Ltd'],
        ['Redirect URIs', 'https://app.example/a', 'https://app.example/a https://new.example/b Added'],
      ]),
    )
    expect(page.root.querySelectorAll('main a').map((link) => link.getAttribute('href'))).toContain(`/staff/teams/${team.slug}`)
  })

  test('has the acts of the role', async () => {
    const { client } = await createChangedClient()
    expect(await actsOn('reader', client)).toEqual([])
    expect(await actsOn('support', client)).toEqual(['Approve…', 'Reject…'])
    expect(await actsOn('admin', client)).toEqual(['Approve…', 'Reject…', 'Disable…'])
    const operators = await createClient(database)
    expect([await actsOn('support', operators), await actsOn('admin', operators)]).toEqual([[], ['Disable…']])
  })

  test('has no acts for the app of a team of the user, and refuses them', async () => {
    const { team, client } = await createChangedClient()
    const { user, browser } = await openAsStaff(service, 'admin')
    const confirmation = await browser.open(`${pathOf(client)}?confirm=disable`)
    await join(database, team, user, 'member')
    expect(alertOf(await browser.press(confirmation, 'Disable the app', { reason: 'No' }))[0]).toBe(403)
    const page = await browser.open(pathOf(client))
    expect([contentOf(page).includes('belongs to a team of yours'), page.root.querySelectorAll('main a.confirm')]).toEqual([true, []])
  })

  test('refuses to approve what has changed since the page was shown', async () => {
    const { client } = await createChangedClient()
    const { browser, page } = await openAsStaff(service, 'support', pathOf(client))
    const link = page.root.querySelector('main a.confirm')?.getAttribute('href') ?? ''
    const confirmation = await browser.open(`${pathOf(client)}${link}`)
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { proposedChanges: { publisher: 'Other Ltd' } } })
    const refused = await browser.press(confirmation, 'Approve the changes', { reason: 'Looks good' })
    expect(refused.status).toBe(422)
    expect((await prisma.oAuthClient.findUniqueOrThrow({ where: { id: client.id } })).publisher).toBeNull()
  })

  test.each([
    ['Approve the changes', { publisher: 'Acme Ltd', proposedChanges: null, rejectionReason: null }, 'approveClient', 'was approved.'],
    [
      'Reject the changes',
      { publisher: null, proposedChanges: null, rejectionReason: 'Ticket 4711' },
      'rejectClient',
      'why it was rejected.',
    ],
    ['Disable the app', { disabledAt: expect.any(Date) }, 'disableClient', 'was disabled.'],
  ])('"%s" does it and records the reason', async (button, expected, action, notice) => {
    const { team, client } = await createChangedClient()
    const { user, browser, page } = await openAsStaff(service, 'admin', pathOf(client))
    const word = button.split(' ')[0] ?? ''
    const link = page.root.querySelectorAll('main a.confirm').find(({ text }) => text.startsWith(word))
    const confirmation = await browser.open(`${pathOf(client)}${link?.getAttribute('href')}`)
    const done = await browser.press(confirmation, button, { reason: 'Ticket 4711' })
    expect(noticeOf(done)).toEqual([200, expect.stringContaining(notice)])
    expect(await prisma.oAuthClient.findUniqueOrThrow({ where: { id: client.id } })).toMatchObject(expected)
    const entries = await prisma.auditEntry.findMany({ where: { actorUserId: user.id, actorKind: 'staff' } })
    expect(entries).toEqual([
      expect.objectContaining({ action, reason: 'Ticket 4711', teamId: action === 'disableClient' ? expect.anything() : team.id }),
    ])
  })
})
