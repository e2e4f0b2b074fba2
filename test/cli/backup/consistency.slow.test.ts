import { stat } from 'node:fs/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSession } from '../../../src/database/connection.ts'
import { contentOf, useFolder } from '../../support/backup/backup-files.ts'
import { differingCounts } from '../../support/data/kept-counts.ts'
import { everything } from '../../support/data/records/everything.ts'
import { runCli, useCli } from '../../support/service/cli.ts'
import { createDatabase } from '../../support/service/database.ts'
import type { TestDatabase } from '../../support/service/database.ts'
import { isFull } from '../../support/service/full.ts'

const cli = useCli()
const folder = useFolder()
let target: TestDatabase
beforeAll(async () => {
  target = await createDatabase({ migrated: false })
  await cli.import(everything().records)
})
afterAll(() => target.drop())

/** Adds a user, a membership and an audit entry in each transaction until `end` is called. Returns the number of transactions. */
function keepWriting() {
  const end = new AbortController()
  const writing = withSession(cli.pool.options, async (session) => {
    let count = 0
    for (; !end.signal.aborted; count++) {
      await session.query('BEGIN')
      await session.query(`INSERT INTO users (email, name) VALUES ($1, 'Guest')`, [`guest-${count}@example.com`])
      await session.query(
        `INSERT INTO members (team_id, user_id, role) SELECT t.id, u.id, 'member' FROM teams t, users u WHERE u.email = $1`,
        [`guest-${count}@example.com`],
      )
      await session.query(
        `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, subject, request_id)
         VALUES (now(), 'test', 'operator', 'test', 'command_line', $1, '')`,
        [String(count)],
      )
      await session.query('COMMIT')
    }
    return count
  })
  return {
    end() {
      end.abort()
      return writing
    },
  }
}

describe('a backup of a database that is written to', () => {
  test('contains each transaction completely or not at all', async () => {
    const writer = keepWriting()
    expect(await runCli(cli.env, ['backup', folder('busy.backup')])).toMatchObject({ status: 0, stderr: '' })
    const written = await writer.end()
    expect(await runCli({ DATABASE_URL: target.url }, ['restore', folder('busy.backup')])).toMatchObject({ status: 0 })
    await withSession(target.poolConfig, async (session) => {
      const { rows } = await session.query(
        `SELECT (SELECT count(*) FROM users WHERE name = 'Guest') AS users, (SELECT count(*) FROM members m JOIN users u ON u.id = m.user_id WHERE u.name = 'Guest') AS members,
           (SELECT count(*) FROM audit_entries WHERE action = 'test') AS entries`,
      )
      expect(rows[0]).toEqual({ users: rows[0].entries, members: rows[0].entries, entries: rows[0].entries })
      expect(Number(rows[0].entries)).toBeLessThanOrEqual(written)
      expect(await differingCounts(session)).toEqual([])
    })
  })

  test.runIf(isFull)('streams 120 MB in both directions', async () => {
    await cli.pool.query(
      `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, subject, before, request_id)
       SELECT now(), 'bulk', 'operator', 'test', 'command_line', n::text, (SELECT jsonb_agg(md5(n || ' ' || m)) FROM generate_series(1, 20) m), gen_random_uuid() FROM generate_series(1, 150000) n`,
    )
    const large = await createDatabase({ migrated: false })
    const file = folder('large.backup')
    const memory = watchMemory()
    expect(await runCli(cli.env, ['backup', file])).toMatchObject({ status: 0, stderr: '' })
    expect(await runCli({ DATABASE_URL: large.url }, ['restore', file])).toMatchObject({ status: 0 })
    expect((await stat(file)).size).toBeGreaterThan(50_000_000)
    expect(memory.end() / 1e6).toBeLessThan(100)
    const [before, after] = [await contentOf(cli.pool.options), await contentOf(large.poolConfig)]
    // The target also has the entry of the restore.
    expect({ ...after, audit_entries: '' }).toEqual({ ...before, audit_entries: '' })
    expect(await otherEntriesOf(large.poolConfig)).toEqual(await otherEntriesOf(cli.pool.options))
    await large.drop()
  })
})

/** The number of audit entries but those of a restore, and a hash of what they state. */
const otherEntriesOf = (poolConfig: pg.PoolConfig) =>
  withSession(poolConfig, async (session) => {
    const { rows } = await session.query<{ count: string; hash: string }>(
      `SELECT count(*), md5(string_agg((id, at, action, subject, before, request_id)::text, ',' ORDER BY id)) AS hash FROM audit_entries entry WHERE action <> 'restore'`,
    )
    return rows
  })

/** Samples the memory of this process that is in use. `end` returns the increase at its maximum, in bytes. */
function watchMemory() {
  const used = () => process.memoryUsage.rss()
  const first = used()
  let maximum = first
  const timer = setInterval(() => (maximum = Math.max(maximum, used())), 20)
  return {
    end() {
      clearInterval(timer)
      return maximum - first
    },
  }
}
