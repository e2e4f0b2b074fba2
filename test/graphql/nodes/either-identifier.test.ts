import { beforeAll, describe, expect, test } from 'vitest'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { createInvoice } from '../../support/data/invoice.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
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
