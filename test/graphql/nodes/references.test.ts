import { beforeAll, describe, expect, test } from 'vitest'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createSharedTeams } from '../../support/graphql/stores/shared-teams.ts'
import type { SharedTeams } from '../../support/graphql/stores/shared-teams.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// An object that contains an identifier or a name of another object also links to it.

const service = useService()
const { database } = service
let shared: SharedTeams
let token: string
let slug: string
let teamId: string
beforeAll(async () => {
  shared = await createSharedTeams(service)
  token = await personalToken(database, shared.owner)
  ;[{ slug, id: teamId } = { slug: '', id: '' }] = shared.teams
})

const ofTeam = async (selection: string, credential = token) => {
  const { data, errors } = await graphql(service, credential, `{ team(slug: "${slug}") { ${selection} } }`)
  expect(errors).toEqual([])
  return data.team
}

describe('a reference', () => {
  test('leads from an invoice line to the invoice, and from there to the application', async () => {
    const selection = 'invoices { nodes { id appId app { id appId } lines { invoice { id lines { id } } id appId app { appId } } } }'
    await database.pool.query(`UPDATE invoice_lines SET application = 'flow' WHERE position = 0`)
    const { invoices } = await ofTeam(selection)
    for (const { id, appId, app, lines } of invoices.nodes) {
      expect(app.appId).toBe(appId)
      expect(lines.map((line: any) => line.app?.appId ?? null)).toEqual(lines.map((line: any) => line.appId))
      expect(lines.map((line: any) => line.appId)).toContain('FLOW')
      expect(lines.map(({ invoice }: any) => invoice)).toEqual(
        lines.map(() => ({ id, lines: lines.map((line: any) => ({ id: line.id })) })),
      )
    }
  })

  test('leads from an invitation to the owner or the token that sent it, and to the user who accepted', async () => {
    const accepted = await database.prisma.member.findFirstOrThrow({ where: { teamId, role: 'billing' } })
    const sender = await database.prisma.accessToken.findFirstOrThrow({ where: { teamId } })
    const { id: _, ...invitation } = await database.prisma.invitation.findFirstOrThrow({ where: { teamId } })
    const answered = { status: 'accepted', acceptedById: accepted.userId, answeredAt: service.clock.now() } as const
    await database.prisma.invitation.create({
      data: {
        ...invitation,
        ...answered,
        invitedById: null,
        invitedByTokenId: sender.id,
        tokenHash: new Uint8Array(32),
        createdAt: new Date(0),
      },
    })
    const { invitations } = await ofTeam('invitations { nodes { invitedBy { userId } invitedByToken { tokenId } acceptedBy { userId } } }')
    expect(invitations.nodes).toEqual([
      { invitedBy: { userId: shared.owner.id }, invitedByToken: null, acceptedBy: null },
      { invitedBy: null, invitedByToken: { tokenId: sender.id }, acceptedBy: { userId: accepted.userId } },
    ])
  })

  test('leads from a person to the member or the invitation', async () => {
    const { people } = await ofTeam('people { nodes { userId invitationId member { userId } invitation { invitationId } } }')
    for (const { userId, invitationId, member, invitation } of people.nodes)
      expect([member, invitation]).toEqual([userId && { userId }, invitationId && { invitationId }])
    expect(new Set(people.nodes.map(({ member }: any) => member === null)).size).toBe(2)
  })

  test('leads from a TeamAccess to the token, grant or workload identity, and to the user', async () => {
    const credential =
      '... on TeamToken { tokenId } ... on MemberToken { tokenId user { userId } } ... on Grant { grantId user { userId } } ... on WorkloadIdentity { identityId createdBy { userId } }'
    const { access } = await ofTeam(
      `access { nodes { kind tokenId grantId identityId person { userId } credential { __typename ${credential} } } }`,
    )
    const types: Record<string, string> = {
      TEAM_TOKEN: 'TeamToken',
      PERSONAL_TOKEN: 'MemberToken',
      APP: 'Grant',
      WORKLOAD_IDENTITY: 'WorkloadIdentity',
    }
    for (const { kind, tokenId, grantId, identityId, person, credential: found } of access.nodes)
      expect(found).toEqual({
        __typename: types[kind],
        ...(kind === 'APP' ? { grantId } : kind === 'WORKLOAD_IDENTITY' ? { identityId } : { tokenId }),
        ...(kind !== 'TEAM_TOKEN' && (kind === 'WORKLOAD_IDENTITY' ? { createdBy: person } : { user: person })),
      })
    expect(new Set(access.nodes.map(({ kind }: any) => kind)).size).toBe(4)
    expect(access.nodes.filter(({ person }: any) => person === null)).toEqual([])
  })

  test('leads from a grant to its team', async () => {
    const { grants } = await ofTeam('grants { nodes { teamSlug team { slug } } }')
    expect(grants.nodes.map(({ team }: any) => team?.slug ?? null)).toEqual(grants.nodes.map(({ teamSlug }: any) => teamSlug))
    expect(new Set(grants.nodes.map(({ team }: any) => team === null)).size).toBe(2)
  })

  test('from an invoice to its application is null for callers who may not see applications', async () => {
    const own = await personalToken(database, shared.owner, { scopes: ['acct:team:invoices:read'] })
    expect((await ofTeam('invoices { nodes { appId app { id } } }', own)).invoices.nodes).toEqual([{ appId: 'DEPLOY', app: null }])
  })
})

