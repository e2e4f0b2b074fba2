import { describe, expect, test } from 'vitest'
import { startService } from '../support/service.ts'
import { createUser, join, teamToken } from '../support/team.ts'
import { graphql } from '../support/graphql.ts'
import { heading } from './shown.ts'
import { contentOf, inTeam, rowsOf } from './team-of.ts'

const service = await startService()
const { database } = service
const { prisma } = database

/** A team in which its owner, at these pages, and a program have changed things. */
async function watched() {
  const around = await inTeam(service, 'owner', '/settings')
  const { browser, team, page } = around
  const member = await createUser(database, { name: 'Bo' })
  await join(database, team, member, 'member')
  await browser.press(page, 'Save', { Name: '<Crew>', Timezone: 'UTC' })
  const token = await teamToken(database, team)
  const change = `mutation { updateMember(input: { team: "${team.slug}", userId: "${member.id}", accessibleAppIds: [FLOW, CERT] }) { __typename } }`
  expect((await graphql(service, token, change)).errors).toEqual([])
  await browser.press(await browser.open(`/teams/${team.slug}/members/${member.id}`), 'Remove from the team')
  const path = `/teams/${team.slug}/audit-trail`
  return { ...around, member, path, open: (query: string) => browser.open(path + query) }
}
const when = expect.stringMatching(/^\d+ \w+ \d{4}, \d\d:\d\d UTC$/) as string

describe('the audit trail of a team', () => {
  test('says who did what, to whom, and what changed, newest first', async () => {
    const { team, member, open } = await watched()
    const page = await open('')
    expect(heading(page)).toEqual([200, 'Audit trail'])
    expect(rowsOf(page)).toEqual([
      [when, 'Ada on these pages', 'Member removed', 'Bo', `role: member email: ${member.email} applications: flow, cert`],
      [when, 'test with a team token', 'Member changed', 'Bo', 'applications: all → flow, cert'],
      [when, 'Ada on these pages', 'Settings changed', team.slug, 'name: Acme & Co → <Crew> timezone: none → UTC'],
    ])
  })

  test('is filtered by what was done, by whom and on which days', async () => {
    const { open } = await watched()
    const done = async (query: string) => rowsOf(await open(query)).map((row) => row[2])
    expect(await done('?action=updateTeam&actor=&from=&to=')).toEqual(['Settings changed'])
    expect(await done('?actor=TEST')).toEqual(['Member changed'])
    const today = service.clock.now().toISOString().slice(0, 10)
    expect(await done(`?from=${today}&to=${today}`)).toHaveLength(3)
    expect(await done('?from=2020-01-31&to=2020-01-01')).toEqual([])
    const page = await open('?actor=nobody&action=updateTeam&from=2020-01-01')
    expect(contentOf(page)).toMatch(/Nothing matches what you asked for\.$/)
    expect(['actor', 'from', 'to'].map((name) => page.root.querySelector(`#field-${name}`)?.getAttribute('value'))).toEqual([
      'nobody',
      '2020-01-01',
      '',
    ])
    expect(page.root.querySelector('option[selected]')?.text).toBe('Settings changed')
  })

  test.each([
    '?action=nonsense',
    '?action=constructor',
    '?from=2026-02-30',
    '?to=0000-01-01',
    '?from=x&actor=%00',
    '?page=-1',
    `?action=${'x'.repeat(500)}`,
  ])('counts what an address cannot mean as not asked: %s', async (query) => {
    const { open } = await watched()
    const page = await open(query)
    expect([page.status, rowsOf(page).length]).toEqual([200, 3])
  })

  test('comes fifty a page, with the filter kept from page to page', async () => {
    const { team, browser, open } = await watched()
    const entry = {
      action: 'updateTeam',
      actorKind: 'user',
      actorName: 'Eve',
      via: 'session',
      teamId: team.id,
      subject: 'x',
      requestId: 'x',
    }
    await prisma.auditEntry.createMany({ data: Array.from({ length: 60 }, () => ({ ...entry, at: new Date() })) })
    const page = await open('?actor=Eve')
    expect([rowsOf(page).length, page.root.querySelector('.pages span')?.text]).toEqual([50, 'Page 1 of 2'])
    const next = await browser.open(page.root.querySelector('a[rel=next]')?.getAttribute('href')?.replaceAll('&amp;', '&') ?? '')
    expect([rowsOf(next).length, next.url.search]).toEqual([10, '?actor=Eve&page=2'])
    expect(contentOf(await open('?page=99'))).toContain('The list ends before this page.')
  })

  test('names neither credentials nor what was cut off', async () => {
    const { team, open } = await watched()
    const entries = await prisma.auditEntry.findMany({ where: { teamId: team.id } })
    const hidden = entries.flatMap(({ credentialId, requestId }) => [credentialId ?? '', requestId])
    const page = await open('')
    expect([rowsOf(page).length, hidden.length]).toEqual([3, 6])
    expect(hidden.filter((each) => page.root.toString().includes(each))).toEqual([])
  })
})
