import { beforeAll, describe, expect, test } from 'vitest'
import { createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { clientToken } from '../../support/oauth/clients/machines.ts'
import { createTeamClient, executeWith } from '../../support/oauth/clients/team-client.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Who may change the clients of a team: owners, in a session. Recent sign-in is in permissions/recent-sign-in.test.ts.

const service = useService()
const { database } = service

const changes = {
  createTeamClient: (_: string, team: string) =>
    `createTeamClient(input: { team: "${team}", name: "Evil", confidential: false, redirectUris: ["https://a.example/cb"], grantTypes: ["authorization_code"], requiredScopes: ["openid"] })`,
  updateTeamClient: (id: string) => `updateTeamClient(input: { clientId: "${id}", name: "Evil" })`,
  submitTeamClient: (id: string) => `submitTeamClient(input: { clientId: "${id}" })`,
  rotateTeamClientSecret: (id: string) => `rotateTeamClientSecret(input: { clientId: "${id}" })`,
  revokeClientAccess: (id: string) => `revokeClientAccess(input: { clientId: "${id}" })`,
  deleteTeamClient: (id: string) => `deleteTeamClient(input: { clientId: "${id}" })`,
}
type Mutation = keyof typeof changes

let owned: Awaited<ReturnType<typeof createTeamClient>>
beforeAll(async () => {
  owned = await createTeamClient(service, { grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'] })
})

/** Executes a mutation with each kind of caller, and returns the code of the refusal. */
const callers: Record<string, (document: string) => Promise<unknown>> = {
  'a member': (document) => inSession(document, 'member'),
  'a billing member': (document) => inSession(document, 'billing'),
  'an owner of another team': async (document) => {
    const [team, user] = [await createTeam(database), await createUser(database)]
    await join(database, team, user, 'owner')
    return (await executeWith(service, await sessionOf(service, user), document)).code
  },
  'a member of the staff': async (document) =>
    (await executeWith(service, await sessionOf(service, await createUser(database, { staff: true })), document)).code,
  'a personal token of an owner': async (document) => withToken(await personalToken(database, owned.owner), document),
  'a token of the team': async (document) => withToken(await teamToken(database, owned.team), document),
  'a client for an owner': async (document) => withToken(await accessToken(database, await createGrant(database, owned.owner)), document),
  'a client of the team itself': async (document) => withToken(await clientToken(database, owned.team), document),
}

async function inSession(document: string, role: 'member' | 'billing') {
  const user = await createUser(database)
  await join(database, owned.team, user, role)
  return (await executeWith(service, await sessionOf(service, user), document)).code
}
const withToken = async (token: string, document: string) => (await graphql(service, token, document)).errors[0]?.extensions?.code

const refusals: Record<string, (mutation: Mutation) => string> = {
  'a member': () => 'role_required',
  'a billing member': () => 'role_required',
  // A client is found by its identifier alone: that it exists is not revealed.
  'an owner of another team': (mutation) => (mutation === 'createTeamClient' ? 'team_forbidden' : 'not_found'),
  'a member of the staff': (mutation) => (mutation === 'createTeamClient' ? 'team_forbidden' : 'not_found'),
}

const rows = Object.keys(changes).flatMap((mutation) => Object.keys(callers).map((caller) => [mutation as Mutation, caller] as const))

describe('a change of a client of a team', () => {
  test.each(rows)('%s is refused to %s', async (mutation, caller) => {
    const before = await database.prisma.oAuthClient.findUnique({ where: { id: owned.client.id }, include: { secrets: true } })
    const document = `mutation { ${changes[mutation](owned.client.clientId, owned.team.slug)} { __typename } }`
    expect(await callers[caller]?.(document)).toBe(refusals[caller]?.(mutation) ?? 'session_required')
    expect(await database.prisma.oAuthClient.findUnique({ where: { id: owned.client.id }, include: { secrets: true } })).toEqual(before)
    expect(await database.prisma.oAuthClient.count({ where: { name: 'Evil' } })).toBe(0)
  })
})
