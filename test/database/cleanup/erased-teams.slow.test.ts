import { expect, test } from 'vitest'
import { eraseTeams } from '../../../src/jobs/erase-teams.ts'
import { createCleanup } from '../../../src/service/cleanup.ts'
import { createErasableTeam } from '../../support/data/erasable-team.ts'
import { expectExactCounts } from '../../support/data/kept-counts.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { seedProvider } from '../../support/identity-providers/seed-provider.ts'
import { openWithPlans } from '../../support/postgres/plans.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { retention } from '../../support/service/test-settings.ts'

const service = useService()
const { database, databaseUrl } = service
const { prisma } = database
const minute = 60_000
const day = 24 * 60 * minute
const now = new Date()
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
const cleanup = createCleanup({
  database,
  retention,
  now: () => now,
  report(error) {
    throw error
  },
})

test('a cleanup erases teams that were deleted 14 days ago, except for their invoices, and no other team', async () => {
  const seed = (deletedAt: Date | null, hasInvoice: boolean) => createErasableTeam(service, deletedAt, hasInvoice)
  const [billed, unbilled] = [await seed(ago(14 * day), true), await seed(ago(400 * day), false)]
  const kept = [await seed(ago(14 * day - minute), true), await seed(null, true)]
  const children = {
    members: true,
    invitations: true,
    apps: true,
    tokens: true,
    grants: true,
    workloadIdentities: true,
    identityProviders: true,
    domains: true,
    groupRoles: true,
    scimUsers: true,
    scimGroups: true,
    directoryRemovals: true,
    directoryError: true,
    invoices: { include: { lines: true } },
  } as const
  const read = ({ id }: { id: string }) => prisma.team.findUniqueOrThrow({ where: { id }, include: children })
  const before = await Promise.all(kept.map(read))
  expect(await cleanup.run()).toBe(2)
  const nothing = {
    members: [],
    invitations: [],
    apps: [],
    tokens: [],
    grants: [],
    workloadIdentities: [],
    identityProviders: [],
    domains: [],
    groupRoles: [],
    scimUsers: [],
    scimGroups: [],
    directoryRemovals: [],
    directoryError: null,
    signInProviderId: null,
    signInRequiredAt: null,
    signInRequirementSetAt: null,
    timezone: null,
    gravatarEmail: null,
  }
  const erased = { ...nothing, erasedAt: ago(0), updatedAt: ago(0) }
  const lines = [expect.objectContaining({ description: 'Seats' })]
  expect(await read(billed)).toMatchObject({ ...erased, slug: billed.slug, name: 'Ada’s team', invoices: [{ number: '1', lines }] })
  expect(await read(unbilled)).toMatchObject({ ...erased, slug: unbilled.slug, name: unbilled.slug, invoices: [] })
  expect(await Promise.all(kept.map(read))).toEqual(before)
  expect(await cleanup.run()).toBe(0)
  await expectExactCounts(database.pool)
})

test('a large team is erased in batches, in the order of its deletion, whatever it has many of', async () => {
  const large = await createOwnedTeam(database)
  const small = await createOwnedTeam(database)
  const providerId = await seedProvider({ database }, large.team)
  const client = await createClient(database, { ownerTeamId: large.team.id })
  const rows = 2500
  const people = `WITH p AS (
    INSERT INTO users (email, name) SELECT gen_random_uuid() || '@example.test', 'Ada' FROM generate_series(1, ${rows}) RETURNING id)`
  const contents = [
    ['members (team_id, user_id, role, joined_at)', `'member', now()`, large.team.id],
    ['external_identities (provider_id, user_id, subject, last_sign_in_at)', 'p.id::text, now()', providerId],
    ['oauth_grants (oauth_client_id, user_id, scopes, expires_at)', `'{openid}', now() + interval '1 day'`, client.id],
  ] as const
  for (const [table, values, id] of contents)
    await database.pool.query(`${people} INSERT INTO ${table} SELECT $1::uuid, p.id, ${values} FROM p`, [id])
  for (const [{ team }, days] of [
    [large, 30],
    [small, 20],
  ] as const)
    await prisma.team.update({ where: { id: team.id }, data: { deletedAt: ago(days * day) } })
  const { plans, database: explained } = openWithPlans(databaseUrl, 'force_generic_plan')
  const eraseAll = async () => {
    while ((await eraseTeams(explained, ago(14 * day), now))[0]?.count);
  }
  // Two processes clean up at the same time if one of them takes longer than the minute between two cleanups.
  await Promise.all([eraseAll(), eraseAll(), eraseAll()])
  expect(await prisma.team.count({ where: { id: { in: [large.team.id, small.team.id] }, erasedAt: now } })).toBe(2)
  await explained.close()
  expect(plans.filter(({ rowsRead }) => rowsRead > 2 * rows)).toEqual([])
  const where = { teamId: large.team.id }
  expect(await Promise.all([prisma.member.count({ where }), prisma.externalIdentity.count({ where: { providerId } })])).toEqual([0, 0])
  expect(await prisma.oAuthClient.findUnique({ where: { id: client.id } })).toBeNull()
  await expectExactCounts(database.pool)
})

test('a team that another process is erasing is left to it', async () => {
  const { team, owner } = await createOwnedTeam(database)
  await prisma.team.update({ where: { id: team.id }, data: { deletedAt: ago(30 * day) } })
  const session = await database.pool.connect()
  await session.query('BEGIN')
  await session.query('SELECT FROM teams WHERE id = $1 FOR UPDATE', [team.id])
  expect(await eraseTeams(database, ago(14 * day), now)).toEqual([{ count: 0 }])
  expect(await prisma.member.count({ where: { teamId: team.id, userId: owner.id } })).toBe(1)
  await session.query('COMMIT')
  session.release()
  expect(await eraseTeams(database, ago(14 * day), now)).toEqual([{ count: 1 }])
})
