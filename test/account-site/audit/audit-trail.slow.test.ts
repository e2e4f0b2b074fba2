import { describe, expect, test } from 'vitest'
import { useService } from '../../support/service/service.ts'
import { createUser, join, teamToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { heading } from '../../support/account-site/page-content.ts'
import { contentOf, inTeam, rowsOf } from '../../support/account-site/team.ts'

const service = useService()
const { database } = service
const { prisma } = database

/** Creates a team with changes by its owner on the website and by a client with a token. */
async function teamWithChanges() {
  const context = await inTeam(service, 'owner', '/settings')
  const { browser, team, page } = context
  const member = await createUser(database, { name: 'Bo' })
  await join(database, team, member, 'member')
  await browser.press(page, 'Save', { Name: '<Crew>', 'Time zone': 'UTC' })
  const token = await teamToken(database, team)
  const change = `mutation { updateMember(input: { team: "${team.slug}", userId: "${member.id}", accessibleAppIds: [FLOW, CERT] }) { __typename } }`
  expect((await graphql(service, token, change)).errors).toEqual([])
  await browser.press(await browser.open(`/teams/${team.slug}/members/${member.id}`), 'Remove from the team')
  const path = `/teams/${team.slug}/audit-trail`
  return { ...context, member, path, open: (query: string) => browser.open(path + query) }
}
const when: unknown = expect.stringMatching(/^\d+ \w+ \d{4}, \d\d:\d\d UTC ?just now$/)

describe('the audit log of a team', () => {
  test('says in a sentence who did what to whom, by names, newest first', async () => {
    const { open } = await teamWithChanges()
    const page = await open('')
    expect(heading(page)).toEqual([200, 'Audit log'])
    expect(rowsOf(page).map((row) => row.slice(0, 3))).toEqual([
      ['A Ada', 'removed Bo from the team', when],
      ['Token test', 'changed the products of Bo from all products to Traffic rules, Certificates', when],
      ['A Ada', 'changed the name and time zone of the team', when],
    ])
  })

  test('has a page for each entry with the old and the new values, the target and the entry as JSON', async () => {
    const { browser, member, team, open } = await teamWithChanges()
    const list = await open('?action=UPDATE_TEAM')
    const page = await browser.open(list.root.querySelector('a.entry')?.getAttribute('href') ?? '')
    expect([heading(page), rowsOf(page)]).toEqual([
      [200, 'Team details changed'],
      [
        ['Name', 'Acme & Co', '<Crew>'],
        ['Time zone', 'none', 'UTC'],
      ],
    ])
    expect(contentOf(page)).toContain('Ada changed the name and time zone of the team. Time')
    expect(page.root.querySelector('details:not([open])')?.text).toContain('Show the entry as JSON')
    const back = page.root.querySelectorAll('main a').find(({ text }) => text === 'Back to the audit log')
    expect(back?.getAttribute('href')).toBe(`/teams/${team.slug}/audit-trail?action=UPDATE_TEAM`)
    expect(JSON.parse(page.root.querySelector('pre')?.structuredText ?? '')).toMatchObject({
      action: 'updateTeam',
      actor: 'Ada',
      subject: team.slug,
      before: { name: 'Acme & Co', timezone: null },
      after: { name: '<Crew>', timezone: 'UTC' },
    })
    await join(database, team, member, 'member')
    const removal = (await open('?action=REMOVE_MEMBER')).root.querySelector('a.entry')
    const target = (await browser.open(removal?.getAttribute('href') ?? '')).root.querySelector('main a[href*=members]')
    expect([target?.text, target?.getAttribute('href')]).toEqual(['Bo', `/teams/${team.slug}/members/${member.id}`])
  })

  test.each(['00000000-0000-4000-8000-000000000000', 'x', '%00'])('has no page for the entry %s', async (id) => {
    const { browser, path } = await teamWithChanges()
    expect(heading(await browser.open(`${path}/${id}`))).toEqual([404, 'Page not found'])
  })

  test('does not show an entry of another team', async () => {
    const [{ browser, path }, { team }] = [await teamWithChanges(), await teamWithChanges()]
    const { id } = await prisma.auditEntry.findFirstOrThrow({ where: { teamId: team.id } })
    expect(heading(await browser.open(`${path}/${id}`))).toEqual([404, 'Page not found'])
  })

  test('is filtered by action, actor and days', async () => {
    const { open } = await teamWithChanges()
    const actionsOf = async (query: string) => rowsOf(await open(query)).map((row) => row[1])
    const [removed, changed, details] = await actionsOf('')
    expect(await actionsOf('?action=UPDATE_TEAM&actor=&from=&to=')).toEqual([details])
    expect(await actionsOf('?actor=TEST')).toEqual([changed])
    expect(await actionsOf('?search=bO&sort=action')).toEqual([removed, changed])
    expect((await actionsOf('?sort=-actor'))[0]).toBe(changed)
    const today = service.clock.now().toISOString().slice(0, 10)
    expect(await actionsOf(`?from=${today}&to=${today}`)).toHaveLength(3)
    expect(await actionsOf('?from=2020-01-31&to=2020-01-01')).toEqual([])
    const page = await open('?actor=nobody&action=UPDATE_TEAM&from=2020-01-01')
    expect(contentOf(page)).toMatch(/Change the search or the filters, or show all entries\.$/)
    expect(['actor', 'from', 'to'].map((name) => page.root.querySelector(`#field-${name}`)?.getAttribute('value'))).toEqual([
      'nobody',
      '2020-01-01',
      '',
    ])
    expect(page.root.querySelector('option[selected]')?.text).toBe('Team details changed')
  })

  test.each([
    '?action=nonsense',
    '?action=constructor',
    '?from=2026-02-30',
    '?to=0000-01-01',
    '?from=x&actor=%00',
    '?page=-1',
    `?action=${'x'.repeat(500)}`,
  ])('ignores invalid query parameters: %s', async (query) => {
    const { open } = await teamWithChanges()
    const page = await open(query)
    expect([page.status, rowsOf(page).length]).toEqual([200, 3])
  })

  test('has fifty entries per page and keeps the filter in page links', async () => {
    const { team, browser, open } = await teamWithChanges()
    const entry = {
      action: 'updateTeam',
      actorKind: 'user',
      actorName: 'Eve',
      authenticationMethod: 'session',
      teamId: team.id,
      subject: 'x',
      requestId: 'x',
    }
    await prisma.auditEntry.createMany({ data: Array.from({ length: 60 }, () => ({ ...entry, at: new Date() })) })
    const page = await open('?actor=Eve')
    expect([rowsOf(page).length, page.root.querySelector('.pages span')?.text]).toEqual([50, 'Page 1 of 2'])
    const next = await browser.open(page.root.querySelector('a[rel=next]')?.getAttribute('href')?.replaceAll('&amp;', '&') ?? '')
    expect([rowsOf(next).length, next.url.search]).toEqual([10, '?actor=Eve&page=2'])
    expect(contentOf(await open('?page=99'))).toContain('There is nothing on this page.')
  })

  test('shows neither credential ids nor request ids', async () => {
    const { team, open } = await teamWithChanges()
    const entries = await prisma.auditEntry.findMany({ where: { teamId: team.id } })
    const hidden = entries.flatMap(({ credentialId, requestId }) => [credentialId ?? '', requestId])
    const page = await open('')
    expect([rowsOf(page).length, hidden.length]).toEqual([3, 6])
    expect(hidden.filter((each) => page.root.toString().includes(each))).toEqual([])
  })
})
