import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { eraseTeams } from '../../../src/jobs/erase-teams.ts'
import { createCleanup } from '../../../src/service/cleanup.ts'
import { expectExactCounts } from '../../support/data/kept-counts.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { createIdentity } from '../../support/identities/identity.ts'
import { seedProvider } from '../../support/identity-providers/seed-provider.ts'
import { openWithPlans } from '../../support/postgres/plans.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, teamToken } from '../../support/data/team.ts'
import { retention } from '../../support/service/test-settings.ts'

const { database, databaseUrl, clock, mails } = useService()
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
  const seed = async (deletedAt: Date | null, hasInvoice: boolean) => {
    const { team, owner } = await createOwnedTeam(database, { name: 'Ada’s team', timezone: 'UTC', gravatarEmail: 'ada@example.test' })
    const teamId = team.id
    await teamToken(database, team)
    await createIdentity({ database, clock, mails }, team)
    const signInProviderId = await seedProvider({ database }, team)
    await prisma.teamDomain.create({ data: { teamId, domain: `${team.slug}.example`, value: 'x' } })
    await prisma.groupRole.create({ data: { teamId, group: 'Engineering', role: 'member' } })
    const times = { createdAt: ago(day), updatedAt: ago(day) }
    await prisma.scimUser.create({ data: { teamId, userId: owner.id, userName: owner.email, attributes: {}, ...times } })
    const members = { create: { teamId, userId: owner.id } }
    await prisma.scimGroup.create({ data: { teamId, displayName: 'Engineering', members, ...times } })
    await prisma.directoryRemoval.create({ data: { teamId, keyHash: randomBytes(32), userId: owner.id } })
    await prisma.directoryError.create({
      data: { teamId, at: ago(day), method: 'GET', path: '/scim/v2/Users/{id}', status: 404, detail: 'The resource does not exist.' },
    })
    const { id: grantId } = await createGrant(database, owner, { team })
    const secrets = { tokenHash: randomBytes(32), nonce: randomBytes(16), sentAt: ago(day), expiresAt: ago(-day) }
    await prisma.invitation.create({ data: { teamId, email: 'guest@example.test', role: 'member', ...secrets } })
    await prisma.connectedApp.create({ data: { teamId, application: 'flow', name: 'Flow' } })
    const invoice = { teamId, number: '1', status: 'paid', currency: 'eur', subtotal: 100, invoiceDate: ago(day) } as const
    const line = { position: 0, description: 'Seats', quantity: 1, unitAmount: 100 }
    if (hasInvoice) await prisma.invoice.create({ data: { ...invoice, lines: { create: line } } })
    await prisma.team.update({
      where: { id: teamId },
      data: { deletedAt, signInProviderId, signInRequiredAt: ago(day), signInRequirementSetAt: ago(day) },
    })
    return { id: teamId, slug: team.slug, grantId }
  }
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
  while ((await eraseTeams(explained.pool, ago(14 * day), now))[0]?.count);
  expect(await prisma.team.count({ where: { id: { in: [large.team.id, small.team.id] }, erasedAt: now } })).toBe(2)
  await explained.close()
  expect(plans.filter(({ rowsRead }) => rowsRead > 2 * rows)).toEqual([])
  const where = { teamId: large.team.id }
  expect(await Promise.all([prisma.member.count({ where }), prisma.externalIdentity.count({ where: { providerId } })])).toEqual([0, 0])
  expect(await prisma.oAuthClient.findUnique({ where: { id: client.id } })).toBeNull()
  await expectExactCounts(database.pool)
})
