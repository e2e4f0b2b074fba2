import { beforeAll, describe, expect, test } from 'vitest'
import { addAccess } from '../../support/graphql/access-rows.ts'
import { numberedPages, walk } from '../../support/graphql/walk-list.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'

const service = useService()
let owned: OwnedTeam
beforeAll(async () => {
  owned = await createOwnedTeam(service.database)
  await addAccess(service, owned.team.id, 20)
  // Otherwise, the use of the credential would be recorded between two pages.
  await service.database.prisma.accessToken.updateMany({ where: { userId: owned.owner.id }, data: { lastUsedAt: service.clock.now() } })
})

const later = new Date(Date.now() + 15 * 86_400_000).toISOString()
const recently = new Date(Date.now() - 2.5 * 86_400_000).toISOString()
const credentialFilters = [
  `expiresBefore: "${later}"`,
  `expiresAfter: "${later}"`,
  `unusedSince: "${recently}"`,
  'scope: "acct:team:members:read"',
]

/** The lists, with what identifies a row in this team. */
const lists = [
  {
    name: 'tokens',
    id: 'tokenId',
    orders: ['CREATED', 'NAME', 'LAST_USED', 'EXPIRES'],
    filters: ['live: true', 'search: "1"', ...credentialFilters],
  },
  {
    name: 'personalTokens',
    id: 'tokenId',
    orders: ['CREATED', 'NAME', 'LAST_USED', 'EXPIRES'],
    filters: ['person: "ZO"', 'search: "1"', ...credentialFilters],
  },
  {
    name: 'grants',
    id: 'grantId',
    orders: ['CREATED', 'CLIENT', 'PERSON', 'LAST_USED', 'EXPIRES'],
    filters: ['search: "DASH"', 'person: "ZO"', ...credentialFilters],
  },
  {
    name: 'access',
    id: 'name',
    orders: ['NAME', 'PERSON', 'CREATED', 'LAST_USED', 'EXPIRES'],
    filters: ['kind: APP', 'kind: TEAM_TOKEN', 'search: "1"', 'person: "zo"', ...credentialFilters],
  },
  {
    name: 'invitations',
    id: 'invitationId',
    orders: ['CREATED', 'EMAIL', 'SENT'],
    filters: ['status: EXPIRED', 'status: PENDING', 'search: "1"'],
  },
  {
    name: 'people',
    id: 'email',
    orders: ['NAME', 'ROLE', 'SINCE', 'LAST_ACTIVE'],
    filters: ['role: BILLING', 'state: INVITED', 'state: MEMBER', 'search: "GUEST-1"'],
  },
  {
    name: 'auditEntries',
    id: 'entryId',
    orders: ['TIME', 'ACTOR', 'ACTION'],
    filters: [
      'action: UPDATE_TEAM',
      'actorKind: TEAM',
      'authenticationMethod: SESSION',
      'subject: "subject-1"',
      'actor: "BO"',
      'search: "2"',
    ],
  },
]

describe.each(lists)('$name', ({ name, id, orders, filters }) => {
  const field = (args: string) => ({ name, id, args })

  test.each(orders)('its connection has the rows of the numbered pages in the order %s, forward and backward', async (order) => {
    for (const direction of ['ASC', 'DESC']) {
      const list = field(`orderBy: { field: ${order}, direction: ${direction} }`)
      const rows = await numberedPages(service, owned, list, 30)
      expect(rows.length).toBeGreaterThan(10)
      expect(await walk(service, owned, list, 17, false)).toEqual(rows)
      expect(await walk(service, owned, list, 17, true)).toEqual(rows)
    }
  })

  test('each filter selects a part of the list, and the connection has the same rows', async () => {
    const all = await numberedPages(service, owned, field('orderBy: null'), 100)
    for (const filter of filters) {
      const rows = await numberedPages(service, owned, field(filter), 100)
      expect([filter, rows.length > 0, rows.length < all.length]).toEqual([filter, true, true])
      expect(rows).toEqual(all.filter((row) => rows.includes(row)))
      expect(await walk(service, owned, field(filter), 30, false)).toEqual(rows)
    }
  })
})
