import { describe, expect, test } from 'vitest'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import type { Scope } from '../../../schema/core/scopes.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { graphql } from '../../support/http/graphql.ts'
import { mutate } from '../../support/http/mutate.ts'
import { createIdentity } from '../../support/identities/identity.ts'
import { clientToken, machineToken } from '../../support/oauth/clients/machines.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'

// docs/decisions/tokens.md#by-a-token: which credential may rotate or revoke which token.

const service = useService()
const { database } = service
const { prisma } = database

const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day)
const write: Scope = 'acct:team:tokens:write'
const withoutWrite = tokenScopes.filter((scope) => scope !== write)

/** A team with an owner, a billing user and a member; what every row of the tables is created in. */
async function createWorld() {
  const { team, owner } = await createOwnedTeam(database)
  const [member, billing] = [await createUser(database), await createUser(database)]
  await join(database, team, member, 'member')
  await join(database, team, billing, 'billing')
  return { team, owner, member, billing }
}
type World = Awaited<ReturnType<typeof createWorld>>

const idOf = async (value: string) => (await prisma.accessToken.findUniqueOrThrow({ where: { hash: sha256(value) } })).id

const targets = {
  'a team token with every scope': ({ team }: World) => teamToken(database, team),
  'a team token that reads invoices': ({ team }: World) => teamToken(database, team, { scopes: ['acct:team:invoices:read'] }),
  'a team token for a day': ({ team }: World) => teamToken(database, team, { expiresAt: inDays(1) }),
  'a team token for 60 days': ({ team }: World) => teamToken(database, team, { expiresAt: inDays(60) }),
  'a token of another team': async () => teamToken(database, await createTeam(database)),
  'a personal token of the owner': ({ owner }: World) => personalToken(database, owner, { expiresAt: inDays(1) }),
  'a personal token of the member': ({ member }: World) => personalToken(database, member, { expiresAt: inDays(1) }),
}

const grantToken = async (world: World, user: 'owner' | 'member', scopes: readonly Scope[], expiresAt = inDays(365)) =>
  accessToken(database, await createGrant(database, world[user], { team: world.team, scopes, expiresAt }))
async function limitedToken({ owner, team }: World, limitedTo: 'it' | 'another') {
  const value = await personalToken(database, owner, { expiresAt: inDays(365) })
  const { id } = limitedTo === 'it' ? team : await createTeam(database)
  await prisma.accessToken.update({ where: { hash: sha256(value) }, data: { teamIds: [id] } })
  return value
}
async function identityToken({ team }: World) {
  const id = await createIdentity(service, team, { scopes: [...tokenScopes] })
  return machineToken(database, id, { scopes: tokenScopes, expiresAt: inDays(0.01) })
}

const credentials = {
  'a team token': ({ team }: World) => teamToken(database, team),
  'a team token with the scope alone': ({ team }: World) => teamToken(database, team, { scopes: [write] }),
  'a team token without the scope': ({ team }: World) => teamToken(database, team, { scopes: withoutWrite }),
  'a team token for 30 days': ({ team }: World) => teamToken(database, team, { expiresAt: inDays(30) }),
  'a personal token of the owner': ({ owner }: World) => personalToken(database, owner, { expiresAt: inDays(30) }),
  'a personal token without the scope': ({ owner }: World) => personalToken(database, owner, { scopes: withoutWrite }),
  'a personal token of the member': ({ member }: World) => personalToken(database, member),
  'a personal token of the billing user': ({ billing }: World) => personalToken(database, billing),
  'a personal token of the owner for the team': (world: World) => limitedToken(world, 'it'),
  'a personal token of the owner for another team': (world: World) => limitedToken(world, 'another'),
  'an app of the owner': (world: World) => grantToken(world, 'owner', [...tokenScopes, 'offline_access'], inDays(90)),
  'an app of the owner without refresh': (world: World) => grantToken(world, 'owner', tokenScopes),
  'an app of the owner with the scope alone': (world: World) => grantToken(world, 'owner', [write, 'offline_access']),
  'an app of the owner without the scope': (world: World) => grantToken(world, 'owner', [...withoutWrite, 'offline_access']),
  'an app of the member': (world: World) => grantToken(world, 'member', [...tokenScopes, 'offline_access']),
  'a client of the team': ({ team }: World) => clientToken(database, team),
  'a client of the team with the scope alone': ({ team }: World) => clientToken(database, team, { scopes: [write] }),
  'a client of another team': async () => clientToken(database, await createTeam(database)),
  'a workload identity of the team': identityToken,
}

