import { describe, expect, test } from 'vitest'
import { schema } from '../../../../schema/index.ts'
import { findRequirement } from '../../../../schema/core/requires.ts'
import { createScenarioContext } from '../../../support/graphql/scenarios/scenario.ts'
import { mutationsOfUsers, prepareAct, staffActs } from '../../../support/graphql/staff/staff-acts.ts'
import { createStaff } from '../../../support/graphql/staff/staff.ts'
import { personalToken } from '../../../support/data/team.ts'
import { graphql } from '../../../support/http/graphql.ts'
import { executeAs, operator, sessionOf } from '../../../support/service/in-process.ts'
import { useService } from '../../../support/service/service.ts'

// What staff do, the entries in the audit log, and the mails to the users concerned. credentials.test.ts has who cannot.

const service = useService()
const { database, mails } = service
const { prisma } = database
const reason = 'Ticket 4711: the user asked for it'

test('the acts of staff are exactly the mutations that are open to them', () => {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {})
  const open = fields.flatMap(({ name, extensions }) => {
    const role = findRequirement(extensions)?.staffRole
    return role ? [[name, role] as const] : []
  })
  expect(Object.fromEntries(open)).toEqual(Object.fromEntries(Object.entries(staffActs).map(([name, { role }]) => [name, role])))
})

const cases = Object.entries(staffActs)

describe.each(cases)('%s', (name, { role, account, informsOwners, mail }) => {
  test.each(['session', 'personal_token'] as const)(
    'is possible with a %s, with an audit entry and a mail to those concerned',
    async (method) => {
      const context = await createScenarioContext(service)
      const staff = await createStaff(database, { staffRole: role })
      const { document, variables, teamId = null } = await prepareAct(name, context)
      const countBefore = mails.length
      if (method === 'session') {
        const { data, refusal } = await executeAs(service, await sessionOf(service, staff), document, { ...variables, reason })
        expect([refusal, data?.[name]]).toEqual([null, expect.anything()])
      } else {
        const token = await personalToken(database, staff, { scopes: ['acct:staff:write'] })
        const { data, errors } = await graphql(service, token, document, { ...variables, reason })
        expect([errors, data?.[name]]).toEqual([[], expect.anything()])
      }
      const entries = await prisma.auditEntry.findMany({ where: { action: name, actorUserId: staff.id } })
      const actor = { actorKind: 'staff', actorName: staff.name, authenticationMethod: method, credentialId: expect.any(String) }
      expect(entries).toEqual([expect.objectContaining({ ...actor, reason, teamId })])
      const people = { owner: context.owner.id, member: context.member.id }
      const recipients = mail === null ? [] : [...(account ? [people[account]] : []), ...(informsOwners ? [people.owner] : [])]
      const sent = mails.slice(countBefore).filter((each) => 'userId' in each && 'at' in each && 'data' in each)
      expect(sent).toEqual(
        [...new Set(recipients)].map((userId) =>
          expect.objectContaining({
            kind: mail,
            userId,
            by: `${staff.name}, staff of this service`,
            ...(name !== 'rejectClient' && { staffReason: reason }),
          }),
        ),
      )
    },
  )
})

describe('an operator', () => {
  test.each(cases.filter(([name]) => name !== 'resendInvitation'))('can use %s without a reason, or with one', async (name) => {
    for (const given of name === 'rejectClient' ? [reason] : [undefined, reason]) {
      const { document, variables } = await prepareAct(name, await createScenarioContext(service))
      const { refusal, requestId } = await executeAs(service, operator, document, { ...variables, reason: given })
      expect(refusal).toBeNull()
      const entries = await prisma.auditEntry.findMany({ where: { requestId, action: name } })
      expect(entries).toEqual([expect.objectContaining({ actorKind: 'operator', reason: given ?? null })])
    }
  })
})

describe('a user', () => {
  test.each(mutationsOfUsers)('can use %s, with or without a reason, which is not stored', async (name) => {
    for (const given of [undefined, reason]) {
      const { document, variables, principal } = await prepareAct(name, await createScenarioContext(service))
      const { refusal, requestId } = await executeAs(service, principal, document, { ...variables, reason: given })
      expect(refusal).toBeNull()
      const entries = await prisma.auditEntry.findMany({ where: { requestId, action: name } })
      expect(entries).toEqual([expect.objectContaining({ actorKind: 'user', reason: null })])
    }
  })
})

test('an owner sees who of the staff did what, and why, and can filter by the kind of actor', async () => {
  const context = await createScenarioContext(service)
  const staff = await createStaff(database, { staffRole: 'admin' })
  const { document, variables } = await prepareAct('updateWebhook', context)
  await executeAs(service, await sessionOf(service, staff), document, { ...variables, reason })
  const query = `query ($team: String!, $kind: ActorKind!) { team(slug: $team) { auditEntries(actorKind: $kind) { nodes {
    action actorKind actorName reason } } } }`
  const read = async (kind: string) =>
    (await executeAs(service, context.principal, query, { team: context.team.slug, kind })).data.team.auditEntries.nodes
  expect(await read('STAFF')).toEqual([{ action: 'UPDATE_WEBHOOK', actorKind: 'STAFF', actorName: staff.name, reason }])
  expect((await read('USER')).map(({ action }: { action: string }) => action)).not.toContain('UPDATE_WEBHOOK')
})
