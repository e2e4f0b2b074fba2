import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openSealedFile } from '../../../src/backup/file-format.ts'
import { withSession } from '../../../src/database/connection.ts'
import { useFolder } from '../../support/backup/backup-files.ts'
import { spawnCli } from '../../support/service/cli.ts'
import { useDatabase } from '../../support/service/database.ts'
import { waitFor } from '../../support/service/wait.ts'

const folder = useFolder()
const { url, poolConfig } = useDatabase()
const env = { DATABASE_URL: url, DATA_DIR: folder('data') }

test('of two backups to one file that run at once, one is written and the other refused', async () => {
  const file = folder('at-once.backup')
  const both = await withSession(poolConfig, async (session) => {
    // Both have passed the check at their start when they wait for this lock.
    await session.query('BEGIN')
    await session.query('LOCK TABLE teams IN ACCESS EXCLUSIVE MODE')
    const results = Promise.all([1, 2].map(() => spawnCli(env, ['backup', file])))
    const waiting = `SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
    await waitFor(async () => (await session.query(waiting)).rowCount === 2)
    await session.query('COMMIT')
    return results
  })
  const [refused, written] = both.toSorted((one, other) => (other.status ?? 0) - (one.status ?? 0))
  expect(refused).toEqual({ status: 1, stdout: '', stderr: `${file} exists: nothing was written; --force overwrites it\n` })
  expect(written).toEqual({ status: 0, stdout: expect.stringContaining(`to ${file} (${(await readFile(file)).length} bytes)`), stderr: '' })
  await openSealedFile(file, async () => '')
  expect(readdirSync(path.dirname(file)).filter((name) => name.includes('backup'))).toEqual(['at-once.backup'])
})
