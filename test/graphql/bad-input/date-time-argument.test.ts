import { beforeAll, describe, expect, test } from 'vitest'
import type { UserPrincipal } from '../../../schema/core/principals.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let owned: OwnedTeam
let session: UserPrincipal
beforeAll(async () => {
  owned = await createOwnedTeam(service.database)
  session = await sessionOf(service, owned.owner)
})

describe('the expiresAt argument of createTeamToken', () => {
  const create =
    'mutation ($team: String!, $at: DateTime) { createTeamToken(input: { team: $team, name: "CI", scopes: ["teams"], expiresAt: $at }) { token { expiresAt } } }'

  test.each([
    ['2099-01-31T09:30:00+02:00', '2099-01-31T07:30:00.000Z'],
    ['2099-01-31T09:30:00.123456789Z', '2099-01-31T09:30:00.123Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('converts %s to %s', async (at, expected) => {
    const { data } = await executeAs(service, session, create, { team: owned.team.slug, at })
    expect(data.createTeamToken.token.expiresAt).toBe(expected)
  })

  test.each([
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
    '2099-02-30T00:00:00Z',
    '2099-13-01T00:00:00Z',
    '2099-01-01',
    'soon',
    '\0',
    5,
    true,
    {},
  ])('rejects %j', async (at) => {
    const { status, errors } = await graphql(service, owned.token, create, { team: owned.team.slug, at })
    expect([status, errors[0]?.extensions?.code]).toEqual([200, 'bad_user_input'])
  })
})

test.each(['members(joinedSince: "soon")', 'invoices(since: "2026-02-30")'])(
  'the error for %s has the location of the value',
  async (list) => {
    const { errors } = await graphql(service, owned.token, `{ team(slug: "${owned.team.slug}") { ${list} { total } } }`)
    const column = `{ team(slug: "${owned.team.slug}") { ${list}`.indexOf(': "', 20) + 3
    expect(errors).toEqual([expect.objectContaining({ locations: [{ line: 1, column }] })])
  },
)
