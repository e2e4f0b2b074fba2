import { describe, expect, test } from 'vitest'
import { createScenarioContext } from '../../../support/graphql/scenarios/scenario.ts'
import { prepareAct, staffActs } from '../../../support/graphql/staff/staff-acts.ts'
import { createStaff } from '../../../support/graphql/staff/staff.ts'
import { personalToken } from '../../../support/data/team.ts'
import { graphql } from '../../../support/http/graphql.ts'
import { executeAs, operator } from '../../../support/service/in-process.ts'
import { useService } from '../../../support/service/service.ts'

// The payload of an act contains the object. Without an audit entry, staff would read it without a trace.

const service = useService()
const { database, mails } = service
const { prisma } = database
const reason = 'Ticket 4711'

describe.each(Object.entries(staffActs))('%s', (name, { role }) => {
  test('is refused to staff or leaves an audit entry, if it is repeated', async () => {
    const { document, variables } = await prepareAct(name, await createScenarioContext(service))
    const staff = await createStaff(database, { staffRole: role })
    const token = await personalToken(database, staff, { scopes: ['acct:staff:write'] })
    const act = () => graphql(service, token, document, { ...variables, reason })
    const countEntries = () => prisma.auditEntry.count({ where: { action: name, actorUserId: staff.id } })
    expect((await act()).errors).toEqual([])
    expect(await countEntries()).toBe(1)
    const countBefore = mails.length
    const { data, errors } = await act()
    const isRefused = errors.length > 0 || Object.values(data?.[name] ?? {}).every((part) => part === null)
    if (isRefused) expect(mails).toHaveLength(countBefore)
    expect(await countEntries()).toBe(isRefused ? 1 : 2)
  })
})

describe.each([
  ['disableUser', 'user'],
  ['enableUser', 'user'],
  ['updateWebhook', 'webhook'],
  ['disableIdentityProvider', 'identityProvider'],
] as const)('%s that changes nothing', (name, member) => {
  test('is refused to staff with a message that says why', async () => {
    const { document, variables } = await prepareAct(name, await createScenarioContext(service))
    await executeAs(service, operator, document, { ...variables, reason })
    const token = await personalToken(database, await createStaff(database, { staffRole: 'admin' }), { scopes: ['acct:staff:write'] })
    const selected = document.replace(/\}\s*\}\s*$/, ' errors { __typename ... on MutationError { message } } } }')
    const { data } = await graphql(service, token, selected, { ...variables, reason })
    const errors = [
      { __typename: 'ValidationError', message: 'Staff can only do what changes something: the object is already in this state.' },
    ]
    expect(data[name]).toEqual({ [member]: null, errors })
  })

  test('still succeeds for an operator, who can repeat it', async () => {
    const { document, variables } = await prepareAct(name, await createScenarioContext(service))
    for (const expected of [1, 0]) {
      const { refusal, requestId } = await executeAs(service, operator, document, { ...variables, reason })
      expect(refusal).toBeNull()
      expect(await prisma.auditEntry.count({ where: { requestId } })).toBe(expected)
    }
  })
})
