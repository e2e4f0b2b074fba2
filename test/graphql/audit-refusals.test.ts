import { describe, expect, test } from 'vitest'
import type { Principal } from '../../schema/context.ts'
import { graphql } from '../support/graphql.ts'
import { executeAs, operator, sessionOf } from '../support/in-process.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createUser, teamToken } from '../support/team.ts'
import { everything } from './everything.ts'
import { scenarios, surroundings } from './mutation-scenarios.ts'

const service = await startService()
const { database } = service
const { prisma } = database

/** What a stranger is told; an invitation is for another address (`validation_failed`), a session's action for no token. */
const refusals = ['team_forbidden', 'not_found', 'insufficient_scope', 'validation_failed']

describe.each(Object.entries(scenarios))('%s', (_, { document, make }) => {
  test('that is refused writes no entry and changes nothing', async () => {
    const around = await surroundings(service)
    const { as, variables } = await make(around)
    const person = as.kind === 'user' ? as : await sessionOf(service, around.owner)
    const stranger = await sessionOf(service, await createUser(database))
    const withoutScopes: Principal[] = [
      { ...person, via: 'personal_token', scopes: new Set() },
      { kind: 'team', via: 'team_token', name: 'CI', credentialId: 'x', scopes: new Set(), teams: person.teams, expiresAt: null },
    ]
    const strangers: Principal[] = [
      { ...stranger, via: 'personal_token' },
      { ...stranger, via: 'oauth', client: { clientId: 'client', team: null } },
    ]
    const codeFor = async (principal: Principal) => (await executeAs(service, principal, document, variables)).refusal?.code
    const [rows, entries] = [await everything(service), await prisma.auditEntry.count()]
    for (const principal of withoutScopes) expect(await codeFor(principal)).toBe('insufficient_scope')
    for (const principal of strangers) expect(refusals).toContain(await codeFor(principal))
    expect(await everything(service)).toEqual(rows)
    expect(await prisma.auditEntry.count()).toBe(entries)
  })
})

test('what does not validate writes no entry either', async () => {
  const { team, owner } = await createOwnedTeam(database)
  const session = await sessionOf(service, owner)
  const entries = await prisma.auditEntry.count()
  const wrong = {
    validation_failed: [
      `updateTeam(input: { team: "${team.slug}", name: " " })`,
      `createTeamToken(input: { team: "${team.slug}", name: "CI", scopes: ["nope"] })`,
    ],
    already_member: [`inviteMember(input: { team: "${team.slug}", email: "${owner.email}", role: MEMBER })`],
    last_owner: [
      `updateMember(input: { team: "${team.slug}", userId: "${owner.id}", role: MEMBER })`,
      `removeMember(input: { team: "${team.slug}", userId: "${owner.id}" })`,
    ],
  }
  for (const [code, mutations] of Object.entries(wrong))
    for (const mutation of mutations)
      expect((await executeAs(service, session, `mutation { ${mutation} { __typename } }`)).refusal?.code).toBe(code)
  expect(
    (await executeAs(service, operator, `mutation { deleteUser(input: { email: "${owner.email}" }) { __typename } }`)).refusal?.code,
  ).toBe('last_owner')
  expect(await prisma.auditEntry.count()).toBe(entries)
})

test('over HTTP the entry names the token and the request', async () => {
  const { team, owner, token } = await createOwnedTeam(database)
  const tokens = [token, await teamToken(database, team)]
  const stored = await prisma.accessToken.findMany({
    where: { OR: [{ userId: owner.id }, { teamId: team.id }] },
    orderBy: { createdAt: 'asc' },
  })
  const expected = [
    { actorKind: 'user', via: 'personal_token', actorName: owner.name, actorUserId: owner.id, credentialId: stored[0]?.id },
    { actorKind: 'team', via: 'team_token', actorName: 'test', actorUserId: null, credentialId: stored[1]?.id },
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
        requestId: headers.get('x-request-id'),
        ...expected[index],
      },
    ])
  }
})
