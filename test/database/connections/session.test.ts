import { afterAll, beforeAll, expect, test } from 'vitest'
import { withSession } from '../../../src/database/connection.ts'
import { openClient } from '../../../prisma/connection/database.ts'
import { createDatabase } from '../../support/service/database.ts'
import type { TestDatabase } from '../../support/service/database.ts'

let testDatabase: TestDatabase
beforeAll(async () => void (testDatabase = await createDatabase()))
afterAll(() => testDatabase.drop())

test('dates are read and written unchanged in a database with another time zone and date style', async () => {
  await withSession(testDatabase.poolConfig, async (session) => {
    const { rows } = await session.query<{ name: string }>('SELECT current_database() AS name')
    await session.query(`ALTER DATABASE ${rows[0]?.name} SET datestyle = 'German'`)
    await session.query(`ALTER DATABASE ${rows[0]?.name} SET timezone = 'Asia/Tokyo'`)
  })
  const database = openClient(testDatabase.poolConfig)
  const createdAt = new Date('2026-02-03T04:05:06.789Z')
  const { slug } = await database.prisma.team.create({ data: { slug: 'acme', name: 'Acme', createdAt } })
  expect(await database.prisma.team.findUnique({ where: { slug }, select: { createdAt: true } })).toEqual({ createdAt })
  await database.close()
})
