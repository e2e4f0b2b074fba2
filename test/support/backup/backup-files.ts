import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { afterAll } from 'vitest'
import { listTables } from '../../../src/backup/catalog.ts'
import { withSession } from '../../../src/database/connection.ts'
import { runCli } from '../service/cli.ts'
import { secretKey } from '../service/test-settings.ts'

/** A folder for the files of a test file, removed at its end. */
export function useFolder(): (...names: string[]) => string {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-backup-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return (...names) => path.join(folder, ...names)
}

/** The settings of a command on a database, with the SECRET_KEY of the tests. `dataDir` is for keys: the database is external. */
export const settingsFor = (url: string, dataDir: string) => ({ DATABASE_URL: url, DATA_DIR: dataDir, SECRET_KEY: secretKey })

/** Runs a command with `--json` and returns its output. Throws if it fails or warns. */
export async function succeed(settings: Record<string, string>, line: readonly string[], input = '') {
  const { status, stdout, stderr } = await runCli(settings, [...line, '--json'], input)
  if (status !== 0 || stderr !== '') throw new Error(`${line.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

/** The rows of each table that a backup contains, as a hash and a number, and the sequences. A restore changes the positions of webhooks. */
export async function contentOf(poolConfig: pg.PoolConfig): Promise<Record<string, string>> {
  return withSession(poolConfig, async (session) => {
    const content: Record<string, string> = {}
    for (const { name, sqlName, columns } of await listTables(session)) {
      const kept = name === 'webhooks' ? columns.filter((column) => !/^(position_|events_since)/.test(column)) : columns
      const list = kept.map((column) => `"${column}"`).join(', ')
      const { rows } = await session.query<{ content: string }>(
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(row::text, ',' ORDER BY row::text COLLATE "C")), '') AS content FROM (SELECT ${list} FROM ${sqlName}) row`,
      )
      content[name] = rows[0]?.content ?? ''
    }
    const { rows } = await session.query<{ name: string; value: string }>(
      'SELECT sequencename AS name, last_value AS value FROM pg_sequences',
    )
    for (const { name, value } of rows) content[name] = value
    return content
  })
}
