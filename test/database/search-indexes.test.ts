import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { checks } from '../../src/cli/checks/index.ts'
import { readConfig } from '../../src/config/settings.ts'
import { withSession } from '../../src/database/connection.ts'
import { createDatabase } from '../support/service/database.ts'

test('without the modules of text searches, their indexes are left out with the reason, and doctor reports them', async () => {
  const { poolConfig, drop } = await createDatabase()
  onTestFinished(drop)
  const role = `limited_${randomUUID().replaceAll('-', '')}`
  await withSession(poolConfig, async (session) => {
    // A role without the right to create the modules has the same effect as a server without them.
    await session.query(`DROP EXTENSION pg_trgm CASCADE; CREATE ROLE ${role}; SET ROLE ${role}`)
    onTestFinished(async () => void (await withSession(poolConfig, (other) => other.query(`DROP ROLE ${role}`))))
    const { rows } = await session.query('SELECT create_search_indexes() AS reason')
    expect(rows).toEqual([{ reason: 'permission denied to create extension "pg_trgm"' }])
    const check = checks.find(({ name }) => name === 'search')
    await check?.repair?.(session)
    expect(await check?.run({ config: readConfig({}), session, connection: poolConfig })).toHaveLength(9)
  })
})
