import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { openClient } from '../../prisma/client.ts'
import { createCleanup } from '../../src/oidc/storage/cleanup.ts'
import { createDatabase } from '../support/database.ts'
import { createGrant } from '../support/oauth-rows.ts'
import { createUser } from '../support/team.ts'
import { layWire } from '../support/wire.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** A database of its own, since what is deleted is everybody's. */
async function surroundings() {
  const { poolConfig, drop } = await createDatabase()
  const wire = await layWire(poolConfig)
  const database = openClient(wire.poolConfig)
  afterAll(async () => {
    await database.close()
    await wire.close()
    await drop()
  })
  const faults: unknown[] = []
  const now = new Date()
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const cleanupOf = () => createCleanup({ database, now: () => now, report: (error) => void faults.push(error) })
  const artifact = async (expiresAt: Date, grantId: string | null = null) =>
    (
      await database.prisma.oAuthArtifact.create({
        data: { idHash: randomBytes(32), kind: 'AccessToken', payload: {}, grantId, expiresAt },
      })
    ).idHash
  const artifacts = (count: number, expiresAt: Date) =>
    database.prisma.oAuthArtifact.createMany({
      data: Array.from({ length: count }, () => ({ idHash: randomBytes(32), kind: 'AccessToken', payload: {}, expiresAt })),
    })
  return { database, prisma: database.prisma, wire, faults, ago, cleanup: cleanupOf(), cleanupOf, artifact, artifacts }
}

describe('one run', () => {
  test('deletes 10,000 expired artifacts and leaves what is live, or was lately', async () => {
    const { prisma, cleanup, artifact, artifacts, ago } = await surroundings()
    await artifacts(10_000, ago(11 * minute))
    const kept = [await artifact(ago(-minute)), await artifact(ago(9 * minute))]
    expect(await cleanup.run()).toBe(10_000)
    const left = await prisma.oAuthArtifact.findMany()
    expect(new Set(left.map(({ idHash }) => Buffer.from(idHash).toString('hex')))).toEqual(
      new Set(kept.map((idHash) => Buffer.from(idHash).toString('hex'))),
    )
    expect(await cleanup.run()).toBe(0)
  })

  test('deletes answers that were delivered; one that was not stays for as long as its artifact', async () => {
    const { prisma, cleanup, artifact, ago } = await surroundings()
    const answer = async (expiresAt: Date, deliveredAt: Date | null) => {
      const artifactHash = await artifact(expiresAt)
      await prisma.oAuthAnswer.create({ data: { artifactHash, sealed: Buffer.of(1), processId: 1, createdAt: ago(day), deliveredAt } })
      return Buffer.from(artifactHash).toString('hex')
    }
    const live = ago(-day)
    await answer(live, ago(11 * minute))
    await answer(ago(11 * minute), null)
    const kept = [await answer(live, ago(9 * minute)), await answer(live, null), await answer(ago(9 * minute), null)]
    expect(await cleanup.run()).toBe(2)
    const left = await prisma.oAuthAnswer.findMany()
    expect(new Set(left.map(({ artifactHash }) => Buffer.from(artifactHash).toString('hex')))).toEqual(new Set(kept))
    expect(await prisma.oAuthArtifact.count()).toBe(4)
  })

  test('deletes grants that have been over for 30 days, with what came of them, and such secrets', async () => {
    const { database, prisma, cleanup, artifact, ago } = await surroundings()
    const person = await createUser(database)
    const expired = await createGrant(database, person, { expiresAt: ago(31 * day) })
    const revoked = await createGrant(database, person)
    await prisma.oAuthGrant.update({ where: { id: revoked.id }, data: { revokedAt: ago(31 * day) } })
    await artifact(ago(-day), revoked.id)
    const lately = await createGrant(database, person, { expiresAt: ago(29 * day) })
    await prisma.oAuthGrant.update({ where: { id: lately.id }, data: { revokedAt: ago(29 * day) } })
    const live = await createGrant(database, person)
    for (const expiresAt of [ago(31 * day), ago(29 * day), ago(-day), null])
      await prisma.oAuthClientSecret.create({ data: { oauthClientId: expired.client.id, hash: randomBytes(32), expiresAt } })
    expect(await cleanup.run()).toBe(3)
    const left = await prisma.oAuthGrant.findMany()
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([lately.id, live.id]))
    expect([await prisma.oAuthArtifact.count(), await prisma.oAuthClientSecret.count(), await prisma.oAuthClient.count()]).toEqual([
      0, 3, 4,
    ])
  })

  test('deletes counters of guesses whose time has passed', async () => {
    const { prisma, cleanup, ago } = await surroundings()
    const counter = (expire: bigint | null) => prisma.guessCount.create({ data: { key: randomUUID(), points: 1, expire } })
    await counter(BigInt(ago(1).getTime()))
    const kept = [await counter(BigInt(ago(-minute).getTime())), await counter(null)]
    expect(await cleanup.run()).toBe(1)
    expect(new Set((await prisma.guessCount.findMany()).map(({ key }) => key))).toEqual(new Set(kept.map(({ key }) => key)))
  })
})

