import { describe, expect, test } from 'vitest'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const document =
  'mutation ($input: ExportAuditLogInput!) { exportAuditLog(input: $input) { entries { action actorName subjectName team { slug } } } }'

/** A team with entries of two actors, an hour apart. */
async function teamWithEntries(count = 3) {
  const owned = await createOwnedTeam(database)
  await database.pool.query(
    `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, subject_name, request_id)
     SELECT timestamptz '2026-01-01' + i * interval '1 hour', 'updateMember', 'user', CASE i % 2 WHEN 0 THEN 'Grace' ELSE 'Eve' END, 'session',
       $1, 'x', 'Member ' || i, 'r' FROM generate_series(1, $2::int) i`,
    [owned.team.id, count],
  )
  return owned
}
const exportsOf = (teamId: string) => database.prisma.auditEntry.findMany({ where: { teamId, action: 'exportAuditLog' } })

describe('the export of the audit log of a team', () => {
  test('has the entries that match, in the wanted order, and is an entry itself', async () => {
    const { team, owner } = await teamWithEntries()
    const principal = await sessionOf(service, owner)
    const names = async (input: object) => {
      const { data } = await executeAs(service, principal, document, { input: { team: team.slug, ...input } })
      return data.exportAuditLog.entries.map(({ subjectName }: { subjectName: string }) => subjectName)
    }
    expect(await names({})).toEqual(['Member 3', 'Member 2', 'Member 1'])
    expect(await names({ action: 'UPDATE_MEMBER', actor: 'eve', orderBy: { field: 'TIME', direction: 'ASC' } })).toEqual([
      'Member 1',
      'Member 3',
    ])
    expect(await names({ since: '2026-01-01T02:00:00Z', until: '2026-01-01T03:00:00Z', search: 'ember' })).toEqual(['Member 2'])
    expect((await exportsOf(team.id)).map(({ subjectName, after }) => [subjectName, after])).toEqual([
      ['Acme', { entries: 3 }],
      ['Acme', { action: 'updateMember', actor: 'eve', entries: 2 }],
      ['Acme', { since: '2026-01-01T02:00:00.000Z', until: '2026-01-01T03:00:00.000Z', search: 'ember', entries: 1 }],
    ])
  })

  test('is refused for more than 10,000 entries, and writes no entry', async () => {
    const { team, owner } = await teamWithEntries(10_001)
    const input = { team: team.slug }
    const principal = await sessionOf(service, owner)
    const { refusal } = await executeAs(service, principal, document, { input })
    expect(refusal?.details.errors).toEqual({ team: ['At most 10,000 entries can be exported at once; 10001 match.'] })
    expect(await exportsOf(team.id)).toEqual([])
    const { data } = await executeAs(service, principal, document, { input: { ...input, until: '2026-01-01T01:30:00Z' } })
    expect(data.exportAuditLog.entries).toHaveLength(1)
  })

  test('is refused to members who are no owners, and to tokens', async () => {
    const { team, token } = await teamWithEntries()
    for (const role of ['member', 'billing'] as const) {
      const user = await createUser(database)
      await join(database, team, user, role)
      const { refusal } = await executeAs(service, await sessionOf(service, user), document, { input: { team: team.slug } })
      expect(refusal?.code).toBe('role_required')
    }
    const byToken = await graphql(service, token, document, { input: { team: team.slug } })
    expect(byToken.errors[0]?.extensions?.code).toBe('session_required')
    expect(await exportsOf(team.id)).toEqual([])
  })
})
