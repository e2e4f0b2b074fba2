import { describe, expect, test } from 'vitest'
import { eraseTeams } from '../../../src/jobs/erase-teams.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { accessToken } from '../../support/oauth/oauth-rows.ts'
import { createTeamClient, executeWith } from '../../support/oauth/clients/team-client.ts'
import { request } from '../../support/http/request.ts'
import { operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Clients follow their team: docs/decisions/clients.md.

const service = useService()
const { database, clock } = service
const { prisma } = database

const remove = 'mutation ($team: String!) { deleteTeam(input: { team: $team, confirmSlug: $team }) { team { slug } } }'
const restore = 'mutation ($team: String!) { restoreTeam(input: { team: $team }) { team { slug } } }'

const disabledAt = async (id: string) => (await prisma.oAuthClient.findUniqueOrThrow({ where: { id } })).disabledAt

describe('the clients of a team', () => {
  test('are disabled with it, and enabled again when it is restored, except those that were disabled before', async () => {
    const { client, team, session } = await createTeamClient(service, { state: 'listed' })
    const other = await createClient(database, { ownerTeamId: team.id, disabledAt: new Date(Date.UTC(2026, 1, 1)) })
    const stranger = await createUser(database)
    const data = {
      oauthClientId: client.id,
      userId: stranger.id,
      scopes: ['openid', 'teams'],
      expiresAt: new Date(Date.now() + 86_400_000),
    }
    const token = await accessToken(database, await prisma.oAuthGrant.create({ data, include: { client: true } }))
    const status = async () => (await request(service, 'GET', '/api/v1/teams', { token })).status
    expect(await status()).toBe(200)
    await executeWith(service, session, remove, { team: team.slug })
    expect([await status(), await disabledAt(client.id)]).toEqual([401, expect.any(Date)])
    await executeWith(service, operator, restore, { team: team.slug })
    expect([await status(), await disabledAt(client.id), await disabledAt(other.id)]).toEqual([200, null, new Date(Date.UTC(2026, 1, 1))])
  })

  test('are deleted with their grants when it is erased', async () => {
    const { client, team, session } = await createTeamClient(service)
    await executeWith(service, session, remove, { team: team.slug })
    const { deletedAt } = await prisma.team.findUniqueOrThrow({ where: { id: team.id } })
    await eraseTeams(database, deletedAt ?? new Date(), clock.now())
    expect(await prisma.oAuthClient.findUnique({ where: { id: client.id } })).toBeNull()
  })

  test('cannot be changed while it is deleted', async () => {
    const { client, team, session } = await createTeamClient(service)
    await executeWith(service, operator, remove, { team: team.slug })
    const rotate = 'mutation ($id: ID!) { rotateTeamClientSecret(input: { clientId: $id }) { clientSecret } }'
    const { prisma: fresh } = database
    const owner = await fresh.user.findUniqueOrThrow({ where: { id: session.user.id } })
    const later = { ...(await sessionOf(service, owner)), teams: { count: 0, find: () => null, all: () => [] } }
    expect((await executeWith(service, later, rotate, { id: client.clientId })).code).toBe('not_found')
  })

  test('stay when its ownership is transferred: the new owner changes them, the former one does not', async () => {
    const { client, team, session, owner } = await createTeamClient(service)
    const heir = await createUser(database)
    await join(database, team, heir, 'member')
    const transfer =
      'mutation ($team: String!, $to: String!) { transferOwnership(input: { team: $team, newOwner: $to, role: MEMBER }) { team { slug } } }'
    expect((await executeWith(service, session, transfer, { team: team.slug, to: heir.email })).code).toBeUndefined()
    const describe = 'mutation ($id: ID!) { updateTeamClient(input: { clientId: $id, description: "Ours" }) { client { description } } }'
    const asHeir = await executeWith(service, await sessionOf(service, heir), describe, { id: client.clientId })
    expect(asHeir.data.updateTeamClient.client.description).toBe('Ours')
    expect((await executeWith(service, await sessionOf(service, owner), describe, { id: client.clientId })).code).toBe('role_required')
  })
})

test('the deletion of a client is in the audit log of each team that connected it, without the name of the owner who deleted it', async () => {
  const { client, session } = await createTeamClient(service, { state: 'listed' })
  const { team: other, owner: stranger } = await createOwnedTeam(database)
  const expiresAt = new Date(Date.now() + 86_400_000)
  await prisma.oAuthGrant.create({
    data: { oauthClientId: client.id, userId: stranger.id, teamId: other.id, scopes: ['teams'], expiresAt },
  })
  const deletion = 'mutation ($id: ID!) { deleteTeamClient(input: { clientId: $id }) { client { name } } }'
  await executeWith(service, session, deletion, { id: client.clientId })
  const [entry, ...others] = await prisma.auditEntry.findMany({ where: { teamId: other.id } })
  expect([entry, others]).toEqual([
    expect.objectContaining({
      action: 'revokeGrant',
      actorKind: 'system',
      actorName: 'system',
      actorUserId: null,
      subjectName: client.name,
    }),
    [],
  ])
})
