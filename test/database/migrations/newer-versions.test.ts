import { beforeAll, expect, test } from 'vitest'
import { readVersion } from '../../../src/config/version.ts'
import { canServe, readableBy } from '../../../src/database/compatibility.ts'
import { withSession } from '../../../src/database/connection.ts'
import { applyMigrations, readMigrationStatus } from '../../../src/database/apply-migrations.ts'
import { prismaFolder, readMigrations } from '../../../src/database/migrations.ts'
import { checkMigrations } from '../../../src/database/readiness.ts'
import { openClient } from '../../../prisma/connection/database.ts'
import { useDatabase } from '../../support/service/database.ts'

// A database that a newer version has migrated (docs/operations/upgrade.md#going-back).

const name = '20990101000000_future'
const log = { info: () => {}, warn: () => {} }
const database = useDatabase()

beforeAll(async () => {
  await applyMigrations(database.poolConfig, log)
  await run(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('future', '', '${name}', now())`)
})

const run = (sql: string) => withSession(database.poolConfig, (session) => session.query(sql))
const setOldest = (version: string | null) =>
  run(`UPDATE _prisma_migrations SET readable_by = ${version === null ? 'NULL' : `'${version}'`} WHERE migration_name = '${name}'`)

async function checkReadiness(): Promise<void> {
  const client = openClient(database.poolConfig)
  try {
    await checkMigrations(client.pool)
  } finally {
    await client.close()
  }
}

test.each([null, '99.0.0', '1.99.0'])('is refused if the newer version has recorded %j as the oldest that can serve it', async (oldest) => {
  await setOldest(oldest)
  const version = await readVersion()
  await expect(applyMigrations(database.poolConfig, log)).rejects.toThrow(
    `a newer version of the service has migrated the database (${name}), and version ${version} cannot serve it`,
  )
  expect(await readMigrationStatus(database.poolConfig)).toMatchObject({ unknown: [name], newer: [] })
  await expect(checkReadiness()).rejects.toThrow(`migrations of a newer version: ${name}`)
})

test.each(['0.9.0', '1.0.0', '1.0.7'])('is served with a warning if the newer version has recorded %s', async (oldest) => {
  await setOldest(oldest)
  const warnings: string[] = []
  expect(await applyMigrations(database.poolConfig, { ...log, warn: (text) => warnings.push(text) })).toEqual([])
  expect(warnings).toEqual([`migration ${name} was applied by a newer version of the service`])
  expect(await readMigrationStatus(database.poolConfig)).toMatchObject({ unknown: [], newer: [name] })
  await expect(checkReadiness()).resolves.toBeUndefined()
})

test.each([
  ['1.1.0-dev', '1.1.0', true],
  ['1.1.0', '1.1.1', false],
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '1.9.9', true],
  ['1.9.9', '2.0.0', false],
])('version %s can serve what needs at least %s: %j', (version, oldest, result) => {
  expect(canServe(version, oldest)).toBe(result)
})

test('the oldest versions are recorded for existing migrations, and are not newer than this version', async () => {
  const { rows } = await run('SELECT migration_name AS name, readable_by AS oldest FROM _prisma_migrations WHERE readable_by IS NOT NULL')
  const recorded = Object.fromEntries(rows.filter((row) => row.name !== name).map((row) => [row.name, row.oldest]))
  expect(recorded).toEqual(readableBy)
  const names = (await readMigrations(prismaFolder)).map((migration) => migration.name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(readableBy)))
  for (const oldest of Object.values(readableBy)) expect(canServe(await readVersion(), oldest)).toBe(true)
})
