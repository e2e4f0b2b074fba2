import { describe, expect, test } from 'vitest'
import { schema } from '../../schema/index.ts'
import type { Requirement } from '../../schema/requires.ts'
import { tokenScopes } from '../../schema/scopes.ts'
import { graphql } from '../support/graphql.ts'
import { executeAs, operator, sessionOf } from '../support/in-process.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/team.ts'

const service = await startService()
const { database } = service
const { prisma } = database
const id = '00000000-0000-4000-8000-000000000000'
const inDays = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000).toISOString()

/** A call of every mutation that is valid in form, for credentials that must not be enough. */
const calls: Record<string, (slug: string) => string> = {
  updateTeam: (slug) => `updateTeam(input: { team: "${slug}", name: "Evil" })`,
  createTeam: () => 'createTeam(input: { slug: "evil", name: "Evil" })',
  updateMember: (slug) => `updateMember(input: { team: "${slug}", userId: "${id}", role: OWNER })`,
  removeMember: (slug) => `removeMember(input: { team: "${slug}", userId: "${id}" })`,
  inviteMember: (slug) => `inviteMember(input: { team: "${slug}", email: "evil@example.test", role: MEMBER })`,
  resendInvitation: () => `resendInvitation(input: { id: "${id}" })`,
  revokeInvitation: () => `revokeInvitation(input: { id: "${id}" })`,
  acceptInvitation: () => 'acceptInvitation(input: { token: "x" })',
  declineInvitation: () => 'declineInvitation(input: { token: "x" })',
  createTeamToken: (slug) => `createTeamToken(input: { team: "${slug}", name: "Evil", scopes: ["teams"] })`,
  createPersonalToken: () => 'createPersonalToken(input: { name: "Evil", scopes: ["teams"], expiresAt: "2026-12-01T00:00:00Z" })',
  rotateToken: () => `rotateToken(input: { id: "${id}" })`,
  revokeToken: () => `revokeToken(input: { id: "${id}" })`,
  createUser: () => 'createUser(input: { email: "evil@example.test", name: "Evil" })',
  disableUser: () => 'disableUser(input: { email: "evil@example.test" })',
  enableUser: () => 'enableUser(input: { email: "evil@example.test" })',
  deleteUser: () => 'deleteUser(input: { email: "evil@example.test" })',
}
const fields = Object.values(schema.getMutationType()?.getFields() ?? {})

describe.each(fields.map((field) => [field.name, field] as const))('%s', async (name, field) => {
  const requires = field.extensions.requires as Requirement | undefined
  const { team, owner } = await createOwnedTeam(database)
  const call = calls[name]?.(team.slug) ?? ''
  const codeFor = async (token: string) => {
    const { errors } = await graphql(service, token, `mutation { ${call} { __typename } }`)
    return errors[0]?.extensions?.code
  }

  test('says what it requires', () => expect([requires?.scopes.length, requires?.via?.length]).not.toEqual([0, undefined]))

  if (requires?.via && !requires.via.includes('personal_token'))
    test('no token of any kind is enough', async () => {
      expect(await codeFor(await personalToken(database, owner))).toBe('insufficient_scope')
      expect(await codeFor(await teamToken(database, team))).toBe('insufficient_scope')
    })
  else
    test('every scope but its own is not enough', async () => {
      const scopes = tokenScopes.filter((scope) => !requires?.scopes.includes(scope))
      expect(await codeFor(await personalToken(database, owner, { scopes }))).toBe('insufficient_scope')
      expect(await codeFor(await teamToken(database, team, { scopes }))).toBe('insufficient_scope')
    })

  if (requires?.roles && call.includes(team.slug)) {
    test('another team’s owner is not enough', async () => {
      const other = await createOwnedTeam(database)
      expect(await codeFor(other.token)).toBe('team_forbidden')
      expect(await codeFor(await teamToken(database, other.team))).toBe('team_forbidden')
    })

    test('another role is not enough, in a session neither', async () => {
      for (const role of ['member', 'billing'] as const) {
        const user = await createUser(database)
        await join(database, team, user, role)
        const { refusal } = await executeAs(service, await sessionOf(service, user), `mutation { ${call} { __typename } }`)
        expect(refusal?.code).toBe('role_required')
      }
    })
  }
})

