import { expect, test } from 'vitest'
import { createTeam, createUser, join } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service

test('no audit entry that staff read has the path of the URL of a webhook, and the latest ones are no reads by staff', async () => {
  const team = await createTeam(database)
  const owner = await createUser(database)
  await join(database, team, owner, 'owner')
  const actor = { actorKind: 'user', actorUserId: owner.id, actorName: 'Ada', authenticationMethod: 'session', requestId: 'r' }
  const about = { at: clock.now(), teamId: team.id, ...actor }
  const url = 'https://hooks.example.com/secret-path'
  const { id } = await database.prisma.auditEntry.create({
    data: { ...about, action: 'createWebhook', subject: 'w', subjectName: url, after: { url } },
  })
  for (const action of ['readAsStaff', 'readInSupportSession'])
    await database.prisma.auditEntry.create({ data: { ...about, action, subject: team.slug, actorKind: 'staff' } })
  const token = await staffToken(database, await createStaff(database))
  const document = `query ($id: ID!, $user: ID!, $team: String!) { staff {
    auditEntry(id: $id) { entry { subjectName after } }
    auditEntries(team: $team) { nodes { entry { subjectName after } } }
    auditExport(team: $team) { entry { subjectName after } }
    account(id: $user) { activity { actionName subjectName after } }
    teamState(slug: $team) { latestEntries { actionName subjectName after } } } }`
  const { data, errors } = await graphql(service, token, document, { id, user: owner.id, team: team.slug })
  expect(errors).toEqual([])
  expect(JSON.stringify(data)).not.toContain('secret-path')
  const shown = { actionName: 'createWebhook', subjectName: 'https://hooks.example.com/…', after: '{"url":"https://hooks.example.com/…"}' }
  expect(data.staff.account.activity).toEqual([shown])
  expect(data.staff.teamState.latestEntries).toEqual([shown])
  expect(data.staff.auditEntry.entry).toEqual({ subjectName: shown.subjectName, after: shown.after })
})
