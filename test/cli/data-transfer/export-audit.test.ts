import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli, useCli } from '../../support/service/cli.ts'
import { createDatabase } from '../../support/service/database.ts'
import { everything } from '../../support/data/records/everything.ts'

const cli = useCli()
let folder: string
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'team-account-export-'))))
afterAll(() => rm(folder, { recursive: true }))

describe('the export command', () => {
  test('writes an audit entry with the name of the file before it reads rows', async () => {
    await cli.import(everything().records)
    const file = path.join(folder, 'audited.ndjson')
    expect((await cli.run('export', file)).status).toBe(0)
    const { rows } = await cli.pool.query('SELECT action, actor_kind, actor_name, subject FROM audit_entries ORDER BY at DESC LIMIT 2')
    expect(rows).toEqual([
      { action: 'export', actor_kind: 'operator', actor_name: expect.stringMatching(/./), subject: file },
      expect.objectContaining({ action: 'import' }),
    ])
  })

  test('warns and continues if the audit entry cannot be written', async () => {
    const { url, drop } = await createDatabase()
    const readOnly = new URL(url)
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on')
    const file = path.join(folder, 'read-only.ndjson')
    const { status, stderr } = await runCli({ DATABASE_URL: readOnly.href }, ['export', file])
    expect({ status, stderr, bytes: await readFile(file, 'utf8') }).toEqual({
      status: 0,
      stderr: 'warning: the audit log has no entry of this export: cannot execute INSERT in a read-only transaction\n',
      bytes: '',
    })
    await drop()
  })
})
