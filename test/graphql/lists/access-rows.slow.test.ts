import { beforeAll, describe, expect, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { addAccess } from '../../support/graphql/access-rows.ts'
import { numberedPages, walk } from '../../support/graphql/walk-list.ts'
import { isFull } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

// What can access a team, compared with all tokens, grants and workload identities, of which JavaScript selects and sorts those that can.

const service = useService()
const { pool, prisma } = service.database
let owned: OwnedTeam
let rows: Row[]

interface Row {
  kind: 'TEAM_TOKEN' | 'PERSONAL_TOKEN' | 'APP' | 'CLIENT' | 'WORKLOAD_IDENTITY'
  id: string
  /** Unique in the team. */
  name: string
  person: string | null
  created: Date
  lastUsed: Date | null
  expires: Date | null
  scopes: string[]
}

const day = 86_400_000
const now = () => service.clock.now().getTime()

beforeAll(async () => {
  owned = await createOwnedTeam(service.database)
  const other = await createOwnedTeam(service.database)
  for (const { id } of [owned.team, other.team]) await addAccess(service, id, 40)
  // Of some rows, the access to a team ended or is limited, users are disabled or left, and uses lie in the same hour.
  await pool.query(
    'UPDATE users SET disabled_at = now() WHERE id IN (SELECT user_id FROM members WHERE team_id = $1 AND user_id <> $2 ORDER BY user_id LIMIT 4)',
    [owned.team.id, owned.owner.id],
  )
  for (const table of ['access_tokens', 'oauth_grants'])
    await pool.query(
      `UPDATE ${table} SET revoked_team_ids = CASE WHEN n % 9 = 0 THEN ARRAY[$1::uuid] ELSE '{}' END,
         last_used_at = CASE WHEN n % 4 > 0 THEN date_trunc('hour', now()) - n % 3 * interval '1 hour' - n % 7 * interval '1 minute' END
       FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS n FROM ${table}) numbered WHERE numbered.id = ${table}.id`,
      [owned.team.id],
    )
  await pool.query(
    `UPDATE access_tokens SET team_ids = ARRAY[CASE WHEN n % 2 = 0 THEN $1 ELSE $2 END::uuid]
     FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS n FROM access_tokens WHERE kind = 'personal') numbered
     WHERE numbered.id = access_tokens.id AND n % 5 = 0`,
    [owned.team.id, other.team.id],
  )
  await pool.query(`UPDATE access_tokens SET created_by_id = $2 WHERE team_id = $1 AND created_at < now() - interval '11 days'`, [
    owned.team.id,
    owned.owner.id,
  ])
  // Otherwise, the use of the credential would be recorded between two pages.
  await prisma.accessToken.updateMany({
    where: { userId: owned.owner.id },
    data: { lastUsedAt: service.clock.now(), revokedTeamIds: [], teamIds: [] },
  })
  rows = await accessOf(owned.team.id)
})

/** The plain selection: every token, grant and workload identity is looked at. */
async function accessOf(teamId: string): Promise<Row[]> {
  const members = new Set((await prisma.member.findMany({ where: { teamId } })).map(({ userId }) => userId))
  const isLive = ({ revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null }) =>
    revokedAt === null && (expiresAt === null || expiresAt.getTime() > now())
  const personOf = (user: { name: string; email: string } | null) => user && `${user.name.toLowerCase()}\n${user.email}`
  const tokens = await prisma.accessToken.findMany({ include: { user: true, createdBy: true } })
  const grants = await prisma.oAuthGrant.findMany({ include: { user: true, client: true } })
  const identities = await prisma.workloadIdentity.findMany({ where: { teamId }, include: { createdBy: true } })
  const clients = await prisma.oAuthClient.findMany({ where: { ownerTeamId: teamId } })
  const rowOf = (
    {
      id,
      createdAt,
      lastUsedAt,
      expiresAt,
      scopes,
    }: Pick<(typeof tokens)[number], 'id' | 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'scopes'>,
    kind: Row['kind'],
    name: string,
    user: { name: string; email: string } | null,
  ): Row => ({ id, kind, name, person: personOf(user), created: createdAt, lastUsed: lastUsedAt, expires: expiresAt, scopes })
  return [
    ...tokens
      .filter((token) => isLive(token) && token.teamId === teamId)
      .map((token) => rowOf(token, 'TEAM_TOKEN', token.name, token.createdBy)),
    ...tokens
      .filter((token) => isLive(token) && members.has(token.userId ?? '') && token.user?.disabledAt === null)
      .filter(({ teamIds, revokedTeamIds }) => (teamIds.length === 0 || teamIds.includes(teamId)) && !revokedTeamIds.includes(teamId))
      .map((token) => rowOf(token, 'PERSONAL_TOKEN', token.name, token.user)),
    ...grants
      .filter((grant) => isLive(grant) && !grant.revokedTeamIds.includes(teamId))
      .filter((grant) => grant.teamId === teamId || (grant.teamId === null && members.has(grant.userId)))
      .filter(({ teamId: of, scopes }) => of !== null || scopes.some((scope) => scope.startsWith('acct:') || scope === 'teams'))
      .map((grant) => rowOf(grant, 'APP', grant.client.name, grant.user)),
    ...clients.map((each) => rowOf({ ...each, scopes: each.requiredScopes, expiresAt: null }, 'CLIENT', each.name, null)),
    ...identities.map((each) => rowOf({ ...each, expiresAt: null }, 'WORKLOAD_IDENTITY', each.name, each.createdBy)),
  ]
}

const orders = {
  CREATED: ({ created }: Row) => created.getTime(),
  LAST_USED: ({ lastUsed }: Row) => lastUsed?.getTime() ?? null,
  EXPIRES: ({ expires }: Row) => expires?.getTime() ?? null,
  PERSON: ({ person }: Row) => person,
  NAME: ({ name }: Row) => name.toLowerCase(),
  CLIENT: ({ name }: Row) => name.toLowerCase(),
}
type Order = keyof typeof orders

/** Rows without a value come last in both directions, and identifiers decide between equal ones. */
function sorted(found: Row[], order: Order, direction: 'ASC' | 'DESC'): Row[] {
  const sign = direction === 'ASC' ? 1 : -1
  const compare = (a: string | number, b: string | number) => (a === b ? 0 : a < b ? -sign : sign)
  return found.toSorted((a, b) => {
    const [one, two] = [orders[order](a), orders[order](b)]
    if (one === null || two === null) return Number(one === null) - Number(two === null) || compare(a.id, b.id)
    return compare(one, two) || compare(a.id, b.id)
  })
}

const since = () => new Date(Math.floor(now() / 3_600_000) * 3_600_000 - 3_600_000 - 3 * 60_000)
const later = () => new Date(now() + 15 * day)
const filters: [name: string, args: () => string, matches: (row: Row) => boolean][] = [
  ['no filter', () => '', () => true],
  ['expiry', () => `expiresBefore: "${later().toISOString()}"`, ({ expires }) => expires !== null && expires < later()],
  ['last use', () => `unusedSince: "${since().toISOString()}"`, ({ lastUsed }) => lastUsed === null || lastUsed < since()],
  ['scope', () => 'scope: "acct:team:members:read"', ({ scopes }) => scopes.includes('acct:team:members:read')],
  ['search', () => 'search: "1"', ({ name }) => name.includes('1')],
  ['person', () => 'person: "ADA"', ({ person }) => person?.includes('ada') === true],
]

const directions = ['ASC', 'DESC'] as const
const lists = [
  {
    name: 'access',
    id: 'name',
    kinds: ['TEAM_TOKEN', 'PERSONAL_TOKEN', 'APP', 'CLIENT', 'WORKLOAD_IDENTITY'],
    orders: ['CREATED', 'LAST_USED', 'EXPIRES', 'PERSON', 'NAME'],
  },
  { name: 'grants', id: 'grantId', kinds: ['APP'], orders: ['CREATED', 'LAST_USED', 'EXPIRES', 'PERSON', 'CLIENT'] },
  { name: 'personalTokens', id: 'name', kinds: ['PERSONAL_TOKEN'], orders: ['CREATED', 'LAST_USED', 'EXPIRES', 'NAME'] },
] as const

describe.each(lists)('$name', ({ name, id, kinds, orders: ofList }) => {
  test.each(filters)('has the rows of a plain selection in each order, filtered by: %s', async (_, args, matches) => {
    const found = rows.filter((row) => kinds.some((kind) => kind === row.kind) && matches(row))
    expect(found.length).toBeGreaterThan(2)
    for (const order of ofList)
      for (const direction of isFull || !args() ? directions : directions.slice(1)) {
        const list = { name, id, args: `orderBy: { field: ${order}, direction: ${direction} } ${args()}` }
        const ids = sorted(found, order, direction).map((row) => (id === 'name' ? row.name : row.id))
        expect([list.args, await numberedPages(service, owned, list, 31)]).toEqual([list.args, ids])
        expect(await walk(service, owned, list, 23, false)).toEqual(ids)
        expect(await walk(service, owned, list, 23, true)).toEqual(ids)
      }
  })
})