describe('tokens', () => {
  const createFor =
    'mutation ($team: String!, $scopes: [String!]!, $at: DateTime) { createTeamToken(input: { team: $team, name: "CI", scopes: $scopes, expiresAt: $at }) { value token { id hint createdBy { id } } } }'
  const createOwn =
    'mutation ($scopes: [String!]!, $at: DateTime!) { createPersonalToken(input: { name: "Laptop", scopes: $scopes, expiresAt: $at }) { value token { id } } }'
  const rotate =
    'mutation ($id: ID!, $overlap: Int) { rotateToken(input: { id: $id, overlapSeconds: $overlap }) { value token { ... on TeamToken { id } ... on PersonalToken { id } } } }'
  const revoke =
    'mutation ($id: ID!) { revokeToken(input: { id: $id }) { token { ... on TeamToken { revokedAt } ... on PersonalToken { revokedAt } } } }'
  const statusOf = async (token: string) => (await request(service, 'GET', '/api/v1/user', { token })).status

  test('created by an owner’s session open what they carry, until they are revoked', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const { data } = await executeAs(service, session, createFor, { team: team.slug, scopes: ['acct:team:read', 'acct:team:read'] })
    const { value, token } = data.createTeamToken
    expect(token).toEqual({ id: expect.any(String), hint: `tat_…${value.slice(-4)}`, createdBy: { id: owner.id } })
    expect((await request(service, 'GET', '/api/v1/user', { token: value })).body.scopes).toEqual(['acct:team:read'])
    expect((await executeAs(service, session, revoke, { id: token.id })).refusal).toBeNull()
    expect(await statusOf(value)).toBe(401)
  })

  test('rotated keep the old value for the overlap, and no longer', async () => {
    const owner = await createUser(database)
    const session = await sessionOf(service, owner)
    const { data } = await executeAs(service, session, createOwn, { scopes: ['teams'], at: inDays(30) })
    const { value, token } = data.createPersonalToken
    const rotated = (await executeAs(service, session, rotate, { id: token.id, overlap: 3600 })).data.rotateToken
    expect([await statusOf(value), await statusOf(rotated.value)]).toEqual([200, 200])
    service.clock.advance(3_600_000)
    expect([await statusOf(value), await statusOf(rotated.value)]).toEqual([401, 200])
    const again = (await executeAs(service, session, rotate, { id: rotated.token.id })).data.rotateToken
    expect([await statusOf(rotated.value), await statusOf(again.value)]).toEqual([401, 200])
    expect((await executeAs(service, session, rotate, { id: rotated.token.id })).refusal?.code).toBe('not_found')
  })

  test.each([
    [createOwn, { scopes: ['teams'], at: () => inDays(-1) }, { expiresAt: ['The expires at field must be a date in the future.'] }],
    [createOwn, { scopes: ['teams'], at: () => inDays(367) }, { expiresAt: ['The expires at field must be a date within a year.'] }],
    [createOwn, { scopes: ['nope'], at: () => inDays(1) }, { 'scopes.0': ['The selected scopes.0 is invalid.'] }],
    [createOwn, { scopes: ['openid'], at: () => inDays(1) }, { 'scopes.0': ['The selected scopes.0 is invalid.'] }],
    [createOwn, { scopes: [], at: () => inDays(1) }, { scopes: ['The scopes field must have at least 1 items.'] }],
  ])('%s with %j are refused', async (document, { scopes, at }, errors) => {
    const session = await sessionOf(service, await createUser(database))
    const { refusal } = await executeAs(service, session, document, { scopes, at: at() })
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', errors])
  })

  test('of others cannot be touched, nor told from none', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    const ofTeam = (await executeAs(service, session, createFor, { team: team.slug, scopes: ['teams'] })).data.createTeamToken.token.id
    const ofOwner = (await executeAs(service, session, createOwn, { scopes: ['teams'], at: inDays(1) })).data.createPersonalToken.token.id
    const stranger = await sessionOf(service, (await createOwnedTeam(database)).owner)
    for (const each of [ofTeam, ofOwner, id, 'x', '\0'])
      for (const document of [rotate, revoke])
        expect((await executeAs(service, stranger, document, { id: each })).refusal?.code).toBe('not_found')
    const member = await createUser(database)
    await join(database, team, member, 'member')
    expect((await executeAs(service, await sessionOf(service, member), revoke, { id: ofTeam })).refusal?.code).toBe('role_required')
  })

  test('a session creates for nobody else, the operator for whom they name', async () => {
    const person = await createUser(database)
    const other = await createUser(database)
    const document = createOwn.replace('expiresAt: $at', `expiresAt: $at, user: "${person.email}"`)
    const variables = { scopes: ['teams'], at: inDays(1) }
    expect((await executeAs(service, await sessionOf(service, other), document, variables)).refusal?.code).toBe('role_required')
    const { data } = await executeAs(service, operator, document, variables)
    expect((await request(service, 'GET', '/api/v1/user', { token: data.createPersonalToken.value })).body.id).toBe(person.id)
  })
})

