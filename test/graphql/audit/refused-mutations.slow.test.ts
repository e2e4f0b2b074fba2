import { describe, expect, test } from 'vitest'
import type { Principal } from '../../../schema/core/principals.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, teamToken } from '../../support/data/team.ts'
import { readAllRows } from '../../support/graphql/all-rows.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'

const service = useService()
const { database } = service
const { prisma } = database

/** Error codes for a user outside the team. `validation_failed`: an invitation to another address. */
const rejectionCodes = ['team_forbidden', 'not_found', 'session_required', 'operator_only', 'validation_failed']
/** Error codes for a credential without scopes. */
const scopelessCodes = ['insufficient_scope', 'session_required', 'operator_only']

describe.each(Object.entries(scenarios))('%s', (_, { document, prepare }) => {
  test('writes no audit entry and changes nothing when it is rejected', async () => {
    const context = await createScenarioContext(service)
    const { principal, variables } = await prepare(context)
    const user = principal.kind === 'user' ? principal : await sessionOf(service, context.owner)
    const outsider = await sessionOf(service, await createUser(database))
    const scopelessPrincipals: Principal[] = [
      { ...user, authenticationMethod: 'personal_token', scopes: new Set() },
      {
        kind: 'team',
        authenticationMethod: 'team_token',
        name: 'CI',
        clientId: null,
        credentialId: 'x',
        scopes: new Set(),
        teams: user.teams,
        expiresAt: null,
      },
    ]
    const outsiders: Principal[] = [
      { ...outsider, authenticationMethod: 'personal_token' },
      {
        ...outsider,
        authenticationMethod: 'oauth',
        client: { clientId: 'client', name: 'Client', team: null, grantExpiresAt: new Date() },
      },
    ]
    const codeFor = async (principal: Principal) => (await executeAs(service, principal, document, variables)).refusal?.code
    const [rows, entries] = [await readAllRows(service), await prisma.auditEntry.count()]
    for (const principal of scopelessPrincipals) expect(scopelessCodes).toContain(await codeFor(principal))
    for (const principal of outsiders) expect(rejectionCodes).toContain(await codeFor(principal))
    expect(await readAllRows(service)).toEqual(rows)
    expect(await prisma.auditEntry.count()).toBe(entries)
  })
})

test('a mutation with invalid input writes no audit entry', async () => {
  const { team, owner } = await createOwnedTeam(database)
  const session = await sessionOf(service, owner)
  const entries = await prisma.auditEntry.count()
  const invalid = {
    validation_failed: [
      `updateTeam(input: { team: "${team.slug}", name: " " })`,
      `createTeamToken(input: { team: "${team.slug}", name: "CI", scopes: ["unknown"] })`,
    ],
    already_member: [`inviteMember(input: { team: "${team.slug}", email: "${owner.email}", role: MEMBER })`],
    last_owner: [
      `updateMember(input: { team: "${team.slug}", userId: "${owner.id}", role: MEMBER })`,
      `removeMember(input: { team: "${team.slug}", userId: "${owner.id}" })`,
    ],
  }
  for (const [code, mutations] of Object.entries(invalid))
    for (const mutation of mutations)
      expect((await executeAs(service, session, `mutation { ${mutation} { __typename } }`)).refusal?.code).toBe(code)
  expect(
    (await executeAs(service, operator, `mutation { deleteUser(input: { email: "${owner.email}" }) { __typename } }`)).refusal?.code,
  ).toBe('last_owner')
  expect(await prisma.auditEntry.count()).toBe(entries)
})

test('an audit entry for an HTTP request contains the token and the request ID', async () => {
  const { team, owner, token } = await createOwnedTeam(database)
  const tokens = [token, await teamToken(database, team)]
  const stored = await prisma.accessToken.findMany({
    where: { OR: [{ userId: owner.id }, { teamId: team.id }] },
    orderBy: { createdAt: 'asc' },
  })
  const expected = [
    {
      actorKind: 'user',
      authenticationMethod: 'personal_token',
      clientName: null,
      actorName: owner.name,
      actorUserId: owner.id,
      credentialId: stored[0]?.id,
    },
    { actorKind: 'team', authenticationMethod: 'team_token', actorName: 'test', actorUserId: null, credentialId: stored[1]?.id },
  ]
  for (const [index, each] of tokens.entries()) {
    const name = `Named ${index}`
    const { headers } = await graphql(
      service,
      each,
      `mutation { updateTeam(input: { team: "${team.slug}", name: "${name}" }) { team { name } } }`,
    )
    expect(await prisma.auditEntry.findMany({ where: { requestId: headers.get('x-request-id') ?? '' } })).toEqual([
      {
        id: expect.anything(),
        at: expect.any(Date),
        action: 'updateTeam',
        teamId: team.id,
        subject: team.slug,
        subjectName: null,
        before: { name: index === 0 ? 'Acme' : 'Named 0' },
        after: { name },
        clientName: null,
        reason: null,
        requestId: headers.get('x-request-id'),
        ...expected[index],
      },
    ])
  }
})
