import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { graphql } from '../../support/http/graphql.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join, personalToken } from '../../support/data/team.ts'

// A change of a token, grant, client, user or membership takes effect at the next request. The response is the same as the
// response to another credential without these rights.

const service = useService()
const { database } = service
const { prisma } = database

/** Creates an owner of a team with a personal token, and an access token of a grant for the team. */
async function grantAccess() {
  const { team, owner, token: personal } = await createOwnedTeam(database)
  await join(database, team, await createUser(database), 'owner')
  const grant = await createGrant(database, owner, { team })
  return { team, owner, personal, grant, token: await accessToken(database, grant) }
}
type Context = Awaited<ReturnType<typeof grantAccess>>

/** Responses of REST to four requests, without request IDs, and their error codes. Checks that GraphQL returns the same codes. */
async function responsesTo(token: string, { team: { slug } }: Context) {
  const queries = {
    teams: ['/v1/teams', '{ teams { slug name } }'],
    team: [`/v1/teams/${slug}`, `{ team(slug: "${slug}") { name } }`],
    invoices: [`/v1/teams/${slug}/invoices`, `{ team(slug: "${slug}") { invoices { total } } }`],
    rules: ['/v1/rules/capabilities', '{ ruleCapabilities { maxRuleGroupDepth } }'],
  } as const
  const responses: Record<string, unknown> = {}
  const codes: Record<string, unknown> = {}
  for (const [name, [path, query]] of Object.entries(queries)) {
    const { status, headers, body } = await request(service, 'GET', `/api${path}`, { token })
    const graph = await graphql(service, token, query)
    expect(graph.errors[0]?.extensions?.code).toBe(body.code)
    expect([graph.status === 401, graph.headers.get('www-authenticate')]).toEqual([
      status === 401,
      status === 401 ? headers.get('www-authenticate')?.replaceAll('/api"', '/graphql"') : null,
    ])
    responses[name] = [status, { ...body, request_id: null }, headers.get('www-authenticate')]
    codes[name] = body.code ?? status
  }
  return { responses, codes }
}

const allAllowed = { teams: 200, team: 200, invoices: 200, rules: 200 }
const allUnauthenticated = { teams: 'unauthenticated', team: 'unauthenticated', invoices: 'unauthenticated', rules: 'unauthenticated' }
const noTeamAccess = { teams: 200, team: 'team_forbidden', invoices: 'team_forbidden', rules: 'role_required' }

const withoutTwoFactor = { teams: 200, team: 'two_factor_required', invoices: 'two_factor_required', rules: 'role_required' }

const unknownToken = () => Promise.resolve('A'.repeat(43))
const tokenOfUserWithoutTeam = async () => personalToken(database, await createUser(database))
const personalTokenOfOwner = ({ personal }: Context) => Promise.resolve(personal)

const tokenRow = ({ token }: Context) => ({ where: { idHash: sha256(token) } })
const membershipOf = ({ team, owner }: Context) => ({ where: { teamId_userId: { teamId: team.id, userId: owner.id } } })
const grantRow = ({ grant: { id } }: Context) => ({ where: { id } })
const clientRow = ({ grant: { client } }: Context) => ({ where: { id: client.id } })
const userRow = ({ owner: { id } }: Context) => ({ where: { id } })

interface Change {
  apply(context: Context): Promise<unknown>
  codes: object
  /** A credential that receives the same responses after the change. */
  equivalent(context: Context): Promise<string>
}

