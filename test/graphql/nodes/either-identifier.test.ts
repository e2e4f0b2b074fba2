import { beforeAll, describe, expect, test } from 'vitest'
import { globalId } from '../../../schema/core/global-id.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Arguments take the identifier of REST or the global id.

const service = useService()
const { database } = service
let owned: OwnedTeam
let other: OwnedTeam
beforeAll(async () => {
  owned = await createOwnedTeam(database)
  other = await createOwnedTeam(database)
  for (const { team } of [owned, other]) {
    await createInvoice(database, team)
    await database.prisma.connectedApp.create({ data: { teamId: team.id, application: 'deploy', name: 'Deploy', status: 'active' } })
    await teamToken(database, team)
  }
})

const lists = [
  ['member', 'members', 'userId'],
  ['app', 'apps', 'appId'],
  ['invoice', 'invoices', 'invoiceId'],
  ['token', 'tokens', 'tokenId'],
] as const
const firstOf = async ({ team, token }: OwnedTeam, list: string, name: string) =>
  (await graphql(service, token, `{ team(slug: "${team.slug}") { ${list} { nodes { id ${name} } } } }`)).data.team[list].nodes[0]

describe('an argument', () => {
  test.each(lists)('of Team.%s takes the global id and the identifier of REST', async (field, list, name) => {
    const found = await firstOf(owned, list, name)
    for (const id of [found.id, name === 'appId' ? 'deploy' : found[name]]) {
      const document = `query ($id: ID!) { team(slug: "${owned.team.slug}") { ${field}(id: $id) { id ${name} } } }`
      expect((await graphql(service, owned.token, document, { id })).data.team[field]).toEqual(found)
    }
  })

  test.each(lists)('of Team.%s does not find the object of another team by its global id', async (field, list, name) => {
    const document = `query ($id: ID!) { team(slug: "${owned.team.slug}") { ${field}(id: $id) { id } } }`
    const { errors } = await graphql(service, owned.token, document, { id: (await firstOf(other, list, name)).id })
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['not_found'])
  })

  test('that names a team takes its global id', async () => {
    const { data } = await graphql(service, owned.token, `{ team(slug: "${owned.team.slug}") { id } }`)
    const document = 'query ($team: String!) { team(slug: $team) { slug } }'
    expect((await graphql(service, owned.token, document, { team: data.team.id })).data.team).toEqual({ slug: owned.team.slug })
    const rename = 'mutation ($team: String!) { updateTeam(input: { team: $team, name: "Renamed" }) { team { id name } } }'
    expect((await graphql(service, owned.token, rename, { team: data.team.id })).data.updateTeam.team).toEqual({
      id: data.team.id,
      name: 'Renamed',
    })
  })

  test('of a change takes the global id, and the audit entry has the identifier', async () => {
    const member = await createUser(database)
    await join(database, owned.team, member, 'member')
    const { id: memberId } = (
      await graphql(service, owned.token, `{ team(slug: "${owned.team.slug}") { member(id: "${member.id}") { id } } }`)
    ).data.team.member
    const update = `mutation ($id: ID!) { updateMember(input: { team: "${owned.team.slug}", userId: $id, role: BILLING }) { member { id userId role } } }`
    expect((await graphql(service, owned.token, update, { id: memberId })).data.updateMember.member).toEqual({
      id: memberId,
      userId: member.id,
      role: 'BILLING',
    })
    await personalToken(database, owned.owner)
    const session = await sessionOf(service, owned.owner)
    const [token] = (await executeAs(service, session, '{ viewer { tokens { nodes { id tokenId } } } }')).data.viewer.tokens.nodes
    const revoke = 'mutation ($id: ID!) { revokeToken(input: { id: $id }) { token { ... on PersonalToken { id } } } }'
    expect((await executeAs(service, session, revoke, { id: token.id })).data.revokeToken.token).toEqual({ id: token.id })
    const { subject } = await database.prisma.auditEntry.findFirstOrThrow({ where: { action: 'revokeToken' } })
    expect(subject).toBe(token.tokenId)
  })
})

describe('an argument with teams takes their slugs and global ids', () => {
  const idOf = (slug: string, type = 'Team') => globalId({ type, key: [slug] })

  test('in createPersonalToken, which counts the slug and the global id of a team as one team', async () => {
    const session = await sessionOf(service, owned.owner)
    const { slug } = owned.team
    const create = `mutation ($teams: [String!], $at: DateTime!) {
      createPersonalToken(input: { name: "Laptop", scopes: ["teams"], expiresAt: $at, teams: $teams }) { token { teams } } }`
    const at = new Date(service.clock.now().getTime() + 86_400_000).toISOString()
    for (const teams of [[slug], [idOf(slug)], [idOf(slug), slug]])
      expect((await executeAs(service, session, create, { teams, at })).data.createPersonalToken.token).toEqual({ teams: [slug] })
    const { refusal } = await executeAs(service, session, create, { teams: [idOf(other.team.slug)], at })
    expect(refusal?.details.errors).toEqual({ teams: ['The selected teams is invalid.'] })
  })

  test('in restoreTeam, with the global id of the team or that of the deleted team', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const restore = 'mutation ($team: String!) { restoreTeam(input: { team: $team }) { team { slug } } }'
    for (const name of [team.slug, idOf(team.slug), idOf(team.slug, 'DeletedTeam')]) {
      const session = await sessionOf(service, owner)
      await database.prisma.team.update({ where: { id: team.id }, data: { deletedAt: service.clock.now() } })
      expect((await executeAs(service, session, restore, { team: name })).data.restoreTeam.team).toEqual({ slug: team.slug })
    }
  })

  test.each(['slug', 'global id'])('in deleteAccount: the %s', async (form) => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const remove = 'mutation ($teams: [String!]) { deleteAccount(input: { deleteTeams: $teams }) { user { email } } }'
    const outcome = await executeAs(service, session, remove, { teams: [form === 'slug' ? team.slug : idOf(team.slug)] })
    expect(outcome.data.deleteAccount.user).toEqual({ email: owner.email })
    expect((await database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).deletedAt).not.toBeNull()
  })

  test('in the fields of Query.staff', async () => {
    const token = await staffToken(database, await createStaff(database))
    const query = `query ($slug: String!) { staff { team(slug: $slug) { slug } tokens(team: $slug) { total } auditEntries(team: $slug, action: REVOKE_TOKEN) { total } } }`
    const { data: bySlug } = await graphql(service, token, query, { slug: owned.team.slug })
    const { data: byId } = await graphql(service, token, query, { slug: idOf(owned.team.slug) })
    expect([byId, byId.staff.tokens.total]).toEqual([bySlug, 1])
  })
})

