import { beforeAll, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { isEnumType } from 'graphql'
import { globalId } from '../../../schema/core/global-id.ts'
import { otherActions } from '../../../schema/core/audit/other-actions.ts'
import { schema } from '../../../schema/index.ts'
import { graphql } from '../../support/http/graphql.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { useService } from '../../support/service/service.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { createOwnedTeam } from '../../support/data/team.ts'

const service = useService()
const { database } = service
let team: Team
let token: string
let owner: User

const entries = [
  { action: 'updateTeam', actorKind: 'user', authenticationMethod: 'session', subject: 'acme' },
  { action: 'updateMember', actorKind: 'user', authenticationMethod: 'oauth', subject: 'member-1', subjectName: 'acme' },
  { action: 'createTeamToken', actorKind: 'user', authenticationMethod: 'personal_token', subject: 'token-1' },
  { action: 'updateMember', actorKind: 'team', authenticationMethod: 'team_token', subject: 'member-2' },
  { action: 'deleteTeam', actorKind: 'operator', authenticationMethod: 'command_line', subject: 'acme' },
  { action: 'declineInvitation', actorKind: 'anonymous', authenticationMethod: 'account_site', subject: 'invitation-1' },
  { action: 'shipTeam', actorKind: 'user', authenticationMethod: 'session', subject: 'old' },
]
beforeAll(async () => {
  ;({ team, token, owner } = await createOwnedTeam(database))
  const common = { actorName: 'Ada', teamId: team.id, requestId: 'x' }
  const data = entries.map((entry, index) => Object.assign({ at: new Date(2026, 0, 1 + index) }, common, entry))
  await database.prisma.auditEntry.createMany({ data })
})
const list = async (filters: string) => {
  const query = `{ team(slug: "${team.slug}") { auditEntries${filters} { total nodes { action actionName actorKind authenticationMethod subject } } } }`
  const { data, errors } = await graphql(service, token, query)
  expect(errors).toEqual([])
  return data.team.auditEntries
}

test.each([
  ['(action: UPDATE_MEMBER)', ['member-2', 'member-1']],
  ['(action: IMPORT)', []],
  ['(actorKind: TEAM)', ['member-2']],
  ['(actorKind: OPERATOR)', ['acme']],
  ['(actorKind: ANONYMOUS)', ['invitation-1']],
  ['(authenticationMethod: SESSION)', ['old', 'acme']],
  ['(authenticationMethod: COMMAND_LINE)', ['acme']],
  ['(subject: "acme")', ['acme', 'acme']],
  ['(subject: " ")', []],
  ['(search: "ACM")', ['acme', 'member-1', 'acme']],
  ['(action: UPDATE_MEMBER, actorKind: USER, authenticationMethod: OAUTH, subject: "member-1")', ['member-1']],
])('auditEntries%s lists the entries that match', async (filters, expected) => {
  const { total, nodes } = await list(filters)
  expect(nodes.map(({ subject }: { subject: string }) => subject)).toEqual(expected)
  expect(total).toBe(expected.length)
})

test('auditEntries(actor:) takes the identifier or a global id of the user, for one team, several teams and staff', async () => {
  const entry = {
    action: 'updateTeam',
    actorKind: 'user',
    actorName: 'Grace',
    authenticationMethod: 'oauth',
    teamId: team.id,
    requestId: 'y',
  }
  const { id } = await database.prisma.auditEntry.create({
    data: { ...entry, at: new Date(2025, 0, 1), actorUserId: owner.id, subject: 'acme' },
  })
  const staff = await staffToken(database, await createStaff(database))
  const selection = '{ total nodes { entryId } }'
  for (const actor of [
    owner.id,
    ` ${owner.id} `,
    globalId({ type: 'Person', key: [owner.id] }),
    globalId({ type: 'User', key: [owner.id] }),
    globalId({ type: 'TeamMember', key: [team.slug, owner.id] }),
  ]) {
    const query = `query ($actor: String) { auditEntries(actor: $actor) ${selection} team(slug: "${team.slug}") { auditEntries(actor: $actor) ${selection} } }`
    const { data } = await graphql(service, token, query, { actor })
    const expected = { total: 1, nodes: [{ entryId: id }] }
    expect([data.auditEntries, data.team.auditEntries]).toEqual([expected, expected])
    const ofStaff = 'query ($actor: String) { staff { auditEntries(actor: $actor) { total nodes { entry { entryId } } } } }'
    const all = (await graphql(service, staff, ofStaff, { actor })).data.staff.auditEntries
    expect(all).toEqual({ total: 1, nodes: [{ entry: { entryId: id } }] })
  }
  expect(await list(`(actor: "${globalId({ type: 'Person', key: ['00000000-0000-4000-8000-000000000000'] })}")`)).toEqual({
    total: 0,
    nodes: [],
  })
  expect((await list('(actor: "grac")')).total).toBe(1)
})

test('an entry of an action that no longer exists has its name and no action', async () => {
  const { nodes } = await list('(subject: "old")')
  expect(nodes).toEqual([{ action: null, actionName: 'shipTeam', actorKind: 'USER', authenticationMethod: 'SESSION', subject: 'old' }])
})

test('the actions are exactly the mutations and commands that write audit entries, and what staff read', () => {
  const type = schema.getType('AuditAction')
  const values = isEnumType(type) ? type.getValues() : []
  expect(values.map(({ value }) => String(value)).toSorted()).toEqual([...Object.keys(scenarios), ...Object.keys(otherActions)].toSorted())
  expect(values.find(({ value }) => value === 'setTwoFactorRequirement')?.name).toBe('SET_TWO_FACTOR_REQUIREMENT')
})
