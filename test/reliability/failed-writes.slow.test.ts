import { beforeAll, describe, expect, test } from 'vitest'
import { heading, openAs } from '../support/account-site/page-content.ts'
import type { Team, User } from '../../prisma/generated/client/client.ts'
import { createTeam, join, personalToken } from '../support/data/team.ts'
import { graphql } from '../support/http/graphql.ts'
import { request } from '../support/http/request.ts'
import { useDisconnectableService } from '../support/oauth/disconnectable-service.ts'
import { createClient, authorize, exchangeCode, refresh, createPerson } from '../support/oauth/oauth.ts'

const { service, proxy } = useDisconnectableService()
const { database } = service
let team: Team
let owner: User
let token: string
beforeAll(async () => {
  owner = await createPerson(database)
  team = await createTeam(database)
  await join(database, team, owner, 'owner')
  token = await personalToken(database, owner)
  await database.pool.query(`
    CREATE FUNCTION fail_write() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'no % of the server', 'secret details' USING ERRCODE = current_setting('test.sqlstate'); END $$;`)
})

const nameOfTeam = async () => (await database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).name
const updateTeam = 'mutation ($input: UpdateTeamInput!) { updateTeam(input: $input) { team { name } } }'
const write = {
  REST: (name: string) => request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name } }),
  GraphQL: (name: string) => graphql(service, token, updateTeam, { input: { team: team.slug, name } }),
}

async function expectUnavailable(name: string) {
  const rest = await write.REST(name)
  const { headers } = rest
  expect([rest.status, headers.get('retry-after'), rest.body]).toEqual([
    503,
    '1',
    { message: 'Server Error', code: 'server_error', request_id: headers.get('x-request-id') },
  ])
}

const unknown = 'The change may or may not have been made. Check before you retry.'

describe.each([
  ['closed', 'before', false],
  ['closed', 'after', true],
  ['reset', 'before', false],
  ['reset', 'after', true],
] as const)('when the connection is %s %s the database receives COMMIT', (how, when, isWritten) => {
  test('REST responds with 503 and the code outcome_unknown, without Retry-After', async () => {
    const name = `REST ${how} ${when}`
    proxy.loseCommit(when, how)
    const { status, headers, body } = await write.REST(name)
    expect([status, headers.get('retry-after'), body]).toEqual([
      503,
      null,
      { message: unknown, code: 'outcome_unknown', request_id: headers.get('x-request-id') },
    ])
    expect((await nameOfTeam()) === name).toBe(isWritten)
  })

  test('GraphQL responds with 503 and the code outcome_unknown, without Retry-After', async () => {
    const name = `GraphQL ${how} ${when}`
    proxy.loseCommit(when, how)
    const { status, headers, errors } = await write.GraphQL(name)
    expect([status, headers.get('retry-after')]).toEqual([503, null])
    expect(errors).toMatchObject([{ message: unknown, extensions: { code: 'outcome_unknown', request_id: headers.get('x-request-id') } }])
    expect((await nameOfTeam()) === name).toBe(isWritten)
  })

  test('a page of the account site does not say that the change failed, with 503', async () => {
    const { browser, page } = await openAs(service, owner, `/teams/${team.slug}/settings`)
    const name = `Page ${how} ${when}`
    proxy.loseCommit(when, how)
    const response = await browser.press(page, 'Save', { Name: name })
    expect([heading(response), response.headers.get('retry-after')]).toEqual([[503, 'We don’t know whether your change was saved'], null])
    expect((await nameOfTeam()) === name).toBe(isWritten)
  })

  test('a request with Idempotency-Key that is repeated makes the change exactly once', async () => {
    const email = `${how}-${when}@example.com`
    const options = { token, headers: { 'Idempotency-Key': email }, body: { email, role: 'member' } }
    const invite = () => request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, options)
    proxy.loseCommit(when, how)
    expect((await invite()).body.code).toBe('outcome_unknown')
    expect([(await invite()).status, (await invite()).status]).toEqual([204, 204])
    expect(await database.prisma.invitation.count({ where: { email } })).toBe(1)
  })
})

/** Makes every write to a table fail with an SQLSTATE while `work` runs. */
async function failing<Result>(table: string, sqlState: string, work: () => Promise<Result>): Promise<Result> {
  await database.pool.query(`ALTER FUNCTION fail_write SET test.sqlstate = '${sqlState}';
    CREATE TRIGGER fail_write BEFORE INSERT OR UPDATE OR DELETE ON ${table} EXECUTE FUNCTION fail_write()`)
  try {
    return await work()
  } finally {
    await database.pool.query(`DROP TRIGGER fail_write ON ${table}`)
  }
}

describe('a write that PostgreSQL refuses', () => {
  test.each([
    ['53100', 'its disk is full'],
    ['53200', 'it is out of memory'],
    ['53300', 'it has too many connections'],
    ['53400', 'a configured limit is reached'],
    ['57P01', 'it shuts down'],
    ['57P02', 'it crashed'],
    ['57P03', 'it is starting'],
    ['57P05', 'the session was idle'],
    ['57014', 'the statement timed out'],
    ['58000', 'the system failed'],
    ['58030', 'its disk cannot be read'],
    ['08006', 'the connection failed'],
    ['25006', 'it is read-only'],
    ['40001', 'transactions conflict'],
    ['40P01', 'transactions are deadlocked'],
    ['55P03', 'a lock is taken'],
  ])('with SQLSTATE %s, because %s, is 503 with Retry-After at REST and GraphQL', async (sqlState) => {
    await failing('teams', sqlState, async () => {
      await expectUnavailable('New')
      const { status, headers, errors } = await write.GraphQL('New')
      expect([status, headers.get('retry-after'), errors[0]?.extensions?.code]).toEqual([503, '1', 'unavailable'])
    })
  })

  test('because its disk is full is 503 at the token endpoint, and the refresh token stays valid', async () => {
    const client = await createClient(database)
    const { body: tokens } = await exchangeCode(service, client, await authorize(service, client, owner))
    const { status, headers, body } = await failing('oidc_models', '53100', () => refresh(service, client, tokens.refresh_token))
    expect([status, headers.get('retry-after'), body.error]).toEqual([503, '1', 'temporarily_unavailable'])
    expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
  })

  test.each(['XX000', '42501', '23514', '22023', 'P0001'])('with SQLSTATE %s is a fault: 500 without Retry-After', async (sqlState) => {
    await failing('teams', sqlState, async () => {
      const { status, headers, body } = await write.REST('New')
      expect([status, headers.get('retry-after'), body.code]).toEqual([500, null, 'server_error'])
      expect((await write.GraphQL('New')).errors[0]?.extensions?.code).toBe('server_error')
    })
  })
})