const changes: Record<string, Change> = {
  'the revocation of the access token': {
    apply: (context) => prisma.oidcModel.delete(tokenRow(context)),
    codes: allUnauthenticated,
    equivalent: unknownToken,
  },
  'the consumption of the access token': {
    apply: (context) => prisma.oidcModel.update({ ...tokenRow(context), data: { consumedAt: new Date() } }),
    codes: allUnauthenticated,
    equivalent: unknownToken,
  },
  'the expiry of the access token': {
    apply: (context) => prisma.oidcModel.update({ ...tokenRow(context), data: { expiresAt: new Date() } }),
    codes: allUnauthenticated,
    equivalent: unknownToken,
  },
  'the change of the stored kind to RefreshToken': {
    apply: (context) => prisma.oidcModel.update({ ...tokenRow(context), data: { kind: 'RefreshToken' } }),
    codes: allUnauthenticated,
    equivalent: unknownToken,
  },
  'the revocation of the grant': {
    apply: (context) => prisma.oAuthGrant.update({ ...grantRow(context), data: { revokedAt: new Date() } }),
    codes: allUnauthenticated,
    equivalent: unknownToken,
  },
  'the revocation of the chain': {
    apply: ({ grant }) => prisma.tokenChain.updateMany({ where: { grantId: grant.id }, data: { revokedAt: new Date() } }),
    codes: allUnauthenticated,
    equivalent: unknownToken,
  },
  'the expiry of the grant': {
    apply: (context) => prisma.oAuthGrant.update({ ...grantRow(context), data: { expiresAt: new Date() } }),
    codes: allUnauthenticated,
    equivalent: unknownToken,
  },
  'the disabling of the client': {
    apply: (context) => prisma.oAuthClient.update({ ...clientRow(context), data: { disabledAt: new Date() } }),
    codes: allUnauthenticated,
    equivalent: unknownToken,
  },
  'the deletion of the client': {
    apply: (context) => prisma.oAuthClient.delete(clientRow(context)),
    codes: allUnauthenticated,
    equivalent: unknownToken,
  },
  'the disabling of the user': {
    apply: (context) => prisma.user.update({ ...userRow(context), data: { disabledAt: new Date() } }),
    codes: allUnauthenticated,
    equivalent: personalTokenOfOwner,
  },
  'the deletion of the user': {
    apply: (context) => prisma.user.delete(userRow(context)),
    codes: allUnauthenticated,
    equivalent: personalTokenOfOwner,
  },
  'the removal of the team from the grant': {
    apply: (context) => prisma.oAuthGrant.update({ ...grantRow(context), data: { revokedTeamIds: { push: context.team.id } } }),
    codes: noTeamAccess,
    equivalent: tokenOfUserWithoutTeam,
  },
  'the removal of the user from the team': {
    apply: (context) => prisma.member.delete(membershipOf(context)),
    codes: noTeamAccess,
    equivalent: personalTokenOfOwner,
  },
  'the change of the user’s role to member': {
    apply: (context) => prisma.member.update({ ...membershipOf(context), data: { role: 'member' } }),
    codes: { ...allAllowed, invoices: 'role_required' },
    equivalent: personalTokenOfOwner,
  },
  'the end of the period in which the user can turn on two-factor authentication': {
    apply: ({ team: { id } }) => prisma.team.update({ where: { id }, data: { twoFactorRequiredAt: service.clock.now() } }),
    codes: withoutTwoFactor,
    equivalent: personalTokenOfOwner,
  },
  'the deletion of the team': {
    apply: ({ team: { id } }) => prisma.team.update({ where: { id }, data: { deletedAt: new Date() } }),
    codes: allUnauthenticated,
    equivalent: unknownToken,
  },
  'the transfer of the ownership': {
    apply: async (context) => {
      const session = await sessionOf(service, context.owner)
      const { user } = await prisma.member.findFirstOrThrow({
        where: { teamId: context.team.id, userId: { not: context.owner.id } },
        include: { user: true },
      })
      const transfer = `mutation { transferOwnership(input: { team: "${context.team.slug}", newOwner: "${user.email}", role: MEMBER }) { team { slug } } }`
      expect((await executeAs(service, session, transfer)).refusal).toBeNull()
    },
    codes: { ...allAllowed, invoices: 'role_required' },
    equivalent: personalTokenOfOwner,
  },
  'the reduction of the user’s applications': {
    apply: (context) => prisma.member.update({ ...membershipOf(context), data: { allApplications: false, applications: ['cert'] } }),
    codes: { ...allAllowed, rules: 'role_required' },
    equivalent: personalTokenOfOwner,
  },
}

describe.each(Object.entries(changes))('%s', (_, { apply, codes, equivalent }) => {
  test('takes effect at the next request', async () => {
    const context = await grantAccess()
    const before = await responsesTo(context.token, context)
    expect(before).toEqual(await responsesTo(context.personal, context))
    expect(before.codes).toEqual(allAllowed)
    await apply(context)
    const after = await responsesTo(context.token, context)
    expect(after).toEqual(await responsesTo(await equivalent(context), context))
    expect(after.codes).toEqual(codes)
  })
})

test('a user who left the selected team is still authenticated by the access token, without a team', async () => {
  const context = await grantAccess()
  await prisma.member.delete(membershipOf(context))
  expect((await request(service, 'GET', '/api/v1/teams', { token: context.token })).body).toEqual({ data: [] })
  const { status, body } = await request(service, 'GET', '/api/v1/user', { token: context.token })
  expect([status, body]).toMatchObject([200, { id: context.owner.id, team: null, teams: [] }])
  // The user joins again with another role; the grant does not depend on the role.
  await join(database, context.team, context.owner, 'member')
  expect((await request(service, 'GET', '/api/v1/user', { token: context.token })).body.team).toBe(context.team.slug)
})
