import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { urlConnection, withSession } from '../../src/database/connection.ts'
import { createTeams, invite, renameTeam, storedValues } from '../support/faults/changes.ts'
import { measureWrites, waitForAcknowledged, waitForRefused } from '../support/faults/fault.ts'
import type { Fault } from '../support/faults/fault.ts'
import { startTcpProxy } from '../support/processes/tcp-proxy.ts'
import type { TcpProxy } from '../support/processes/tcp-proxy.ts'
import { repetitions } from '../support/service/full.ts'
import { startService } from '../support/service/service.ts'

// PostgreSQL responds too slowly, or its responses are lost. The service runs in the process of the test.

/** One for each client, so that few changes wait for each other. */
const teamCount = 6

/**
 * The pool has two connections, and both wait for a lock, so requests for other teams get no connection. The time limit is shorter than
 * that of the product.
 */
export const poolExhausted: Fault = {
  name: 'All connections of the pool are in use',
  control: 'the clients count every request as acknowledged',
  isShort: true,
  async measure(isControl) {
    const limits = { max: 2, connectionTimeoutMillis: 500 }
    const service = await startService({ connectThrough: (config) => ({ ...config, ...limits }) })
    const connection = urlConnection(service.databaseUrl)
    const teams = await createTeams(connection, teamCount)
    return measureWrites({
      change: renameTeam(service.url, teams),
      countsEveryRequest: isControl,
      causeFault: (load) =>
        withSession(connection, async (session) => {
          await session.query('BEGIN')
          await session.query('SELECT FROM teams FOR UPDATE')
          // More requests than connections.
          await waitForRefused(load, teamCount)
        }),
      stored: async () => storedValues(connection),
    })
  },
}

/** A slow disk: the service does not know whether the changes were made. The time limit is shorter than that of the product, 2.5 s. */
export const slowCommits: Fault = {
  name: 'PostgreSQL takes longer for a commit than the service waits',
  control: 'the clients repeat requests without an Idempotency-Key',
  isShort: true,
  async measure(isControl) {
    const service = await startService({ connectThrough: (config) => ({ ...config, query_timeout: 700 }) })
    const connection = urlConnection(service.databaseUrl)
    const teams = await createTeams(connection, teamCount)
    return measureWrites({
      change: invite(service.url, teams, { hasKey: !isControl }),
      causeFault: () =>
        withSession(connection, async (session) => {
          await session.query(`
            CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER commit_slowly AFTER INSERT ON audit_entries
              DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION commit_slowly()`)
          await delay(500)
          // Waits for the transactions in progress.
          await session.query('DROP TRIGGER commit_slowly ON audit_entries')
        }),
      stored: async () => storedValues(connection),
    })
  },
}

/** Neither the client nor the service knows whether the change was made. Half of the connections are cut before COMMIT arrives, half after. */
export const lostCommits: Fault = {
  name: 'The connection to PostgreSQL is cut at COMMIT',
  control: 'the clients repeat requests without an Idempotency-Key',
  isShort: true,
  async measure(isControl) {
    const proxies: TcpProxy[] = []
    const service = await startService({
      connectThrough(config) {
        const proxy = startTcpProxy(config)
        proxies.push(proxy)
        onTestFinished(proxy.close)
        return proxy.poolConfig
      },
    })
    const connection = urlConnection(service.databaseUrl)
    const teams = await createTeams(connection, teamCount)
    return measureWrites({
      change: invite(service.url, teams, { hasKey: !isControl }),
      async causeFault(load) {
        for (const when of ['before', 'after'] as const)
          for (let round = 0; round < repetitions({ short: 1, full: 10 }); round++)
            for (const how of ['closed', 'reset'] as const) {
              proxies[0]?.loseCommit(when, how)
              await waitForAcknowledged(load, teamCount)
            }
      },
      stored: async () => storedValues(connection),
    })
  },
}