type Outcome = 'done' | 'insufficient_scope' | 'role_required' | 'session_required' | 'not_found'
const [done, scope, role, session, none] = ['done', 'insufficient_scope', 'role_required', 'session_required', 'not_found'] as const

const rows: [credential: keyof typeof credentials, target: keyof typeof targets, rotate: Outcome, revoke: Outcome][] = [
  ['a team token', 'a team token with every scope', done, done],
  ['a team token', 'a team token for 60 days', done, done],
  ['a team token', 'a token of another team', none, none],
  ['a team token', 'a personal token of the owner', none, none],
  ['a team token with the scope alone', 'a team token with every scope', scope, done],
  ['a team token with the scope alone', 'a team token that reads invoices', scope, done],
  ['a team token without the scope', 'a team token that reads invoices', scope, scope],
  ['a team token without the scope', 'a token of another team', scope, scope],
  ['a team token for 30 days', 'a team token with every scope', session, done],
  ['a team token for 30 days', 'a team token for 60 days', session, done],
  ['a team token for 30 days', 'a team token for a day', done, done],
  ['a personal token of the owner', 'a team token for a day', done, done],
  ['a personal token of the owner', 'a team token with every scope', session, done],
  ['a personal token of the owner', 'a token of another team', none, none],
  ['a personal token of the owner', 'a personal token of the owner', session, session],
  ['a personal token of the owner', 'a personal token of the member', none, none],
  ['a personal token without the scope', 'a team token for a day', scope, scope],
  ['a personal token of the member', 'a team token for a day', role, role],
  ['a personal token of the billing user', 'a team token for a day', role, role],
  ['a personal token of the owner for the team', 'a team token for a day', done, done],
  ['a personal token of the owner for another team', 'a team token for a day', none, none],
  ['an app of the owner', 'a team token for a day', done, done],
  ['an app of the owner', 'a team token for 60 days', done, done],
  ['an app of the owner', 'a team token with every scope', session, done],
  ['an app of the owner', 'a personal token of the owner', session, session],
  ['an app of the owner without refresh', 'a team token for a day', session, done],
  ['an app of the owner with the scope alone', 'a team token that reads invoices', scope, done],
  ['an app of the owner without the scope', 'a team token for a day', scope, scope],
  ['an app of the member', 'a team token for a day', role, role],
  ['a client of the team', 'a team token with every scope', done, done],
  ['a client of the team', 'a token of another team', none, none],
  ['a client of the team', 'a personal token of the owner', none, none],
  ['a client of the team with the scope alone', 'a team token that reads invoices', scope, done],
  ['a client of another team', 'a team token for a day', none, none],
  ['a workload identity of the team', 'a team token with every scope', session, done],
]

const rotation = 'mutation ($id: ID!) { rotateToken(input: { id: $id }) { value token { __typename } } }'
const revocation = 'mutation ($id: ID!) { revokeToken(input: { id: $id }) { token { __typename } } }'

describe.each(rows)('%s', (credential, target, rotate, revoke) => {
  test.each([
    ['rotates', rotation, rotate],
    ['revokes', revocation, revoke],
  ])(`${target}: %s`, async (_, document, expected) => {
    const world = await createWorld()
    const value = await targets[target](world)
    const id = await idOf(value)
    const before = await prisma.accessToken.findUniqueOrThrow({ where: { id } })
    const { refusal } = await mutate(service, await credentials[credential](world), document, { id })
    expect(refusal?.code ?? 'done').toBe(expected)
    const after = await prisma.accessToken.findUniqueOrThrow({ where: { id } })
    if (expected === 'done') expect(after).not.toEqual(before)
    else expect(after).toEqual(before)
  })
})

test('a refusal for missing scopes names those of the token that the caller lacks', async () => {
  const { team } = await createWorld()
  const id = await idOf(await teamToken(database, team, { scopes: ['teams', 'acct:team:read', write] }))
  const { errors } = await graphql(service, await teamToken(database, team, { scopes: [write, 'teams'] }), rotation, { id })
  expect(errors[0]?.extensions).toMatchObject({ code: 'insufficient_scope', scopes: ['acct:team:read'] })
})
