import { beforeEach, describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { createOwnedTeam, personalToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
let team: Team
let owner: User
let token: string
beforeEach(async () => {
  ;({ team, owner, token } = await createOwnedTeam(database))
})

const errors = 'errors { __typename code message requestId errors { field messages } }'
const update = (name: string) => `updateTeam(input: { team: "${team.slug}", name: "${name}" }) { team { name } ${errors} }`
const demote = () => `updateMember(input: { team: "${team.slug}", userId: "${owner.id}", role: MEMBER }) { member { role } ${errors} }`
const invite = () =>
  `inviteMember(input: { team: "${team.slug}", email: "${owner.email}", role: MEMBER }) { invitation { email } ${errors} }`
const countEntries = () => database.prisma.auditEntry.count({ where: { teamId: team.id } })

describe('a mutation at /graphql that its caller can correct', () => {
  test.each([
    ['LastOwnerError', 'last_owner', 'updateMember', 'member', demote, 'role', 'The team must keep at least one owner.'],
    ['AlreadyMemberError', 'already_member', 'inviteMember', 'invitation', invite, 'email', 'This user already belongs to the team.'],
    ['ValidationError', 'validation_failed', 'updateTeam', 'team', () => update(' '), 'name', 'The name field is required.'],
  ] as const)('answers %s in its payload and writes no audit entry', async (type, code, name, changed, mutation, field, message) => {
    const { status, headers, data, errors: topLevel } = await graphql(service, token, `mutation { ${mutation()} }`)
    const refusal = { __typename: type, code, message, requestId: headers.get('x-request-id'), errors: [{ field, messages: [message] }] }
    expect([status, topLevel, data]).toEqual([200, [], { [name]: { [changed]: null, errors: [refusal] } }])
    expect(await countEntries()).toBe(0)
  })

  test('returns all messages of a ValidationError by field', async () => {
    const input = `{ team: "${team.slug}", name: " ", timezone: "Mars/Olympus" }`
    const { data } = await graphql(
      service,
      token,
      `mutation { updateTeam(input: ${input}) { errors { message errors { field messages } } } }`,
    )
    expect(data.updateTeam.errors).toEqual([
      {
        message: 'The name field is required. (and 1 more error)',
        errors: [
          { field: 'name', messages: ['The name field is required.'] },
          { field: 'timezone', messages: ['The selected timezone is invalid.'] },
        ],
      },
    ])
  })

  test('has no errors if it succeeds', async () => {
    const { data } = await graphql(service, token, `mutation { ${update('New')} }`)
    expect(data).toEqual({ updateTeam: { team: { name: 'New' }, errors: [] } })
  })

  test('does not affect the results of other mutations in the document', async () => {
    const readOnly = await personalToken(database, owner, { scopes: ['acct:team:write'] })
    const { data, errors: topLevel } = await graphql(
      service,
      readOnly,
      `mutation { a: ${update(' ')} b: ${update('B')} c: ${demote()} d: ${update('\\u0000')} e: ${update('E')} }`,
    )
    expect(data).toMatchObject({
      a: { team: null, errors: [{ code: 'validation_failed' }] },
      b: { team: { name: 'B' }, errors: [] },
      c: null,
      d: { team: null, errors: [{ code: 'validation_failed' }] },
      e: { team: { name: 'E' }, errors: [] },
    })
    expect(topLevel.map(({ path, extensions }) => [path, extensions?.code])).toEqual([[['c'], 'insufficient_scope']])
    expect(await countEntries()).toBe(2)
  })
})

test('a refused mutation of another interface throws the error instead of returning a payload', async () => {
  const { data, refusal } = await executeAs(service, await sessionOf(service, owner), `mutation { ${demote()} }`)
  expect([data, refusal?.code]).toEqual([{ updateMember: null }, 'last_owner'])
})
