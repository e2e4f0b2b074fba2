import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { openClient } from '../../../prisma/connection/database.ts'
import { createCleanup } from '../../../src/service/cleanup.ts'
import { createDatabase } from '../../support/service/database.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { createTrustedDevice } from '../../support/data/session-row.ts'
import { createUser } from '../../support/data/team.ts'
import { holdLocks } from '../../support/processes/locks.ts'
import { startTcpProxy } from '../../support/processes/tcp-proxy.ts'
import { retention } from '../../support/service/test-settings.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Creates a separate database, because a cleanup deletes rows of every test. */
async function createContext() {
  const { poolConfig, drop } = await createDatabase()
  const proxy = startTcpProxy(poolConfig)
  const database = openClient(proxy.poolConfig)
  afterAll(async () => {
    await database.close()
    await proxy.close()
    await drop()
  })
  const errors: unknown[] = []
  const now = new Date()
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const newCleanup = () => createCleanup({ database, retention, now: () => now, report: (error) => void errors.push(error) })
  const createModel = async (expiresAt: Date, chainId: string | null = null) =>
    (
      await database.prisma.oidcModel.create({
        data: { idHash: randomBytes(32), kind: 'AccessToken', payload: {}, chainId, expiresAt },
      })
    ).idHash
  const createModels = (count: number, expiresAt: Date) =>
    database.prisma.oidcModel.createMany({
      data: Array.from({ length: count }, () => ({ idHash: randomBytes(32), kind: 'AccessToken', payload: {}, expiresAt })),
    })
  return { database, prisma: database.prisma, proxy, errors, ago, cleanup: newCleanup(), newCleanup, createModel, createModels }
}

describe('a cleanup', () => {
  test('deletes 10,000 expired artifacts and keeps valid and recently expired ones', async () => {
    const { prisma, cleanup, createModel, createModels, ago } = await createContext()
    await createModels(10_000, ago(11 * minute))
    const expected = [await createModel(ago(-minute)), await createModel(ago(9 * minute))]
    expect(await cleanup.run()).toBe(10_000)
    const remaining = await prisma.oidcModel.findMany()
    expect(new Set(remaining.map(({ idHash }) => Buffer.from(idHash).toString('hex')))).toEqual(
      new Set(expected.map((idHash) => Buffer.from(idHash).toString('hex'))),
    )
    expect(await cleanup.run()).toBe(0)
  })

  test('deletes trusted devices that have expired', async () => {
    const { database, prisma, cleanup, ago } = await createContext()
    const user = await createUser(database)
    await createTrustedDevice(database, user, { expiresAt: ago(minute) })
    const { id } = await createTrustedDevice(database, user, { expiresAt: ago(-minute) })
    expect(await cleanup.run()).toBe(1)
    expect(await prisma.trustedDevice.findMany({ select: { id: true } })).toEqual([{ id }])
  })

  test('deletes delivered token responses and keeps an undelivered one as long as its artifact', async () => {
    const { prisma, cleanup, createModel, ago } = await createContext()
    const createResponse = async (expiresAt: Date, deliveredAt: Date | null) => {
      const modelHash = await createModel(expiresAt)
      await prisma.tokenResponse.create({ data: { modelHash, encrypted: Buffer.of(1), deliveredAt } })
      return Buffer.from(modelHash).toString('hex')
    }
    const tomorrow = ago(-day)
    await createResponse(tomorrow, ago(11 * minute))
    await createResponse(ago(11 * minute), null)
    const expected = [
      await createResponse(tomorrow, ago(9 * minute)),
      await createResponse(tomorrow, null),
      await createResponse(ago(9 * minute), null),
    ]
    expect(await cleanup.run()).toBe(2)
    const remaining = await prisma.tokenResponse.findMany()
    expect(new Set(remaining.map(({ modelHash }) => Buffer.from(modelHash).toString('hex')))).toEqual(new Set(expected))
    expect(await prisma.oidcModel.count()).toBe(4)
  })

  test('deletes grants and client secrets that expired or were revoked 30 days ago, with the artifacts of the grants', async () => {
    const { database, prisma, cleanup, createModel, ago } = await createContext()
    const user = await createUser(database)
    const expired = await createGrant(database, user, { expiresAt: ago(31 * day) })
    const revoked = await createGrant(database, user)
    await prisma.oAuthGrant.update({ where: { id: revoked.id }, data: { revokedAt: ago(31 * day) } })
    const { id: chainId } = await prisma.tokenChain.create({ data: { grantId: revoked.id, scopes: [] } })
    await createModel(ago(-day), chainId)
    const recentlyRevoked = await createGrant(database, user, { expiresAt: ago(29 * day) })
    await prisma.oAuthGrant.update({ where: { id: recentlyRevoked.id }, data: { revokedAt: ago(29 * day) } })
    const valid = await createGrant(database, user)
    for (const expiresAt of [ago(31 * day), ago(29 * day), ago(-day), null])
      await prisma.oAuthClientSecret.create({ data: { oauthClientId: expired.client.id, hash: randomBytes(32), expiresAt } })
    expect(await cleanup.run()).toBe(3)
    const remaining = await prisma.oAuthGrant.findMany()
    expect(new Set(remaining.map(({ id }) => id))).toEqual(new Set([recentlyRevoked.id, valid.id]))
    expect([await prisma.oidcModel.count(), await prisma.oAuthClientSecret.count(), await prisma.oAuthClient.count()]).toEqual([0, 3, 4])
  })

  test('deletes a chain together with the last of its codes and tokens', async () => {
    const { database, prisma, cleanup, createModel, ago } = await createContext()
    const grant = await createGrant(database, await createUser(database))
    const createChain = async (...expiries: Date[]) => {
      const { id } = await prisma.tokenChain.create({ data: { grantId: grant.id, scopes: [] } })
      for (const expiresAt of expiries) await createModel(expiresAt, id)
      return id
    }
    await createChain(ago(11 * minute), ago(day))
    const live = [await createChain(ago(day), ago(-minute)), await createChain(ago(day), ago(9 * minute))]
    // One chain with two tokens, and the expired token of each of the others.
    expect(await cleanup.run()).toBe(3)
    expect(new Set((await prisma.tokenChain.findMany()).map(({ id }) => id))).toEqual(new Set(live))
    expect(await prisma.oidcModel.count()).toBe(2)
  })

  test('deletes expired attempt counters', async () => {
    const { prisma, cleanup, ago } = await createContext()
    const counter = (expire: bigint | null) => prisma.attemptCount.create({ data: { key: randomUUID(), points: 1, expire } })
    await counter(BigInt(ago(1).getTime()))
    const expected = [await counter(BigInt(ago(-minute).getTime())), await counter(null)]
    expect(await cleanup.run()).toBe(1)
    expect(new Set((await prisma.attemptCount.findMany()).map(({ key }) => key))).toEqual(new Set(expected.map(({ key }) => key)))
  })
})

