import { beforeAll, expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { isEnumType } from 'graphql'
import { schema } from '../../../schema/index.ts'
import { graphql } from '../../support/http/graphql.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam } from '../../support/data/team.ts'

const service = useService()
const { database } = service
let team: Team
let token: string

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
  ;({ team, token } = await createOwnedTeam(database))
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
  ['(subject: " ")', ['old', 'invitation-1', 'acme', 'member-2', 'token-1', 'member-1', 'acme']],
  ['(search: "ACM")', ['acme', 'member-1', 'acme']],
  ['(action: UPDATE_MEMBER, actorKind: USER, authenticationMethod: OAUTH, subject: "member-1")', ['member-1']],
])('auditEntries%s lists the entries that match', async (filters, expected) => {
  const { total, nodes } = await list(filters)
  expect(nodes.map(({ subject }: { subject: string }) => subject)).toEqual(expected)
  expect(total).toBe(expected.length)
})

test('an entry of an action that no longer exists has its name and no action', async () => {
  const { nodes } = await list('(subject: "old")')
  expect(nodes).toEqual([{ action: null, actionName: 'shipTeam', actorKind: 'USER', authenticationMethod: 'SESSION', subject: 'old' }])
})

test('the actions are exactly the mutations that write audit entries, the import and what staff read', () => {
  const type = schema.getType('AuditAction')
  const values = isEnumType(type) ? type.getValues() : []
  expect(values.map(({ value }) => String(value)).toSorted()).toEqual([...Object.keys(scenarios), 'import', 'readAsStaff'].toSorted())
  expect(values.find(({ value }) => value === 'setTwoFactorRequirement')?.name).toBe('SET_TWO_FACTOR_REQUIREMENT')
})