describe('MemberToken.teams', () => {
  const tokensOf = async (userId: string, credential = token) => {
    const { personalTokens } = await ofTeam('personalTokens { nodes { user { userId } teams { slug } } }', credential)
    return personalTokens.nodes
      .filter(({ user }: any) => user.userId === userId)
      .map(({ teams }: any) => teams.map((team: any) => team.slug))
  }
  const slugsOf = (...indexes: number[]) => indexes.map((index) => shared.teams[index]?.slug ?? '').toSorted()

  test('contains those teams of the token in which the caller is an owner', async () => {
    const [first, second, third] = shared.teams.map(({ id }) => id)
    const member = await createUser(database)
    for (const team of [...shared.teams, shared.foreign]) await join(database, team, member, 'member')
    await personalToken(database, member)
    expect(await tokensOf(member.id)).toEqual([slugsOf(0, 1, 2)])
    await database.prisma.accessToken.updateMany({
      where: { userId: member.id },
      data: { teamIds: [first ?? '', second ?? '', third ?? ''], revokedTeamIds: [second ?? ''] },
    })
    expect(await tokensOf(member.id)).toEqual([slugsOf(0, 2)])
    await database.prisma.member.updateMany({ where: { userId: shared.owner.id, teamId: third ?? '' }, data: { role: 'member' } })
    expect(await tokensOf(member.id)).toEqual([slugsOf(0)])
    await database.prisma.member.updateMany({ where: { userId: shared.owner.id, teamId: third ?? '' }, data: { role: 'owner' } })
    const { data } = await executeAs(
      service,
      operator,
      `{ team(slug: "${slug}") { personalTokens { nodes { user { userId } teams { slug } } } } }`,
    )
    const found = data.team.personalTokens.nodes.find(({ user }: any) => user.userId === member.id)
    expect(found.teams.map((team: any) => team.slug)).toEqual(slugsOf(0, 2))
  })
})

describe('PersonalToken.teamObjects', () => {
  test('contains the teams that the token is limited to, and is null without a limit', async () => {
    const [first, second] = shared.teams
    const where = { userId: shared.owner.id }
    await database.prisma.accessToken.updateMany({
      where,
      data: { teamIds: [first?.id ?? '', shared.foreign.id], revokedTeamIds: [second?.id ?? ''] },
    })
    const document = '{ viewer { tokens { nodes { teams teamObjects { slug } revokedTeamObjects { slug } } } } }'
    const limited = await executeAs(service, shared.principal, document)
    expect(limited.data.viewer.tokens.nodes[0]).toEqual({
      teams: [first?.slug ?? '', shared.foreign.slug].toSorted(),
      teamObjects: [{ slug: first?.slug }],
      revokedTeamObjects: [{ slug: second?.slug }],
    })
    await database.prisma.accessToken.updateMany({ where, data: { teamIds: [], revokedTeamIds: [] } })
    const unlimited = await executeAs(service, shared.principal, document)
    expect(unlimited.data.viewer.tokens.nodes[0]).toEqual({ teams: null, teamObjects: null, revokedTeamObjects: [] })
  })
})

describe('Person.memberships', () => {
  test('contains the memberships in the teams whose members the caller may see', async () => {
    const person = await createUser(database)
    for (const team of [...shared.teams, shared.foreign]) await join(database, team, person, team === shared.foreign ? 'owner' : 'member')
    const selection = 'memberships { total nodes { role team { slug } } } membershipsConnection { totalCount nodes { id } }'
    const read = `query ($id: ID!) { team(slug: "${slug}") { member(id: $id) { user { ${selection} } } } }`
    const { user } = (await graphql(service, token, read, { id: person.id })).data.team.member
    expect(user.memberships.nodes).toEqual(
      shared.teams.map((team) => ({ role: 'MEMBER', team: { slug: team.slug } })).toSorted((a, b) => (a.team.slug < b.team.slug ? -1 : 1)),
    )
    expect([user.memberships.total, user.membershipsConnection.totalCount, user.membershipsConnection.nodes.length]).toEqual([3, 3, 3])
    const all = (await executeAs(service, operator, read, { id: person.id })).data.team.member.user
    expect([all.memberships.total, all.membershipsConnection.totalCount]).toEqual([4, 4])
    const owned = `query ($id: ID!) { team(slug: "${slug}") { member(id: $id) { user { memberships(role: OWNER) { total } } } } }`
    expect((await graphql(service, token, owned, { id: person.id })).data.team.member.user.memberships.total).toBe(0)
    const tokenOfTeam = await teamToken(database, shared.teams[0] ?? shared.foreign)
    expect((await graphql(service, tokenOfTeam, read, { id: person.id })).data.team.member.user.memberships.total).toBe(1)
  })

  test('is refused without the scope to read members', async () => {
    const own = await personalToken(database, shared.owner, { scopes: ['acct:team:access:read'] })
    const { data, errors } = await graphql(
      service,
      own,
      `{ team(slug: "${slug}") { grants(perPage: 1) { nodes { user { name memberships { total } } } } } }`,
    )
    expect(data.team.grants.nodes).toEqual([{ user: { name: expect.any(String), memberships: null } }])
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['insufficient_scope'])
  })
})

test('SolelyOwnedTeam.team is the team', async () => {
  const { team, owner } = await createOwnedTeam(database)
  const document = '{ viewer { solelyOwnedTeams { slug team { slug name } } } }'
  const { data } = await executeAs(service, await sessionOf(service, owner), document)
  expect(data.viewer.solelyOwnedTeams).toEqual([{ slug: team.slug, team: { slug: team.slug, name: team.name } }])
})
