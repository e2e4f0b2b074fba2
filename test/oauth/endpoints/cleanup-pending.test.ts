import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCleanup } from '../../../src/oidc/storage/cleanup.ts'
import { useService } from '../../support/service/service.ts'

const { database, clock } = useService()
const minute = 60_000

test('a cleanup keeps the latest 20,000 authorization requests that wait for a sign-in, and all of signed-in users', async () => {
  const start = clock.now().getTime() + 2 * minute
  const cleanup = createCleanup({ database, now: clock.now, report: (error) => expect(error).toBeNull() })
  const ofSignedInUser = { idHash: randomBytes(32), kind: 'Interaction', payload: {}, expiresAt: new Date(start - minute) }
  await database.prisma.oidcModel.create({ data: ofSignedInUser })
  await database.pool.query(
    `INSERT INTO oidc_models (id_hash, kind, payload, expires_at, network_hash)
     SELECT sha256(n::text::bytea), 'Interaction', '{}', $1::timestamptz + n * interval '1 millisecond', 'network'
     FROM generate_series(1, 21500) n`,
    [new Date(start)],
  )
  expect(await cleanup.run()).toBe(1500)
  const kept = await database.prisma.oidcModel.aggregate({ _min: { expiresAt: true }, _count: true, where: { networkHash: { not: null } } })
  expect([kept._count, kept._min.expiresAt]).toEqual([20_000, new Date(start + 1501)])
  expect(await database.prisma.oidcModel.count()).toBe(20_001)
  await cleanup.close()
})
