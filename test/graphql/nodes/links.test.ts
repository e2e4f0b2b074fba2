import { beforeAll, describe, expect, test } from 'vitest'
import { personalToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createSharedTeams } from '../../support/graphql/stores/shared-teams.ts'
import type { SharedTeams } from '../../support/graphql/stores/shared-teams.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
let shared: SharedTeams
let token: string
beforeAll(async () => {
  shared = await createSharedTeams(service)
  token = await personalToken(database, shared.owner)
})

describe('a link', () => {
  test.each(['members', 'apps', 'invoices', 'invitations', 'tokens', 'auditEntries'])(
    'leads from each of Team.%s back to the team',
    async (list) => {
      const { data } = await graphql(service, token, `{ teams { id ${list} { nodes { id team { id slug } } } } }`)
      for (const { id, [list]: page } of data.teams) {
        expect(page.nodes.length).toBeGreaterThan(0)
        expect(page.nodes.map(({ team }: { team: { id: string } }) => team.id)).toEqual(page.nodes.map(() => id))
      }
    },
  )

  test('leads from a member to the user, who is the same in every team', async () => {
    const { data } = await graphql(service, token, '{ teams { members { nodes { userId user { id userId name } } } } }')
    const users = data.teams.flatMap(({ members }: any) => members.nodes)
    expect(users.map(({ userId }: any) => userId)).toEqual(users.map(({ user }: any) => user.userId))
    expect([users.length, new Set(users.map(({ user }: any) => user.id)).size]).toEqual([12, 4])
  })

  test('leads from an audit entry to its actor, with one statement for all entries', async () => {
    const [team] = shared.teams
    const { userId } = await database.prisma.member.findFirstOrThrow({ where: { role: 'billing', teamId: team?.id ?? '' } })
    const {
      id: _,
      before: __,
      after: ___,
      ...entry
    } = await database.prisma.auditEntry.findFirstOrThrow({ where: { teamId: team?.id ?? '' } })
    await database.prisma.auditEntry.create({ data: { ...entry, actorUserId: userId, at: new Date('2021-01-01') } })
    service.statements.length = 0
    const document = `{ team(slug: "${team?.slug}") { auditEntries { nodes { actor { userId } } } } }`
    const { data } = await graphql(service, token, document)
    expect(data.team.auditEntries.nodes).toEqual([{ actor: { userId: shared.owner.id } }, { actor: { userId } }])
    expect(service.statements.filter((text) => text.includes('SELECT id, name, picture_id AS "pictureId" FROM users'))).toHaveLength(1)
  })

  test('from an audit entry to an actor whose account was deleted is null', async () => {
    const [team] = shared.teams
    const actorUserId = '00000000-0000-4000-8000-000000000000'
    const entry = {
      action: 'leaveTeam',
      actorKind: 'user',
      actorName: 'Gone',
      authenticationMethod: 'session',
      subject: 'x',
      requestId: 'r',
    }
    const { id } = await database.prisma.auditEntry.create({
      data: { ...entry, actorUserId, teamId: team?.id ?? null, at: new Date('2020-01-01') },
    })
    const { data } = await graphql(
      service,
      token,
      `{ team(slug: "${team?.slug}") { auditEntries { nodes { entryId actorName actor { id } } } } }`,
    )
    expect(data.team.auditEntries.nodes.find(({ entryId }: any) => entryId === id)).toEqual({ entryId: id, actorName: 'Gone', actor: null })
  })
})

describe('viewer.teams', () => {
  test('lists the teams of the user with their role in each, with one statement for all memberships', async () => {
    const billing = await database.prisma.member.findFirstOrThrow({
      where: { role: 'billing', teamId: shared.teams[0]?.id ?? '' },
      include: { user: true },
    })
    const own = await personalToken(database, billing.user)
    service.statements.length = 0
    const document = '{ viewer { teams { nodes { slug viewerMembership { userId role joinedAt accessibleAppIds } } } } }'
    const { data } = await graphql(service, own, document)
    const memberships = await database.prisma.member.findMany({ where: { userId: billing.userId }, include: { team: true } })
    expect(data.viewer.teams.nodes).toEqual(
      memberships
        .toSorted((a, b) => (a.team.slug < b.team.slug ? -1 : 1))
        .map(({ team, role, joinedAt, allApplications, applications }) => ({
          slug: team.slug,
          viewerMembership: {
            userId: billing.userId,
            role: role.toUpperCase(),
            joinedAt: joinedAt.toISOString(),
            accessibleAppIds: allApplications ? null : applications.map((application) => application.toUpperCase()),
          },
        })),
    )
    expect(service.statements.filter((text) => text.includes('r.team_id = ANY ($1) AND r.user_id'))).toHaveLength(1)
  })
})
