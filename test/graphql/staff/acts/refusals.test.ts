import { beforeAll, expect, test } from 'vitest'
import type { Principal } from '../../../../schema/core/principals.ts'
import { graphql } from '../../../support/http/graphql.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../../support/data/team.ts'
import type { OwnedTeam } from '../../../support/data/team.ts'
import { createStaff, staffToken } from '../../../support/graphql/staff/staff.ts'
import { accessToken, createGrant } from '../../../support/oauth/oauth-rows.ts'
import { anonymous, executeAs, operator, sessionOf } from '../../../support/service/in-process.ts'
import { useService } from '../../../support/service/service.ts'
import type { User } from '../../../../prisma/generated/client/client.ts'

// Credentials that must not be sufficient to read as staff. Each gets the same response, whatever it asks for.

const service = useService()
const { database, clock } = service
const { prisma } = database
let owned: OwnedTeam
let staff: User
beforeAll(async () => {
  owned = await createOwnedTeam(database, { slug: 'acme' })
  staff = await createStaff(database)
  await join(database, owned.team, staff, 'owner')
})

const reads = [
  '__typename',
  'users { total }',
  'team(slug: "acme") { slug }',
  'team(slug: "no-such-team") { slug }',
  'teamState(slug: "acme") { tokenCount webhooks { host } }',
  'teamState(slug: "no-such-team") { tokenCount }',
  'clients(state: SUBMITTED) { total }',
  'client(clientId: "no-such-client") { name }',
  'tokens { nodes { hint } }',
  'auditEntriesConnection { totalCount }',
  'account(id: "00000000-0000-4000-8000-000000000000") { hasPassword }',
  'mails { total }',
  'mail(id: "00000000-0000-4000-8000-000000000000") { state }',
]
const documentOf = (selection: string) => `{ staff { ${selection} } }`
const auditCount = () => prisma.auditEntry.count()

/** The error of every read with a token, which all have to be equal. */
async function refusalOf(token: string) {
  const before = await auditCount()
  const responses = await Promise.all(reads.map((selection) => graphql(service, token, documentOf(selection))))
  expect(await auditCount()).toBe(before)
  const texts = responses.map(({ status, data, errors }) =>
    JSON.stringify([status, data, errors.map(({ message, path, extensions }) => [message, path, extensions?.code])]),
  )
  expect(new Set(texts).size).toBe(1)
  return JSON.parse(texts[0] ?? '')
}
const notFound = [200, { staff: null }, [['Not Found.', ['staff'], 'not_found']]]

const credentials: Record<string, () => Promise<string>> = {
  'a personal token of staff without the scope': () => personalToken(database, staff),
  'a personal token with the scope of a user who is not staff': () =>
    personalToken(database, owned.owner, { scopes: ['acct:staff:read', 'teams'] }),
  'a personal token of staff that is limited to teams': async () => {
    const value = await staffToken(database, staff)
    const [token] = await prisma.accessToken.findMany({ where: { userId: staff.id }, orderBy: { createdAt: 'desc' }, take: 1 })
    await prisma.accessToken.update({ where: { id: token?.id ?? '' }, data: { teamIds: [owned.team.id] } })
    return value
  },
  'a team token with the scope in the database': () => teamToken(database, owned.team, { scopes: ['acct:staff:read', 'teams'] }),
  'an OAuth access token of staff with the scope in the database': async () => {
    const grant = await createGrant(database, staff, { scopes: ['openid', 'teams', 'acct:staff:read'] })
    await prisma.oAuthClient.update({ where: { id: grant.client.id }, data: { optionalScopes: ['teams', 'acct:staff:read'] } })
    return accessToken(database, grant)
  },
}

test.each(Object.entries(credentials))('%s receives not_found for every field of staff', async (_, create) => {
  expect(await refusalOf(await create())).toEqual(notFound)
})

test('a user receives not_found from the next request after leaving the staff, and the data after joining it again', async () => {
  const user = await createStaff(database)
  const token = await staffToken(database, user)
  const query = documentOf('team(slug: "acme") { slug }')
  expect((await graphql(service, token, query)).data).toEqual({ staff: { team: { slug: 'acme' } } })
  const set = (isStaff: boolean) =>
    executeAs(service, operator, 'mutation ($input: SetStaffInput!) { setStaff(input: $input) { user { email } } }', {
      input: { email: user.email, isStaff },
    })
  await set(false)
  expect(await refusalOf(token)).toEqual(notFound)
  await set(true)
  expect((await graphql(service, token, query)).data).toEqual({ staff: { team: { slug: 'acme' } } })
})

test('a disabled user who is staff is not authenticated', async () => {
  const user = await createStaff(database)
  const token = await staffToken(database, user)
  await prisma.user.update({ where: { id: user.id }, data: { disabledAt: clock.now() } })
  expect((await graphql(service, token, documentOf('__typename'))).status).toBe(401)
})

test('a session reads as staff only if its user is staff; visitors never do', async () => {
  const codeFor = async (principal: Principal) => (await executeAs(service, principal, documentOf('users { total }'))).refusal?.code
  expect(await codeFor(await sessionOf(service, staff))).toBeUndefined()
  expect(await codeFor(await sessionOf(service, await createUser(database)))).toBe('not_found')
  expect(await codeFor(anonymous)).toBe('not_found')
})

test('viewer.can returns not_found for the field, and allows it to staff', async () => {
  const query = '{ viewer { can(field: "Query.staff") { isAllowed reason scopes } } }'
  const canOf = async (token: string) => (await graphql(service, token, query)).data.viewer.can
  const scopes = ['acct:staff:read']
  expect(await canOf(owned.token)).toEqual({ isAllowed: false, reason: 'NOT_FOUND', scopes })
  expect(await canOf(await staffToken(database, staff))).toEqual({ isAllowed: true, reason: null, scopes })
})

test('staff have no fields that change something', async () => {
  const { errors } = await graphql(
    service,
    await staffToken(database, staff),
    'mutation { updateTeam(input: { team: "acme", name: "x" }) { team { slug } } }',
  )
  expect(errors[0]?.extensions?.code).toBe('insufficient_scope')
})
