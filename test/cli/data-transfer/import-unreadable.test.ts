import pg from 'pg'
import { expect, test } from 'vitest'
import { readLines } from '../../../src/data-transfer/import/lines.ts'
import { importLines } from '../../../src/data-transfer/import/run-import.ts'
import { createDatabase } from '../../support/service/database.ts'

/** More than a chunk of users and teams, which are written by one statement each, after which the file cannot be read. */
async function* generateUnreadableFile(): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < 1250; n++) {
    const records = [
      { type: 'user', email: `user-${n}@example.com`, name: `User ${n}` },
      { type: 'team', slug: `team-${n}`, name: `Team ${n}` },
    ]
    for (const record of records) yield Buffer.from(`${JSON.stringify(record)}\n`)
  }
  throw new Error('the disk is gone')
}

test('an import writes nothing if its file becomes unreadable while a chunk is written', async () => {
  const { poolConfig, drop } = await createDatabase()
  const session = new pg.Client(poolConfig)
  await session.connect()
  const lines = readLines(generateUnreadableFile(), () => {})
  const options = { partial: true, operator: 'test', source: 'test', onProgress: () => {} }
  await expect(importLines(session, lines, options)).rejects.toThrow('the disk is gone')
  // A chunk that was still being written would send its next statements between these.
  for (let repetition = 0; repetition < 20; repetition++) await session.query('SELECT 1')
  const { rows } = await session.query('SELECT email FROM users UNION SELECT slug FROM teams')
  await session.end()
  await drop()
  expect(rows).toEqual([])
})