describe('four simultaneous cleanups', () => {
  test('delete each row once and skip rows that a request has locked', async () => {
    const { database, prisma, newCleanup, createModel, createModels, ago } = await createContext()
    await createModels(3000, ago(day))
    const held = await createModel(ago(day))
    const lock = await holdLocks(database.pool, 'SELECT 1 FROM oidc_models WHERE id_hash = $1 FOR UPDATE', [held])
    const counts = await Promise.all(Array.from({ length: 4 }, () => newCleanup().run()))
    expect(counts.reduce((sum, count) => (sum ?? 0) + (count ?? 0))).toBe(3000 - (await remaining()) + 1)
    while ((await remaining()) > 1) await newCleanup().run()
    await lock.commit()
    expect(await prisma.oidcModel.count()).toBe(1)

    async function remaining(): Promise<number> {
      const { rows } = await database.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM oidc_models')
      return rows[0]?.count ?? 0
    }
  })

  test('delete nothing while another process holds the advisory lock', async () => {
    const { database, prisma, cleanup, createModels, ago } = await createContext()
    await createModels(10, ago(day))
    const lock = await holdLocks(database.pool, 'SELECT pg_advisory_xact_lock(7264108)')
    expect(await cleanup.run()).toBe(0)
    expect(await prisma.oidcModel.count()).toBe(10)
    await lock.commit()
    expect(await cleanup.run()).toBe(10)
  })
})

describe('an error during a cleanup', () => {
  test('is reported, does not stop the cleanup of other tables, and is retried at the next run', async () => {
    const { database, prisma, cleanup, createModels, errors, ago } = await createContext()
    await createModels(5, ago(day))
    await prisma.attemptCount.create({ data: { key: 'past', expire: 1n } })
    await database.pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not today''; END'`)
    await database.pool.query('CREATE TRIGGER refuse BEFORE DELETE ON oidc_models FOR EACH ROW EXECUTE FUNCTION refuse()')
    expect(await cleanup.run()).toBe(1)
    expect(errors).toEqual([expect.objectContaining({ message: 'not today' })])
    await database.pool.query('DROP TRIGGER refuse ON oidc_models')
    expect(await cleanup.run()).toBe(5)
    expect(errors).toHaveLength(1)
  })

  test('is not reported when the database is unreachable', async () => {
    const { proxy, cleanup, createModels, errors, ago } = await createContext()
    await createModels(5, ago(day))
    await proxy.disconnect()
    expect(await cleanup.run()).toBe(0)
    await proxy.restore()
    await expect.poll(() => cleanup.run()).toBe(5)
    expect(errors).toEqual([])
  })
})

test('closing a cleanup waits for the current batch and starts no further batch', async () => {
  const { database, prisma, cleanup, ago } = await createContext()
  const { id } = await createGrant(database, await createUser(database))
  const chains = 'INSERT INTO token_chains (grant_id, scopes) SELECT $1, $2 FROM generate_series(1, 3000) RETURNING id'
  await database.pool.query(
    `WITH chains AS (${chains}) INSERT INTO oidc_models (id_hash, kind, payload, chain_id, expires_at) SELECT sha256(id::text::bytea), 'RefreshToken', '{}', id, $3 FROM chains`,
    [id, [], ago(day)],
  )
  cleanup.start()
  const running = cleanup.run()
  await cleanup.close()
  expect(await running).toBe(1000)
  expect([await prisma.tokenChain.count(), await prisma.oidcModel.count()]).toEqual([2000, 2000])
})
