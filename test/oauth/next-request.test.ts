import { describe, expect, test } from 'vitest'
import { sha256 } from '../../schema/secret.ts'
import { graphql } from '../support/graphql.ts'
import { accessToken, createGrant } from '../support/oauth-rows.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createUser, join, personalToken } from '../support/team.ts'

// Whatever happens to an access token or around it counts at the next request, and is answered as it would be to
// another credential in that state.

const service = await startService()
const { database } = service
const { prisma } = database

async function connected() {
  const { team, owner, token: own } = await createOwnedTeam(database)
  await join(database, team, await createUser(database), 'owner')
  const grant = await createGrant(database, owner, { team })
  return { team, owner, own, grant, token: await accessToken(database, grant) }
}
type Connected = Awaited<ReturnType<typeof connected>>

/** What each door answers for each of these, but for the request's id. */
async function answersTo(token: string, { team: { slug } }: Connected) {
  const asked = {
    teams: ['/v1/teams', '{ teams { slug name } }'],
    team: [`/v1/teams/${slug}`, `{ team(slug: "${slug}") { name } }`],
    invoices: [`/v1/teams/${slug}/invoices`, `{ team(slug: "${slug}") { invoices { total } } }`],
    rules: ['/v1/rules/capabilities', '{ ruleCapabilities { maxRuleGroupDepth } }'],
  } as const
  const answers: Record<string, unknown> = {}
  const codes: Record<string, unknown> = {}
  for (const [name, [path, query]] of Object.entries(asked)) {
    const { status, headers, body } = await request(service, 'GET', `/api${path}`, { token })
    const graph = await graphql(service, token, query)
    expect(graph.errors[0]?.extensions?.code).toBe(body.code)
    expect([graph.status === 401, graph.headers.get('www-authenticate')]).toEqual([
      status === 401,
      status === 401 ? headers.get('www-authenticate') : null,
    ])
    answers[name] = [status, { ...body, request_id: null }, headers.get('www-authenticate')]
    codes[name] = body.code ?? status
  }
  return { answers, codes }
}

const everything = { teams: 200, team: 200, invoices: 200, rules: 200 }
const nothing = { teams: 'unauthenticated', team: 'unauthenticated', invoices: 'unauthenticated', rules: 'unauthenticated' }
const noTeam = { teams: 200, team: 'team_forbidden', invoices: 'team_forbidden', rules: 'role_required' }

const unknownToken = () => Promise.resolve('A'.repeat(43))
const ofStranger = async () => personalToken(database, await createUser(database))
const ofPerson = ({ own }: Connected) => Promise.resolve(own)

const artifact = ({ token }: Connected) => ({ where: { idHash: sha256(token) } })
const membership = ({ team, owner }: Connected) => ({ where: { teamId_userId: { teamId: team.id, userId: owner.id } } })
const grant = ({ grant: { id } }: Connected) => ({ where: { id } })
const client = ({ grant: { client } }: Connected) => ({ where: { id: client.id } })
const person = ({ owner: { id } }: Connected) => ({ where: { id } })

interface Row {
  happens(given: Connected): Promise<unknown>
  codes: object
  /** Whose answers are the same. */
  as(given: Connected): Promise<string>
}

const table: Record<string, Row> = {
  'a token revoked': { happens: (given) => prisma.oAuthArtifact.delete(artifact(given)), codes: nothing, as: unknownToken },
  'a token spent': {
    happens: (given) => prisma.oAuthArtifact.update({ ...artifact(given), data: { consumedAt: new Date() } }),
    codes: nothing,
    as: unknownToken,
  },
  'a token expired': {
    happens: (given) => prisma.oAuthArtifact.update({ ...artifact(given), data: { expiresAt: new Date() } }),
    codes: nothing,
    as: unknownToken,
  },
  'the value of another artifact': {
    happens: (given) => prisma.oAuthArtifact.update({ ...artifact(given), data: { kind: 'RefreshToken' } }),
    codes: nothing,
    as: unknownToken,
  },
  'the grant revoked': {
    happens: (given) => prisma.oAuthGrant.update({ ...grant(given), data: { revokedAt: new Date() } }),
    codes: nothing,
    as: unknownToken,
  },
  'the grant expired': {
    happens: (given) => prisma.oAuthGrant.update({ ...grant(given), data: { expiresAt: new Date() } }),
    codes: nothing,
    as: unknownToken,
  },
  'the client disabled': {
    happens: (given) => prisma.oAuthClient.update({ ...client(given), data: { disabledAt: new Date() } }),
    codes: nothing,
    as: unknownToken,
  },
  'the client deleted': { happens: (given) => prisma.oAuthClient.delete(client(given)), codes: nothing, as: unknownToken },
  'the person disabled': {
    happens: (given) => prisma.user.update({ ...person(given), data: { disabledAt: new Date() } }),
    codes: nothing,
    as: ofPerson,
  },
  'the person deleted': { happens: (given) => prisma.user.delete(person(given)), codes: nothing, as: ofPerson },
  'the team cut': {
    happens: (given) => prisma.oAuthGrant.update({ ...grant(given), data: { cutTeamIds: { push: given.team.id } } }),
    codes: noTeam,
    as: ofStranger,
  },
  'the person no longer a member': { happens: (given) => prisma.member.delete(membership(given)), codes: noTeam, as: ofPerson },
  'the person’s role lowered': {
    happens: (given) => prisma.member.update({ ...membership(given), data: { role: 'member' } }),
    codes: { ...everything, invoices: 'role_required' },
    as: ofPerson,
  },
  'the person’s applications narrowed': {
    happens: (given) => prisma.member.update({ ...membership(given), data: { allApplications: false, applications: ['cert'] } }),
    codes: { ...everything, rules: 'role_required' },
    as: ofPerson,
  },
}

describe.each(Object.entries(table))('%s', (_, { happens, codes, as }) => {
  test('counts at the next request', async () => {
    const given = await connected()
    const before = await answersTo(given.token, given)
    expect(before).toEqual(await answersTo(given.own, given))
    expect(before.codes).toEqual(everything)
    await happens(given)
    const after = await answersTo(given.token, given)
    expect(after).toEqual(await answersTo(await as(given), given))
    expect(after.codes).toEqual(codes)
  })
})

test('who left the selected team is still somebody, with no team to tell', async () => {
  const given = await connected()
  await prisma.member.delete(membership(given))
  expect((await request(service, 'GET', '/api/v1/teams', { token: given.token })).body).toEqual({ data: [] })
  const { status, body } = await request(service, 'GET', '/api/v1/user', { token: given.token })
  expect([status, body]).toMatchObject([200, { id: given.owner.id, team: null, teams: [] }])
  // Back in it, as a member: the grant was never about the role.
  await join(database, given.team, given.owner, 'member')
  expect((await request(service, 'GET', '/api/v1/user', { token: given.token })).body.team).toBe(given.team.slug)
})
