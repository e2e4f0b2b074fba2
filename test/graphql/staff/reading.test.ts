import { assertObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { schema } from '../../../schema/index.ts'
import { createTeam, createUser, join, personalToken, teamToken, unique } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
let staff: User
let token: string
let team: Team
let owner: User
const tag = unique('needle')
beforeAll(async () => {
  staff = await createStaff(database)
  token = await staffToken(database, staff)
  team = await createTeam(database, { slug: tag, name: 'Haystack Ltd', timezone: 'Europe/Kyiv' })
  owner = await createUser(database, { email: `${tag}@example.test`, name: 'Ada' })
  await join(database, team, owner, 'owner')
})

const read = async (selection: string, variables: Record<string, unknown> = {}, declared = '') => {
  const { data, errors } = await graphql(service, token, `query ${declared} { staff { ${selection} } }`, variables)
  return errors.length > 0 ? errors : data.staff
}

describe('staff', () => {
  test('finds users by part of the name or address, and reads one', async () => {
    await createUser(database, { name: `The ${tag}`, disabledAt: clock.now() })
    const selection = '{ total nodes { userId email name disabledAt isStaff } }'
    const { users } = await read(`users(search: "${tag.toUpperCase()}", orderBy: { field: NAME, direction: ASC }) ${selection}`)
    expect(users.nodes.map(({ name }: User) => name)).toEqual(['Ada', `The ${tag}`])
    expect(users.total).toBe(2)
    expect((await read(`users(search: "${tag}", isDisabled: true) { total }`)).users.total).toBe(1)
    expect((await read(`users(search: "${tag}", isDisabled: false) { nodes { name } }`)).users.nodes).toEqual([{ name: 'Ada' }])
    expect((await read('users(isStaff: true) { nodes { email isStaff } }')).users.nodes).toEqual([{ email: staff.email, isStaff: true }])
    const { user } = await read(`user(id: "${owner.id}") { id email createdAt }`)
    expect(user).toEqual({ id: expect.any(String), email: owner.email, createdAt: expect.any(String) })
    expect((await read(`user(id: "${user.id}") { email }`)).user).toEqual({ email: owner.email })
  })

  test('finds teams by part of the slug or name, with their properties and members, without being a member', async () => {
    const deleted = await createTeam(database, { name: `Former ${tag}`, deletedAt: clock.now() })
    const selection = `{ nodes { id slug name timezone avatarUrl createdAt members(search: "ada") { total nodes { id email role } } } }`
    const { teams } = await read(`teams(search: "${tag}") ${selection}`)
    expect(teams.nodes).toEqual([
      {
        id: expect.any(String),
        slug: tag,
        name: 'Haystack Ltd',
        timezone: 'Europe/Kyiv',
        avatarUrl: expect.any(String),
        createdAt: expect.any(String),
        members: { total: 1, nodes: [{ id: expect.any(String), email: owner.email, role: 'OWNER' }] },
      },
    ])
    expect((await read(`teams(search: "${tag}", isDeleted: true) { nodes { slug } }`)).teams.nodes).toEqual([{ slug: deleted.slug }])
    expect((await read(`team(slug: "${deleted.slug}") { name }`)).team).toEqual({ name: `Former ${tag}` })
  })

  test('finds clients by identifier, name or publisher, without the hashes of their secrets', async () => {
    const { client } = await createGrant(database, owner)
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { publisher: tag } })
    await prisma.oAuthClientSecret.create({ data: { oauthClientId: client.id, hash: Buffer.alloc(32, 7) } })
    const { clients } = await read(`clients(search: "${tag}") { nodes { clientId redirectUris secrets { expiresAt } } }`)
    expect(clients.nodes).toEqual([{ clientId: client.clientId, redirectUris: client.redirectUris, secrets: [{ expiresAt: null }] }])
  })

  test('finds tokens of users and teams by owner, kind, name and last characters, without their values', async () => {
    await personalToken(database, owner, { scopes: ['teams'] })
    const value = await teamToken(database, team, { scopes: ['flow:rules:read'] })
    const selection = '{ nodes { kind name hint scopes team { slug name } user { email } } }'
    const ofTeam = { kind: 'TEAM', name: 'test', hint: `tat_…${value.slice(-4)}`, scopes: ['flow:rules:read'] }
    expect((await read(`tokens(team: "${tag}") ${selection}`)).tokens.nodes).toEqual([
      { ...ofTeam, team: { slug: tag, name: 'Haystack Ltd' }, user: null },
    ])
    expect((await read(`tokens(team: "${tag}", search: "${value.slice(-4)}") { total }`)).tokens.total).toBe(1)
    expect((await read(`tokens(user: "${owner.email.toUpperCase()}", live: true) ${selection}`)).tokens.nodes).toEqual([
      expect.objectContaining({ kind: 'PERSONAL', team: null, user: { email: owner.email } }),
    ])
    expect((await read(`tokens(kind: TEAM, scope: "flow:rules:read", unusedSince: "2999-01-01T00:00:00Z") { total }`)).tokens.total).toBe(1)
    expect((await read('tokens(team: "no-such-team") { total }')).tokens.total).toBe(0)
  })

  test('finds audit entries of all teams and of none', async () => {
    await executeAs(
      service,
      await sessionOf(service, owner),
      'mutation ($slug: String!) { updateTeam(input: { team: $slug, name: "New" }) { team { slug } } }',
      {
        slug: tag,
      },
    )
    await executeAs(service, operator, `mutation { disableUser(input: { email: "${owner.email}" }) { user { email } } }`)
    const selection = '{ nodes { entry { action actorName subject } team { slug } actor { email } } }'
    expect((await read(`auditEntries(team: "${tag}", action: UPDATE_TEAM) ${selection}`)).auditEntries.nodes).toEqual([
      { entry: { action: 'UPDATE_TEAM', actorName: 'Ada', subject: tag }, team: { slug: tag }, actor: { email: owner.email } },
    ])
    expect((await read(`auditEntries(subject: "${owner.id}", actorKind: OPERATOR) ${selection}`)).auditEntries.nodes).toEqual([
      { entry: { action: 'DISABLE_USER', actorName: 'tester', subject: owner.id }, team: null, actor: null },
    ])
    await prisma.user.update({ where: { id: owner.id }, data: { disabledAt: null } })
  })

  test.each(['auditEntries', 'tokens'])('filters and sorts %s by the arguments of the list of a team', (list) => {
    const argumentsOf = (typeName: string) => {
      const field = assertObjectType(schema.getType(typeName)).getFields()[list]
      return field?.args.map(({ name, type }) => `${name}: ${type.toString()}`) ?? []
    }
    expect(argumentsOf('Team').length).toBeGreaterThan(5)
    expect(argumentsOf('Staff')).toEqual(expect.arrayContaining(argumentsOf('Team')))
  })

  test('pages through connections', async () => {
    const after = (cursor?: string) =>
      read(
        'usersConnection(first: 1, after: $after) { edges { node { email } } pageInfo { endCursor hasNextPage } }',
        { after: cursor },
        '($after: String)',
      )
    const emails: string[] = []
    for (let page = (await after()).usersConnection; ; page = (await after(page.pageInfo.endCursor)).usersConnection) {
      emails.push(...page.edges.map((edge: any) => edge.node.email))
      if (!page.pageInfo.hasNextPage) break
    }
    const stored = await prisma.user.findMany({ orderBy: { email: 'asc' } })
    expect(emails).toEqual(stored.map(({ email }) => email))
  })

  test('cannot read what requires a membership or a session of the owner', async () => {
    const needsMembership = [
      'invoices { total }',
      'tokens { total }',
      'auditEntries { total }',
      'invitations { total }',
      'grants { total }',
      'apps { total }',
      'invoiceTotals { total }',
      'memberTotals { count }',
      'membersWithoutTwoFactor { total }',
      'people { total }',
      'access { total }',
    ]
    for (const selection of needsMembership) {
      const errors = await read(`team(slug: "${tag}") { slug ${selection} }`)
      expect([selection, errors[0]?.extensions?.code]).toEqual([selection, 'team_forbidden'])
    }
    const errors = await read(`user(id: "${owner.id}") { tokens { total } }`)
    expect(errors[0]?.extensions?.code).toBe('operator_only')
  })

  test('reads a team without a membership only through the field staff', async () => {
    for (const query of [
      `{ team(slug: "${tag}") { name } }`,
      `{ staff { team(slug: "${tag}") { name } } team(slug: "${tag}") { name } }`,
    ]) {
      const { data, errors } = await graphql(service, token, query)
      expect([data.team, errors.map(({ extensions }) => extensions?.code)]).toEqual([null, ['team_forbidden']])
    }
  })

  test('receives not_found for a user or team that does not exist', async () => {
    for (const selection of [
      'user(id: "00000000-0000-4000-8000-000000000000") { email }',
      'user(id: "x") { email }',
      'team(slug: "no-such-team") { slug }',
      'team(slug: "\\u0000") { slug }',
    ])
      expect((await read(selection))[0].extensions.code).toBe('not_found')
  })

  test('reads pages with a number of statements that does not depend on their length', async () => {
    const count = async (perPage: number) => {
      service.statements.length = 0
      await read(`tokens(perPage: ${perPage}) { nodes { team { slug name members { total } } user { email } } }`)
      return service.statements.filter((text) => !text.includes('last_used_at = u.at')).length
    }
    const others = await Promise.all(Array.from({ length: 8 }, () => createTeam(database)))
    for (const other of others) await teamToken(database, other)
    expect(await count(50)).toBe(await count(10))
  })
})
