import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { advisoryLocks } from '../../prisma/advisory-locks.ts'
import { urlConnection, withSession } from '../../src/database/connection.ts'
import { createTeams, renameTeam, storedValues } from '../support/faults/changes.ts'
import { measureWrites } from '../support/faults/fault.ts'
import type { Fault } from '../support/faults/fault.ts'
import { startRestartable } from '../support/faults/restartable-service.ts'
import { createDatabase } from '../support/service/database.ts'
import { secretKey } from '../support/service/test-settings.ts'

/** Overrides PostgreSQL's functions for locks: they wait until both processes have called them, and lock nothing. */
const withoutLocks = `
  CREATE SCHEMA faults; CREATE SEQUENCE faults.at_migrations; CREATE SEQUENCE faults.at_first_start;
  CREATE FUNCTION faults.pg_advisory_lock(key bigint) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE waiting regclass := CASE key
      WHEN ${advisoryLocks.migrations} THEN 'faults.at_migrations' WHEN ${advisoryLocks.firstStart} THEN 'faults.at_first_start' END;
    BEGIN
      IF waiting IS NULL THEN RETURN; END IF;
      PERFORM nextval(waiting);
      FOR i IN 1..1000 LOOP EXIT WHEN pg_sequence_last_value(waiting) > 1; PERFORM pg_sleep(0.01); END LOOP;
    END $$;
  CREATE FUNCTION faults.pg_try_advisory_lock(key bigint) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN PERFORM faults.pg_advisory_lock(key); RETURN true; END $$`

/** Both starts must succeed and apply each migration once, and create the demo team once. */
const twoStarts: Fault = {
  name: 'Two processes start on an empty database',
  control: 'both processes get the locks of a start',
  async measure(isControl) {
    const { url, drop } = await createDatabase({ migrated: false })
    onTestFinished(drop)
    const connection = urlConnection(url)
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
      lost: written.lost + Math.max(1 - demo, 0),
      repeated: written.repeated + repeated + Math.max(demo - 1, 0),
    }
  },
}

export const startFaults = [twoStarts]
