import { beforeAll, expect, test } from 'vitest'
import type { Prisma, Team, User } from '../../../prisma/generated/client/client.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database, clock } = service
let team: Team
let owner: User
let credential: string
const start = clock.now().getTime()
const at = (days: number) => new Date(start + days * 86_400_000)

/** Tokens with one difference each, of the team and of its owner. */
const tokens: Record<string, Prisma.AccessTokenUpdateInput> = {
  'never used': { expiresAt: at(10) },
  'used today': { expiresAt: at(20), lastUsedAt: at(0) },
  'used last month': { expiresAt: at(30), lastUsedAt: at(-30) },
  revoked: { expiresAt: at(15), revokedAt: at(-1) },
  expired: { expiresAt: at(-2), lastUsedAt: at(-3) },
  'for invoices': { expiresAt: at(40), lastUsedAt: at(0), scopes: ['acct:team:invoices:read'] },
}
beforeAll(async () => {
  ;({ team, owner, token: credential } = await createOwnedTeam(database))
  await database.prisma.accessToken.updateMany({
    data: { name: 'credential', lastUsedAt: at(0), expiresAt: at(300), scopes: ['acct:team:tokens:read'] },
  })
  for (const [name, data] of Object.entries(tokens)) {
    for (const create of [
      () => teamToken(database, team, { scopes: ['teams'] }),
      () => personalToken(database, owner, { scopes: ['teams'] }),
    ]) {
      const lastFour = (await create()).slice(-4)
      await database.prisma.accessToken.updateMany({ where: { lastFour, name: 'test' }, data: { name, ...(data as object) } })
    }
  }
  // Never expires.
  await teamToken(database, team, { scopes: ['teams'] })
  await database.prisma.accessToken.updateMany({ where: { name: 'test' }, data: { name: 'unlimited', lastUsedAt: at(0) } })
})

const everything = [...Object.keys(tokens), 'unlimited']
test.each([
  ['', everything],
  ['live: true', everything.filter((name) => !['revoked', 'expired'].includes(name))],
  ['live: false', ['revoked', 'expired']],
  [`expiresBefore: "${at(20).toISOString()}"`, ['never used', 'revoked', 'expired']],
  [`expiresAfter: "${at(20).toISOString()}"`, ['used today', 'used last month', 'for invoices']],
  [`expiresAfter: "${at(0).toISOString()}", expiresBefore: "${at(11).toISOString()}"`, ['never used']],
  [`unusedSince: "${at(-7).toISOString()}"`, ['never used', 'used last month', 'revoked']],
  [`unusedSince: "${at(-7).toISOString()}", live: true`, ['never used', 'used last month']],
  ['scope: "acct:team:invoices:read"', ['for invoices']],
  ['scope: "teams", search: "used"', ['never used', 'used today', 'used last month']],
  ['scope: "unknown"', []],
])('tokens(%s) lists the tokens of a team and of the viewer that match', async (filters, expected) => {
  const list = `tokens${filters && `(${filters})`} { total nodes { name } }`
  const { data, errors } = await graphql(service, credential, `{ team(slug: "${team.slug}") { ${list} } }`)
  expect(errors).toEqual([])
  const names = ({ nodes }: { nodes: { name: string }[] }) => nodes.map(({ name }) => name).toSorted()
  expect(names(data.team.tokens)).toEqual(expected.toSorted())
  expect(data.team.tokens.total).toBe(expected.length)
  const own = await executeAs(service, await sessionOf(service, owner), `{ viewer { ${list} } }`)
  const ofUser = names(own.data.viewer.tokens).filter((name) => name !== 'credential')
  expect(ofUser).toEqual(expected.filter((name) => name !== 'unlimited').toSorted())
})

test('a scope that cannot be stored is refused', async () => {
  const query = `query ($scope: String) { team(slug: "${team.slug}") { tokens(scope: $scope) { total } } }`
  const { errors } = await graphql(service, credential, query, { scope: 'a\0' })
  expect(errors[0]?.extensions?.errors).toEqual({ scope: ['The scope field contains characters that cannot be stored.'] })
})
