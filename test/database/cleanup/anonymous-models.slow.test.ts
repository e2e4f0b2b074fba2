import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { anonymousKinds } from '../../../src/oidc/storage/anonymous-models.ts'
import { createCleanup } from '../../../src/service/cleanup.ts'
import { isFull } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'
import { retention } from '../../support/service/test-settings.ts'

const { database, clock } = useService()
const minute = 60_000

// One statement serves all kinds.
const kinds = isFull ? anonymousKinds : anonymousKinds.slice(0, 2)
test.each(kinds)('a cleanup keeps the latest 20,000 anonymous models of kind %s, and all others', async (kind) => {
  await database.prisma.oidcModel.deleteMany()
  const start = clock.now().getTime() + 2 * minute
  const cleanup = createCleanup({ database, retention, now: clock.now, report: (error) => expect(error).toBeNull() })
  const ofSignedInUser = { idHash: randomBytes(32), kind, payload: {}, expiresAt: new Date(start - minute) }
  const ofOtherKind = { ...ofSignedInUser, idHash: randomBytes(32), kind: 'Other', networkHash: randomBytes(32) }
  await database.prisma.oidcModel.createMany({ data: [ofSignedInUser, ofOtherKind] })
  await database.pool.query(
    `INSERT INTO oidc_models (id_hash, kind, payload, expires_at, network_hash)
     SELECT sha256(n::text::bytea), $2, '{}', $1::timestamptz + n * interval '1 millisecond', 'network'
     FROM generate_series(1, 21500) n`,
    [new Date(start), kind],
  )
  expect(await cleanup.run()).toBe(1500)
  const kept = await database.prisma.oidcModel.aggregate({
    _min: { expiresAt: true },
    _count: true,
    where: { kind, networkHash: { not: null } },
  })
  expect([kept._count, kept._min.expiresAt]).toEqual([20_000, new Date(start + 1501)])
  expect(await database.prisma.oidcModel.count()).toBe(20_002)
  await cleanup.close()
})