describe('several at once', () => {
  test('delete each row once, and rows that a request holds are left to it', async () => {
    const { database, prisma, cleanupOf, artifact, artifacts, ago } = await surroundings()
    await artifacts(3000, ago(day))
    const held = await artifact(ago(day))
    await prisma.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT 1 FROM oauth_artifacts WHERE id_hash = ${held} FOR UPDATE`
      const counts = await Promise.all(Array.from({ length: 4 }, () => cleanupOf().run()))
      expect(counts.reduce((sum, count) => sum + count)).toBe(3000 - (await remaining()) + 1)
      while ((await remaining()) > 1) await cleanupOf().run()
    })
    expect(await prisma.oAuthArtifact.count()).toBe(1)

    async function remaining(): Promise<number> {
      const { rows } = await database.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM oauth_artifacts')
      return rows[0]?.count ?? 0
    }
  })

  test('give way to the one at work', async () => {
    const { database, prisma, cleanup, artifacts, ago } = await surroundings()
    await artifacts(10, ago(day))
    const other = await database.pool.connect()
    await other.query('SELECT pg_advisory_lock(7264108)')
    expect(await cleanup.run()).toBe(0)
    expect(await prisma.oAuthArtifact.count()).toBe(10)
    await other.query('SELECT pg_advisory_unlock(7264108)')
    other.release()
    expect(await cleanup.run()).toBe(10)
  })
})

describe('what goes wrong', () => {
  test('is reported, does not keep the rest, and is tried again', async () => {
    const { database, prisma, cleanup, artifacts, faults, ago } = await surroundings()
    await artifacts(5, ago(day))
    await prisma.guessCount.create({ data: { key: 'past', expire: 1n } })
    await database.pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not today''; END'`)
    await database.pool.query('CREATE TRIGGER refuse BEFORE DELETE ON oauth_artifacts FOR EACH ROW EXECUTE FUNCTION refuse()')
    expect(await cleanup.run()).toBe(1)
    expect(faults).toEqual([expect.objectContaining({ message: 'not today' })])
    await database.pool.query('DROP TRIGGER refuse ON oauth_artifacts')
    expect(await cleanup.run()).toBe(5)
    expect(faults).toHaveLength(1)
  })

  test('while the database is away is nothing to report', async () => {
    const { wire, cleanup, artifacts, faults, ago } = await surroundings()
    await artifacts(5, ago(day))
    await wire.cut()
    expect(await cleanup.run()).toBe(0)
    await wire.mend()
    await expect.poll(() => cleanup.run()).toBe(5)
    expect(faults).toEqual([])
  })
})

test('it ends with the batch under way, and starts no other', async () => {
  const { prisma, cleanup, artifacts, ago } = await surroundings()
  await artifacts(3000, ago(day))
  cleanup.start()
  const running = cleanup.run()
  await cleanup.close()
  expect(await running).toBe(1000)
  expect(await prisma.oAuthArtifact.count()).toBe(2000)
})
