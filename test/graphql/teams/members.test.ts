import { describe, expect, test } from 'vitest'
import { graphql } from '../../support/http/graphql.ts'
import { mutate } from '../../support/http/mutate.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database } = service

async function createTeamOfTwo() {
  const owned = await createOwnedTeam(database)
  const member = await createUser(database, { name: 'Bo' })
  await join(database, owned.team, member, 'member', ['flow'])
  return { ...owned, member }
}
const update = `mutation ($team: String!, $id: ID!, $role: Role, $apps: [Application!]) {
  updateMember(input: { team: $team, userId: $id, role: $role, accessibleAppIds: $apps }) { member { name role accessibleAppIds } }
}`
const remove =
  'mutation ($team: String!, $id: ID!) { removeMember(input: { team: $team, userId: $id }) { member { name role accessibleAppIds } } }'
const members = 'query ($team: String!) { team(slug: $team) { members { nodes { id: userId } } } }'

describe('updateMember', () => {
  test.each([
    [{ role: 'BILLING' }, { role: 'BILLING', accessibleAppIds: ['FLOW'] }],
    [{ apps: [] }, { role: 'MEMBER', accessibleAppIds: [] }],
    [{ apps: null }, { role: 'MEMBER', accessibleAppIds: null }],
    [{ apps: ['DEPLOY', 'CERT'] }, { role: 'MEMBER', accessibleAppIds: ['DEPLOY', 'CERT'] }],
    [
      { role: 'OWNER', apps: null },
      { role: 'OWNER', accessibleAppIds: null },
    ],
  ])('with %j leaves absent fields unchanged and returns %j', async (variables, expected) => {
    const { team, token, member } = await createTeamOfTwo()
    const { data, refusal } = await mutate(service, token, update, { team: team.slug, id: member.id, ...variables })
    expect([refusal, data?.updateMember.member]).toEqual([null, { name: 'Bo', ...expected }])
  })
})

test('a list of thousands of invalid values is refused with 100 errors', async () => {
  const { team, token, member } = await createTeamOfTwo()
  const apps = Array.from({ length: 5_000 }, () => 'FLOW')
  const { refusal } = await mutate(service, token, update, { team: team.slug, id: member.id, apps })
  expect(Object.keys(refusal?.errors ?? {})).toHaveLength(100)
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ accessible_app_ids: apps })
  const response = await fetch(`${service.url}/api/v1/teams/${team.slug}/members/${member.id}`, { method: 'PATCH', headers, body })
  expect([response.status, Object.keys((await response.json()).errors).length]).toEqual([422, 100])
})

describe('removeMember', () => {
  test('returns the removed member, whose tokens lose access to the team', async () => {
    const { team, token, member } = await createTeamOfTwo()
    const memberToken = await personalToken(database, member)
    expect((await graphql(service, memberToken, members, { team: team.slug })).data.team.members.nodes).toHaveLength(2)
    const { data } = await graphql(service, token, remove, { team: team.slug, id: member.id })
    expect(data.removeMember.member).toEqual({ name: 'Bo', role: 'MEMBER', accessibleAppIds: ['FLOW'] })
    expect((await graphql(service, memberToken, members, { team: team.slug })).errors[0]?.extensions?.code).toBe('team_forbidden')
    expect((await mutate(service, token, remove, { team: team.slug, id: member.id })).refusal?.code).toBe('not_found')
  })

  test('removes an owner while another owner remains, and returns last_owner for the last owner', async () => {
    const { team, owner, token, member } = await createTeamOfTwo()
    const message = 'The team must keep at least one owner.'
    for (const credential of [token, await teamToken(database, team)]) {
      const { refusal } = await mutate(service, credential, remove, { team: team.slug, id: owner.id })
      expect(refusal).toEqual({ code: 'last_owner', message, errors: { role: [message] } })
    }
    await graphql(service, token, update, { team: team.slug, id: member.id, role: 'OWNER' })
    expect((await mutate(service, token, remove, { team: team.slug, id: owner.id })).refusal).toBe(null)
    expect((await graphql(service, token, members, { team: team.slug })).errors[0]?.extensions?.code).toBe('team_forbidden')
  })

  test('returns not_found for a member of another team and for unknown IDs', async () => {
    const { team, token } = await createTeamOfTwo()
    const other = await createTeamOfTwo()
    for (const id of [other.member.id, 'unknown', '\0', '\ud800', '5'])
      expect((await mutate(service, token, remove, { team: team.slug, id })).refusal?.code).toBe('not_found')
  })
})
