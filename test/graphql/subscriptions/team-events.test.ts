import { describe, expect, test } from 'vitest'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { subscribe } from '../../support/graphql/team-events.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'
import { globalId } from '../../../schema/core/global-id.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'

const service = useService()
const { database, url } = service

const rename = (token: string, team: string, name: string) =>
  graphql(service, token, `mutation { updateTeam(input: { team: "${team}", name: "${name}" }) { team { slug } } }`)

const writeEntry = (teamId: string, action: string) => ({
  text: `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, request_id)
    VALUES (now(), $1, 'operator', 'tester', 'command_line', $2, 'x', 'test')`,
  values: [action, teamId],
})

describe('the events of a team', () => {
  test('arrive in the order of the changes, each once, and only those of the team', async () => {
    const { team, token } = await createOwnedTeam(database)
    const other = await createOwnedTeam(database)
    await rename(token, team.slug, 'before')
    const { events, actions } = await subscribe(url, token, team.slug)
    await rename(other.token, other.team.slug, 'other')
    for (let i = 0; i < 5; i++) await rename(token, team.slug, `name ${i}`)
    expect(await actions(5)).toEqual(Array(5).fill('updateTeam'))
    const entries = await database.prisma.auditEntry.findMany({ where: { teamId: team.id }, orderBy: { at: 'asc' }, skip: 1 })
    expect(events).toEqual(
      entries.map(({ id, action, subject, at, actorName }) => ({
        id,
        entry: { id: globalId({ type: 'AuditEntry', key: [id] }), actorName },
        action,
        subject,
        at: at.toISOString(),
      })),
    )
  })

  test('are those of the wanted types alone', async () => {
    const { team, token } = await createOwnedTeam(database)
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const { actions } = await subscribe(url, token, team.slug, { types: ['MEMBER_UPDATED', 'MEMBER_REMOVED'] })
    await rename(token, team.slug, 'other')
    const input = `{ team: "${team.slug}", userId: "${member.id}"`
    await graphql(service, token, `mutation { updateMember(input: ${input}, role: BILLING }) { member { userId } } }`)
    await rename(token, team.slug, 'another')
    await graphql(service, token, `mutation { removeMember(input: ${input} }) { member { userId } } }`)
    expect(await actions(2)).toEqual(['updateMember', 'removeMember'])
  })

  test('continue after the last received event when the client subscribes again', async () => {
    const { team, token } = await createOwnedTeam(database)
    const first = await subscribe(url, token, team.slug)
    await rename(token, team.slug, 'one')
    await first.actions(1)
    first.close()
    for (const name of ['two', 'three']) await rename(token, team.slug, name)
    const second = await subscribe(url, token, team.slug, { after: first.events[0]?.id ?? '' })
    await rename(token, team.slug, 'four')
    await second.actions(3)
    const { events: all, actions } = await subscribe(url, token, team.slug, {
      headers: { Authorization: `Bearer ${token}`, 'Last-Event-ID': second.events[0]?.entry.id ?? '' },
      after: second.events[2]?.id ?? '',
    })
    await actions(2)
    expect([second.events.length, all]).toEqual([3, second.events.slice(1)])
    const byGlobalId = await subscribe(url, token, team.slug, { after: second.events[1]?.entry.id ?? '' })
    await byGlobalId.actions(1)
    expect(byGlobalId.events).toEqual(second.events.slice(2))
  })

  test('wait for a transaction that began before them, and come in the order of the transactions', async () => {
    const { team, token } = await createOwnedTeam(database)
    const { actions } = await subscribe(url, token, team.slug)
    const [written, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = inTransaction(database, async (transaction) => {
      await transaction.query(writeEntry(team.id, 'slow'))
      written.resolve()
      await mayCommit.promise
    })
    await written.promise
    await rename(token, team.slug, 'fast')
    service.statements.length = 0
    // The stream has seen the second event, and waits.
    await waitFor(() => service.statements.filter((text) => text.includes('"isSettled"')).length >= 3)
    expect(await actions(0)).toEqual([])
    mayCommit.resolve()
    await slow
    expect(await actions(2)).toEqual(['slow', 'updateTeam'])
  })

  test('need the scope and the role of the audit log, and a known event to go on after', async () => {
    const { team, token } = await createOwnedTeam(database)
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const codesOf = async (credential: string, after?: string) => {
      const stream = await subscribe(url, credential, team.slug, after === undefined ? {} : { after })
      await waitFor(() => stream.hasCompleted)
      return stream.errors.map(({ code }) => code)
    }
    expect(await codesOf(await personalToken(database, member))).toEqual(['role_required'])
    expect(await codesOf(await teamToken(database, team, { scopes: ['teams'] }))).toEqual(['insufficient_scope'])
    expect(await codesOf((await createOwnedTeam(database)).token)).toEqual(['team_forbidden'])
    for (const after of ['x', '00000000-0000-4000-8000-000000000000']) expect(await codesOf(token, after)).toEqual(['validation_failed'])
  })

  test('have their cost in the response if they are refused', async () => {
    const { token } = await createOwnedTeam(database)
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { teamEvents(team: "unknown") { subject } }' }),
    })
    const [, data = ''] = /^data: (.+)$/m.exec(await response.text()) ?? []
    const result: unknown = JSON.parse(data)
    const extensions = { cost: { requested: 2, limit: 50_000, remaining: 49_998 } }
    expect(result).toEqual({ errors: [expect.objectContaining({ path: ['teamEvents'] })], extensions })
  })
})
