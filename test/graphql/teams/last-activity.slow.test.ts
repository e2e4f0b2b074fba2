import { describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { openAs, signedIn } from '../../support/account-site/page-content.ts'
import { createLastUsed } from '../../../src/auth/delayed-writes/last-used.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { authorizationUrl, createClient, createPerson } from '../../support/oauth/oauth.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { holdLocks } from '../../support/processes/locks.ts'
import { isFull } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma, pool } = database

/** Creates a team with a second member, who was never active. */
async function teamWithMember(member?: User) {
  const owned = await createOwnedTeam(database)
  const person = member ?? (await createPerson(database))
  await join(database, owned.team, person, 'member')
  return { owned, person, activity: () => activityOf(owned, person) }
}

/** When the user was last active, as the owner of the team reads it. */
async function activityOf({ team, token }: OwnedTeam, { id }: User): Promise<string | null> {
  const { data } = await graphql(service, token, `{ team(slug: "${team.slug}") { people { nodes { userId lastActiveAt } } } }`)
  return data.team.people.nodes.find(({ userId }: { userId: string }) => userId === id).lastActiveAt
}

const minute = () => new Date(Math.floor(clock.now().getTime() / 60_000) * 60_000).toISOString()
const ask = (token: string) => graphql(service, token, '{ viewer { name } }')

describe('a member becomes active', () => {
  test('with the use of a personal token', async () => {
    const { person, activity } = await teamWithMember()
    expect(await activity()).toBeNull()
    const token = await personalToken(database, person)
    const earliest = minute()
    expect((await ask(token)).errors).toEqual([])
    await expect.poll(activity).not.toBeNull()
    expect([earliest, minute()]).toContain(await activity())
  })

  test('with the use of a grant', async () => {
    const { person, activity } = await teamWithMember()
    const token = await accessToken(database, await createGrant(database, person))
    expect((await ask(token)).errors).toEqual([])
    await expect.poll(activity).not.toBeNull()
  })

  test('with the sign-in, and stays so after the sign-out', async () => {
    const { person, activity } = await teamWithMember()
    const { browser, page } = await openAs(service, person, '/security')
    await expect.poll(activity).not.toBeNull()
    const active = await activity()
    await browser.press(page, 'Sign out')
    expect(await prisma.session.count({ where: { userId: person.id } })).toBe(0)
    expect(await activity()).toBe(active)
  })

  test('with the use of a session', async () => {
    const { user, browser } = await signedIn(service)
    const { activity } = await teamWithMember(user)
    await expect.poll(activity).not.toBeNull()
    clock.advance(3_600_000)
    const earliest = minute()
    await browser.open('/security')
    await expect.poll(async () => (await activity()) ?? '').toSatisfy((at: string) => at >= earliest)
  })

  test.runIf(isFull)('with the authorization of a client in a session', async () => {
    const { user, browser } = await signedIn(service)
    const { activity } = await teamWithMember(user)
    await expect.poll(activity).not.toBeNull()
    clock.advance(3_600_000)
    const earliest = minute()
    await browser.open(authorizationUrl(service, await createClient(database)).url.href)
    await expect.poll(async () => (await activity()) ?? '').toSatisfy((at: string) => at >= earliest)
  })
})

test('the use of a team token does not make its creator active', async () => {
  const { owned, person, activity } = await teamWithMember()
  const token = await teamToken(database, owned.team)
  await prisma.accessToken.updateMany({ where: { teamId: owned.team.id }, data: { createdById: person.id } })
  await graphql(service, token, `{ team(slug: "${owned.team.slug}") { name } }`)
  await expect.poll(() => prisma.accessToken.count({ where: { teamId: owned.team.id, lastUsedAt: null } })).toBe(0)
  expect(await activity()).toBeNull()
})

test('the last activity never moves backwards', async () => {
  const { person, activity } = await teamWithMember()
  const lastActiveAt = new Date(clock.now().getTime() + 86_400_000)
  await prisma.user.update({ where: { id: person.id }, data: { lastActiveAt } })
  await ask(await personalToken(database, person))
  await expect.poll(() => prisma.accessToken.count({ where: { userId: person.id, lastUsedAt: null } })).toBe(0)
  expect(await activity()).toBe(lastActiveAt.toISOString())
})

