import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type pg from 'pg'
import { advisoryLocks } from '../../prisma/advisory-locks.ts'
import { urlConnection, withSession } from '../../src/database/connection.ts'
import { applyMigrations } from '../../src/database/migrate.ts'
import { prismaFolder } from '../../src/database/migrations.ts'
import { createTeams, renameTeam, storedValues } from '../support/faults/changes.ts'
import { measureWrites } from '../support/faults/fault.ts'
import type { Fault } from '../support/faults/fault.ts'
import { startRestartable } from '../support/faults/restartable-service.ts'
import { createDatabase } from '../support/service/database.ts'
import { secretKey } from '../support/service/test-settings.ts'

/** The first migration that the old database does not have. */
const firstPending = '20261122150000_team_counts'

/** Applies the migrations of an earlier version, and adds a team. */
async function migrateInPart(connection: pg.ClientConfig): Promise<void> {
  const earlier = mkdtempSync(path.join(tmpdir(), 'team-account-prisma-'))
  onTestFinished(() => rmSync(earlier, { recursive: true, force: true }))
  cpSync(prismaFolder, earlier, {
    recursive: true,
    filter: (source) => !source.includes('generated') && !(/^\d/.test(path.basename(source)) && path.basename(source) >= firstPending),
  })
  await applyMigrations(connection, { info() {}, warn() {} }, earlier)
  await withSession(connection, (session) => session.query(`INSERT INTO teams (slug, name) VALUES ('old', 'Old')`))
}

/** Overrides PostgreSQL's function for locks: it waits until both processes have called it, and locks nothing. */
const withoutLocks = `
  CREATE SCHEMA faults; CREATE SEQUENCE faults.at_migrations; CREATE SEQUENCE faults.at_first_start;
  CREATE FUNCTION faults.pg_advisory_lock(key bigint) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE waiting regclass := CASE key
      WHEN ${advisoryLocks.migrations} THEN 'faults.at_migrations' WHEN ${advisoryLocks.firstStart} THEN 'faults.at_first_start' END;
    BEGIN
      IF waiting IS NULL THEN RETURN; END IF;
      PERFORM nextval(waiting);
      FOR i IN 1..1000 LOOP EXIT WHEN pg_sequence_last_value(waiting) > 1; PERFORM pg_sleep(0.01); END LOOP;
    END $$`

/** Both starts must succeed and apply each migration once. The demo team must be created once, and only in an empty database. */
const twoStarts = (name: string, prepare: (connection: pg.ClientConfig) => Promise<void>, demoTeams: number): Fault => ({
  name,
  control: 'both processes get the locks of a start',
  async measure(isControl) {
    const { url, drop } = await createDatabase({ migrated: false })
    onTestFinished(drop)
    const connection = urlConnection(url)
    await prepare(connection)
    if (isControl) {
      const setPath = `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = public, faults, pg_catalog`
      await withSession(connection, (session) => session.query(`${withoutLocks}; ${setPath}`))
    }
    const settings = { DATA_DIR: path.join(inject('runFolder'), `starts-${process.pid}`), DATABASE_URL: url, SECRET_KEY: secretKey }
    const starts = await Promise.allSettled([startRestartable(settings), startRestartable(settings)])
    const origins = starts.flatMap((start) => (start.status === 'fulfilled' ? start.value.origin : []))
    const failed = starts.length - origins.length
    const { rows } = await withSession(connection, (session) =>
      session.query<{ repeated: number; demo: number }>(
        `SELECT (count(*) - count(DISTINCT migration_name))::int AS repeated, (SELECT count(*)::int FROM teams WHERE slug = 'acme') AS demo
           FROM _prisma_migrations`,
      ),
    )
    const [{ repeated, demo } = { repeated: 0, demo: 0 }] = rows
    if (failed > 0) return { acknowledged: origins.length, lost: failed, repeated, unanswered: 0 }
    const written = await measureWrites({
      change: renameTeam(origins, await createTeams(connection)),
      causeFault: async () => {},
      stored: async () => storedValues(connection),
    })
    return {
      ...written,
      lost: written.lost + Math.max(demoTeams - demo, 0),
      repeated: written.repeated + repeated + Math.max(demo - demoTeams, 0),
    }
  },
})

export const startFaults = [
  twoStarts('Two processes start on an empty database', async () => {}, 1),
  twoStarts('Two processes start on the database of an earlier version', migrateInPart, 0),
]