test('the argument clientId takes the global id of the client, as staff and as users see it', async () => {
  const { client } = await createGrant(database, owned.owner)
  await createGrant(database, owned.owner)
  const query = `query ($id: String) { team(slug: "${owned.team.slug}") { grants(clientId: $id) { nodes { client { clientId } } } } }`
  for (const id of [client.clientId, globalId({ type: 'GrantClient', key: [client.clientId] })]) {
    const { data } = await graphql(service, owned.token, query, { id })
    expect(data.team.grants.nodes).toEqual([{ client: { clientId: client.clientId } }])
    const found = await executeAs(service, operator, 'query ($id: ID!) { client(clientId: $id) { clientId } }', { id })
    expect(found.data.client).toEqual({ clientId: client.clientId })
  }
})

test('arguments that select by a user take the identifier, the global id, or a part of the name or address', async () => {
  const member = await createUser(database, { name: 'Margaret' })
  await join(database, owned.team, member, 'member')
  await personalToken(database, member)
  await createGrant(database, member, { team: owned.team })
  const lists = ['personalTokens', 'grants', 'access'].map((list) => `${list}(person: $user) { total }`).join(' ')
  const query = `query ($user: String) { team(slug: "${owned.team.slug}") { ${lists} } }`
  const byName = (await graphql(service, owned.token, query, { user: 'margare' })).data.team
  expect(byName).toEqual({ personalTokens: { total: 1 }, grants: { total: 1 }, access: { total: 2 } })
  const ids = [member.id, ...['Person', 'User'].map((type) => globalId({ type, key: [member.id] }))]
  ids.push(globalId({ type: 'TeamMember', key: [owned.team.slug, member.id] }))
  for (const user of ids) expect((await graphql(service, owned.token, query, { user })).data.team).toEqual(byName)
  const none = await graphql(service, owned.token, query, { user: globalId({ type: 'Person', key: [other.owner.id] }) })
  expect(none.data.team).toEqual({ personalTokens: { total: 0 }, grants: { total: 0 }, access: { total: 0 } })

  const entry = {
    action: 'updateProfile',
    actorKind: 'user',
    actorName: 'M',
    authenticationMethod: 'session',
    subject: 'x',
    requestId: 'r',
  }
  await database.prisma.auditEntry.create({ data: { ...entry, at: new Date(), actorUserId: member.id } })
  const staff = await staffToken(database, await createStaff(database))
  const ofStaff = 'query ($user: String) { staff { tokens(user: $user) { total } auditEntries(user: $user) { total } } }'
  for (const user of [member.email, ...ids])
    expect((await graphql(service, staff, ofStaff, { user })).data.staff).toEqual({ tokens: { total: 1 }, auditEntries: { total: 1 } })
})

test('mutations of clients take the global id, and their audit entries have the identifier', async () => {
  const { client } = await createGrant(database, owned.owner)
  await database.prisma.oAuthClient.update({ where: { id: client.id }, data: { confidential: true } })
  const clientId = globalId({ type: 'OAuthClient', key: [client.clientId] })
  const actions = ['disableClient', 'enableClient', 'updateClient', 'rotateClientSecret', 'deleteClient']
  for (const name of actions) {
    const input = `{ clientId: "${clientId}"${name === 'updateClient' ? ', name: "Renamed"' : ''} }`
    const { data } = await executeAs(service, operator, `mutation { ${name}(input: ${input}) { client { id clientId } } }`)
    expect([name, data[name].client]).toEqual([name, { id: clientId, clientId: client.clientId }])
  }
  const entries = await database.prisma.auditEntry.findMany({ where: { action: { in: actions } } })
  expect(entries.map(({ action, subject }) => `${action} ${subject}`).toSorted()).toEqual(
    actions.map((name) => `${name} ${client.clientId}`).toSorted(),
  )
  expect(await database.prisma.oAuthClient.findUnique({ where: { id: client.id } })).toBeNull()
})

describe('REST', () => {
  test('accepts only its own identifiers', async () => {
    const { id } = await firstOf(owned, 'members', 'userId')
    const { data } = await graphql(service, owned.token, `{ team(slug: "${owned.team.slug}") { id } }`)
    const statusOf = async (path: string) => (await request(service, 'GET', `/api/v1/teams/${path}`, { token: owned.token })).status
    expect([await statusOf(`${owned.team.slug}/members/${id}`), await statusOf(data.team.id), await statusOf(owned.team.slug)]).toEqual([
      404, 403, 200,
    ])
  })
})
