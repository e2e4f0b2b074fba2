import { expect, test } from 'vitest'
import { request } from '../../support/http/request.ts'
import { executeAs } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import { readAllRows } from '../../support/graphql/all-rows.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'

const service = useService()
const { database } = service
const { prisma } = database

/** All rows, the number of audit entries and the number of mails. */
const readState = async () => [await readAllRows(service), await prisma.auditEntry.count(), service.mails.length]

test.each([
  'updateTeam',
  'updateMember',
  'updateProfile',
  'updateNotifications',
  'cancelEmailChange',
  'disableUser',
  'enableUser',
  'setStaff',
  'updateClient',
  'disableClient',
  'enableClient',
  'revokeToken',
  'revokeGrant',
  'reduceGrantScopes',
  'renamePasskey',
  'revokeOtherSessions',
])('%s succeeds a second time, and then writes nothing', async (name) => {
  const { document, prepare } = scenarios[name] ?? { document: '', prepare: () => expect.unreachable() }
  const { principal, variables } = await prepare(await createScenarioContext(service))
  const first = await executeAs(service, principal, document, variables)
  const written = await readState()
  service.clock.advance(1000)
  const again = await executeAs(service, principal, document, variables)
  expect([first.refusal, again.refusal]).toEqual([null, null])
  if (name !== 'revokeOtherSessions') expect(again.data).toEqual(first.data)
  expect(await readState()).toEqual(written)
})

test('a PATCH request that changes nothing has the response of one that does, and writes nothing', async () => {
  const { team, token } = await createOwnedTeam(database, { timezone: 'Europe/Berlin' })
  const member = await createUser(database)
  await join(database, team, member, 'billing', ['flow', 'cert'])
  const path = `/api/v1/teams/${team.slug}`
  const { body: before } = await request(service, 'GET', path, { token })
  const state = await readState()
  const patch = async (suffix: string, body: object) => {
    const response = await request(service, 'PATCH', path + suffix, { token, body })
    return [response.status, response.body]
  }
  for (const body of [{}, { name: ' Acme ' }, { name: 'Acme', timezone: 'Europe/Berlin', gravatar_email: null }, { unknown: 1 }])
    expect(await patch('', body)).toEqual([200, before])
  for (const body of [
    { role: 'billing' },
    { accessible_app_ids: ['cert', 'flow'] },
    { role: 'billing', accessible_app_ids: ['flow', 'cert'] },
  ])
    expect(await patch(`/members/${member.id}`, body)).toEqual([204, null])
  expect(await readState()).toEqual(state)

  expect(await patch('', { name: 'Acme', timezone: 'UTC' })).toEqual([
    200,
    { ...before, timezone: 'UTC', updated_at: expect.not.stringMatching(before.updated_at) },
  ])
  const entry = await prisma.auditEntry.findFirstOrThrow({ where: { teamId: team.id } })
  expect([entry.before, entry.after]).toEqual([{ timezone: 'Europe/Berlin' }, { timezone: 'UTC' }])
})
