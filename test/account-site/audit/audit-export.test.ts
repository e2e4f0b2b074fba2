import { describe, expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import type { Page } from '../../support/browser/browser.ts'
import { browserOf, heading } from '../../support/browser/site-page.ts'
import { createTeam, createUser, join } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service

const addEntries = (team: Team, count: number) =>
  database.pool.query(
    `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, subject_name, before, after, request_id)
     SELECT timestamptz '2026-01-01' + i * interval '1 minute', 'updateMember', 'user', '=Eve', 'session', $1, 'user-' || i, 'Member ' || i,
       '{"role":"member","accessibleAppIds":null}', '{"role":"owner","accessibleAppIds":null}', 'r' FROM generate_series(1, $2::int) i`,
    [team.id, count],
  )
/** The lines of a file without the header. */
const linesOf = ({ root }: Page) => root.toString().split('\r\n').slice(1, -1)
const exportsOf = (team: Team) => database.prisma.auditEntry.findMany({ where: { teamId: team.id, action: 'exportAuditLog' } })

describe('the export of the audit log', () => {
  test('is a CSV file named after the team and the day, in which no cell is a formula', async () => {
    const team = await createTeam(database)
    await addEntries(team, 1)
    const browser = await browserOf(service, team, 'owner')
    const file = await browser.press(await browser.open(`/teams/${team.slug}/audit-trail`), 'Export as CSV')
    expect([
      file.status,
      file.headers.get('content-type'),
      file.headers.get('content-disposition'),
      file.headers.get('cache-control'),
    ]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      `attachment; filename=${team.slug}-audit-log-${clock.now().toISOString().slice(0, 10)}.csv`,
      'no-store',
    ])
    expect(file.root.toString().split('\r\n')).toEqual([
      'Time,Actor,Authenticated,Action,Description,Target,Target identifier,Old values,New values,App',
      "2026-01-01T00:01:00.000Z,'=Eve,on the website,Member changed,changed the role of Member 1 from Member to Owner,Member 1,user-1," +
        '"{""role"":""member"",""accessibleAppIds"":null}","{""role"":""owner"",""accessibleAppIds"":null}",',
      '',
    ])
  })

  test('has all entries that match the filters of the page, in its order, and is itself in the log', async () => {
    const team = await createTeam(database)
    await addEntries(team, 60)
    const browser = await browserOf(service, team, 'owner')
    const address = `/teams/${team.slug}/audit-trail`
    const page = await browser.open(`${address}?search=member+1&sort=time&size=10&page=2`)
    const lines = linesOf(await browser.press(page, 'Export as CSV'))
    expect(lines.map((line) => line.split(',')[5])).toEqual(
      ['1', ...Array.from({ length: 10 }, (_, index) => `1${index}`)].map((each) => `Member ${each}`),
    )
    const [entry] = await exportsOf(team)
    expect(entry).toMatchObject({ subjectName: team.name, after: { search: 'member 1', entries: 11 } })
    expect((await browser.open(address)).root.querySelector('.sentence')?.text).toBe('exported the audit log (11 entries)')
  })

  test('is not offered for more than 10,000 entries until they are filtered', async () => {
    const team = await createTeam(database)
    await addEntries(team, 10_001)
    const browser = await browserOf(service, team, 'owner')
    const address = `/teams/${team.slug}/audit-trail`
    const page = await browser.open(`${address}?search=member+1000`)
    expect(linesOf(await browser.press(page, 'Export as CSV'))).toHaveLength(3)
    expect((await browser.open(address)).text).toContain('To export, filter the list to at most 10,000 entries.')
  })

  test('is refused to a user who is no longer an owner, and writes no entry', async () => {
    const team = await createTeam(database)
    await addEntries(team, 1)
    const other = await createUser(database)
    await join(database, team, other, 'owner')
    const browser = await browserOf(service, team, 'owner')
    const page = await browser.open(`/teams/${team.slug}/audit-trail`)
    await database.prisma.member.updateMany({ where: { teamId: team.id, NOT: { userId: other.id } }, data: { role: 'billing' } })
    expect(heading(await browser.press(page, 'Export as CSV'))).toEqual([403, 'You don’t have access'])
    expect(await exportsOf(team)).toEqual([])
  })
})