describe('the last owner, with many at once', () => {
  const demote = (slug: string, userId: string) =>
    `mutation { updateMember(input: { team: "${slug}", userId: "${userId}", role: MEMBER }) { member { id } } }`
  const remove = (slug: string, userId: string) =>
    `mutation { removeMember(input: { team: "${slug}", userId: "${userId}" }) { member { id } } }`

  test.each([
    ['demoting each other', demote, demote],
    ['removing each other', remove, remove],
    ['demoting and removing', demote, remove],
  ])(
    'two owners %s at the same instant, 50 times: one succeeds, one is refused, one owner stays',
    { timeout: 60_000 },
    async (_, first, second) => {
      for (let round = 0; round < 50; round++) {
        const { team, owner, token } = await createOwnedTeam(database)
        const other = await createUser(database)
        await join(database, team, other, 'owner')
        const theirs = await personalToken(database, other)
        const answers = await Promise.all([
          graphql(service, token, first(team.slug, other.id)),
          graphql(service, theirs, second(team.slug, owner.id)),
        ])
        const codes = answers.map(({ errors }) => errors[0]?.extensions?.code ?? 'done').toSorted()
        // Who comes second is refused as the last owner, or, authenticated after the first, has lost role or team.
        expect(codes[0]).toBe('done')
        expect(['last_owner', 'role_required', 'team_forbidden']).toContain(codes[1])
        expect(await prisma.member.count({ where: { teamId: team.id, role: 'owner' } })).toBe(1)
      }
    },
  )

  test('an account that is a team’s last owner is not deleted', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const document = 'mutation ($email: String!) { deleteUser(input: { email: $email }) { user { id } } }'
    expect((await executeAs(service, operator, document, { email: owner.email })).refusal?.code).toBe('last_owner')
    await join(database, team, await createUser(database), 'owner')
    expect((await executeAs(service, operator, document, { email: owner.email })).refusal).toBeNull()
    expect(await prisma.user.count({ where: { id: owner.id } })).toBe(0)
  })
})

test('a slug or address that is taken is refused, also when two ask at once', async () => {
  const { slug } = await createTeam(database)
  const { email } = await createUser(database)
  const createTeamOf = 'mutation ($slug: String!) { createTeam(input: { slug: $slug, name: "T" }) { team { slug } } }'
  const createUserOf = 'mutation ($email: String!) { createUser(input: { email: $email, name: "N" }) { user { id } } }'
  expect((await executeAs(service, operator, createTeamOf, { slug })).refusal?.details.errors).toEqual({
    slug: ['The slug has already been taken.'],
  })
  expect((await executeAs(service, operator, createUserOf, { email: ` ${email.toUpperCase()}` })).refusal?.details.errors).toEqual({
    email: ['The email has already been taken.'],
  })
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => executeAs(service, operator, createTeamOf, { slug: `${slug}-2` })))
  expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(1)
})
