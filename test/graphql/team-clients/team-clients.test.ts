import { describe, expect, test } from 'vitest'
import { createOwnedTeam, createUser, join, teamToken, unique } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { createTeamClient, executeWith } from '../../support/oauth/clients/team-client.ts'
import { operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { globalId } from '../../../schema/core/global-id.ts'

const service = useService()
const { database } = service

const fields = 'clientId name confidential team state verified publisher redirectUris rejectionReason ownerTeamSlug version'
const register = `mutation ($input: CreateTeamClientInput!) { createTeamClient(input: $input) { clientSecret client { ${fields} } } }`
const registration = {
  name: 'Planner',
  confidential: true,
  redirectUris: ['https://planner.example/cb'],
  grantTypes: ['authorization_code'],
  requiredScopes: ['openid'],
}

async function ownerOfTeam() {
  const { team, owner } = await createOwnedTeam(database)
  return { team, owner, session: await sessionOf(service, owner) }
}

describe('a client of a team', () => {
  test('is registered by an owner as a draft with a secret, and found by the team alone', async () => {
    const { team, session } = await ownerOfTeam()
    const input = { team: team.slug, ...registration, teamMode: 'REQUIRED', publisher: 'Acme GmbH' }
    const { data } = await executeWith(service, session, register, { input })
    const { client, clientSecret } = data.createTeamClient
    expect(clientSecret).toMatch(/^[\w-]{43}$/)
    expect(client).toEqual({
      clientId: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Planner',
      confidential: true,
      team: 'REQUIRED',
      state: 'DRAFT',
      verified: false,
      publisher: 'Acme GmbH',
      redirectUris: ['https://planner.example/cb'],
      rejectionReason: null,
      ownerTeamSlug: team.slug,
      version: expect.any(String),
    })
    const find = `query ($team: String!, $id: ID!) { team(slug: $team) { client(id: $id) { ${fields} } clients { total nodes { ${fields} } } } }`
    const own = await executeWith(service, session, find, { team: team.slug, id: client.clientId })
    expect(own.data.team).toEqual({ client, clients: { total: 1, nodes: [client] } })
    const other = await ownerOfTeam()
    const foreign = await executeWith(service, other.session, find, { team: other.team.slug, id: client.clientId })
    expect(foreign.code).toBe('not_found')
  })

  test('is found by its global id by owners, with the refusal for any other client by everyone else', async () => {
    const { client, session, team } = await createTeamClient(service)
    const ofOperator = await createClient(database)
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const other = await ownerOfTeam()
    const node = async (principal: Parameters<typeof executeWith>[1], clientId: string) => {
      const id = globalId({ type: 'OAuthClient', key: [clientId] })
      const { data, code } = await executeWith(service, principal, 'query ($id: ID!) { node(id: $id) { id } }', { id })
      return code ?? data.node.id === id
    }
    expect(await node(session, client.clientId)).toBe(true)
    expect(await node(operator, client.clientId)).toBe(true)
    expect(await node(await sessionOf(service, member), client.clientId)).toBe('role_required')
    for (const clientId of [client.clientId, ofOperator.clientId, 'unknown'])
      expect(await node(other.session, clientId)).toBe('operator_only')
    expect(await node(session, ofOperator.clientId)).toBe('operator_only')
  })

  test('is listed by name or registration, filtered by state and text', async () => {
    const { team, session } = await ownerOfTeam()
    const ownerTeamId = team.id
    for (const [index, [name, state]] of (
      [
        ['beta', 'draft'],
        ['Alpha', 'listed'],
        ['gamma', 'draft'],
      ] as const
    ).entries())
      await createClient(database, { ownerTeamId, name, state, createdAt: new Date(Date.UTC(2026, 1, index)) })
    const names = async (args: string) => {
      const { data } = await executeWith(service, session, `{ team(slug: "${team.slug}") { clients${args} { nodes { name } } } }`)
      return data.team.clients.nodes.map(({ name }: { name: string }) => name)
    }
    expect(await names('')).toEqual(['gamma', 'Alpha', 'beta'])
    expect(await names('(orderBy: { field: NAME, direction: ASC })')).toEqual(['Alpha', 'beta', 'gamma'])
    expect(await names('(state: DRAFT)')).toEqual(['gamma', 'beta'])
    expect(await names('(search: "ALPH")')).toEqual(['Alpha'])
  })

  test('is read with a token that may read tokens, of an owner or of the team, and not by other roles', async () => {
    const { team, client } = await createTeamClient(service)
    const document = `{ team(slug: "${team.slug}") { clients { nodes { clientId } } } }`
    const allowed = await graphql(service, await teamToken(database, team, { scopes: ['acct:team:tokens:read'] }), document)
    expect(allowed.data.team.clients.nodes).toEqual([{ clientId: client.clientId }])
    const { errors } = await graphql(service, await teamToken(database, team, { scopes: ['acct:team:read'] }), document)
    expect(errors[0]?.extensions?.code).toBe('insufficient_scope')
  })

  test('gets a new secret, and is deleted with its grants', async () => {
    const { client, session } = await createTeamClient(service)
    const rotate =
      'mutation ($id: ID!) { rotateTeamClientSecret(input: { clientId: $id, overlapSeconds: 60 }) { clientSecret client { secrets { expiresAt } } } }'
    const { data } = await executeWith(service, session, rotate, { id: client.clientId })
    expect(data.rotateTeamClientSecret.clientSecret).not.toBe(client.secret)
    expect(data.rotateTeamClientSecret.client.secrets).toEqual([{ expiresAt: null }, { expiresAt: expect.any(String) }])
    const remove = 'mutation ($id: ID!) { deleteTeamClient(input: { clientId: $id }) { client { name } } }'
    expect((await executeWith(service, session, remove, { id: client.clientId })).code).toBeUndefined()
    expect(await database.prisma.oAuthClient.findUnique({ where: { id: client.id } })).toBeNull()
  })
})

describe('registration', () => {
  test('is refused for the eleventh client, also if two requests come at once', async () => {
    const { team, session } = await ownerOfTeam()
    for (let count = 0; count < 9; count++) await createClient(database, { ownerTeamId: team.id })
    const input = { team: team.slug, ...registration }
    const outcomes = await Promise.all([1, 2].map(() => executeWith(service, session, register, { input })))
    expect(outcomes.filter(({ code }) => code === 'validation_failed')).toHaveLength(1)
    const { messages } = await executeWith(service, session, register, { input })
    expect(messages).toEqual({ team: ['A team can have 10 clients. Delete one to register another.'] })
    expect(await database.prisma.oAuthClient.count({ where: { ownerTeamId: team.id } })).toBe(10)
  })

  test.each([
    ['reviewed', 'DRAFT'],
    ['open', 'LISTED'],
  ] as const)('where it is %s creates a client in the state %s', async (clientRegistration, state) => {
    const { team, session } = await ownerOfTeam()
    const input = { team: team.slug, ...registration, name: unique('Planner') }
    const { data } = await executeWith(service, session, register, { input }, { clientRegistration })
    expect(data.createTeamClient.client.state).toBe(state)
  })

  test('where it is closed is refused to owners, while their clients remain', async () => {
    const { team, session, client } = await createTeamClient(service)
    const input = { team: team.slug, ...registration }
    const closed = { clientRegistration: 'closed' } as const
    expect(await executeWith(service, session, register, { input }, closed)).toMatchObject({
      code: 'validation_failed',
      messages: { team: ['Teams cannot register clients at this service. Ask its operator.'] },
    })
    expect((await executeWith(service, operator, register, { input }, closed)).code).toBeUndefined()
    const describe = `mutation ($id: ID!) { updateTeamClient(input: { clientId: $id, description: "New" }) { client { description } } }`
    expect((await executeWith(service, session, describe, { id: client.clientId }, closed)).data.updateTeamClient.client.description).toBe(
      'New',
    )
  })

  test('has no member with which a team could verify itself or choose an identifier', async () => {
    const { team, session } = await ownerOfTeam()
    for (const member of ['verified: true', 'clientId: "mine"']) {
      const document = `mutation { createTeamClient(input: { team: "${team.slug}", name: "A", confidential: false, grantTypes: [], ${member} }) { client { name } } }`
      await expect(executeWith(service, session, document)).rejects.toThrow(member.split(':')[0])
    }
  })
})