describe('while a transaction has locked a user', () => {
  test('the activity of others is recorded, and the transaction can change the tokens in use', async () => {
    const { owned, person } = await teamWithMember()
    const other = await createUser(database)
    await join(database, owned.team, other, 'member')
    const [token, otherToken] = [await personalToken(database, person), await personalToken(database, other)]
    const lock = await holdLocks(pool, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [person.id])
    await Promise.all([ask(token), ask(otherToken)])
    await expect.poll(() => activityOf(owned, other)).not.toBeNull()
    await lock.session.query('UPDATE access_tokens SET revoked_at = now() WHERE user_id = $1', [person.id])
    await lock.commit()
    expect(await activityOf(owned, person)).toBeNull()
  })

  test('the activity is recorded with the next use', async () => {
    const { person, activity } = await teamWithMember()
    const token = await personalToken(database, person)
    const lock = await holdLocks(pool, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [person.id])
    await ask(token)
    await expect.poll(() => prisma.accessToken.count({ where: { userId: person.id, lastUsedAt: null } })).toBe(0)
    await lock.commit()
    expect(await activity()).toBeNull()
    clock.advance(60_000)
    await ask(token)
    await expect.poll(activity).not.toBeNull()
  })
})

test('accounts are deleted while two processes record the use of their tokens, in 10 rounds', async () => {
  const failures: unknown[] = []
  const open = () => createLastUsed(database, clock.now, (error) => failures.push(error))
  const [one, other] = [open(), open()]
  for (let round = 0; round < 10; round++) {
    const people = await Promise.all(Array.from({ length: 10 }, () => createUser(database)))
    await Promise.all([...people, ...people].map((person) => personalToken(database, person)))
    const tokens = await prisma.accessToken.findMany({ where: { userId: { in: people.map(({ id }) => id) } } })
    for (const { id } of tokens) one.record(id, null)
    for (const { id } of tokens.toReversed()) other.record(id, null)
    await Promise.all([one.close(), other.close(), ...people.map(({ id }) => pool.query('DELETE FROM users WHERE id = $1', [id]))])
  }
  expect(failures).toEqual([])
})

describe('a caller who may not change members', () => {
  test('does not see the activity of members, neither as a value nor by the order or a cursor', async () => {
    const { owned, person } = await teamWithMember()
    const { team, owner } = owned
    const token = await personalToken(database, person)
    const others = await Promise.all(Array.from({ length: 4 }, () => createUser(database)))
    for (const each of others) await join(database, team, each, 'member')
    const read = async () => {
      const list = (args: string) => `peopleConnection(first: 5, ${args}) { edges { cursor } nodes { userId lastActiveAt hasTwoFactor } }`
      const orders = ['ASC', 'DESC'].map((direction) => `${direction}: ${list(`orderBy: { field: LAST_ACTIVE, direction: ${direction} }`)}`)
      const { data, errors } = await graphql(service, token, `{ team(slug: "${team.slug}") { ${orders.join(' ')} } }`)
      expect(errors).toEqual([])
      return data.team
    }
    const before = await read()
    for (const [index, { id }] of [owner, ...others].entries())
      await prisma.user.update({ where: { id }, data: { lastActiveAt: new Date(Date.now() - ((index * 7) % 5) * 86_400_000) } })
    const after = await read()
    expect(after).toEqual(before)
    expect(after.ASC.nodes.map(({ lastActiveAt }: any) => lastActiveAt)).toEqual(Array.from({ length: 5 }, () => null))
  })
})

test('one member has the activity and the two-factor authentication for those who may change members, and null for others', async () => {
  const { owned, person } = await teamWithMember()
  await prisma.user.update({ where: { id: person.id }, data: { lastActiveAt: '2030-01-01T00:00:00Z', totpSecret: Buffer.alloc(20) } })
  const own = await personalToken(database, person)
  const limited = await personalToken(database, owned.owner, { scopes: ['acct:team:members:read'] })
  const query = `{ team(slug: "${owned.team.slug}") { member(id: "${person.id}") { lastActiveAt hasTwoFactor } } }`
  const read = async (token: string) => (await graphql(service, token, query)).data.team.member
  expect(await read(owned.token)).toEqual({ lastActiveAt: '2030-01-01T00:00:00.000Z', hasTwoFactor: true })
  for (const token of [own, limited]) expect(await read(token)).toEqual({ lastActiveAt: null, hasTwoFactor: null })
})
