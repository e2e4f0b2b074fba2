import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { urlConnection, withSession } from '../../src/database/connection.ts'
import { createTeams, invite, renameTeam, storedValues } from '../support/faults/changes.ts'
import { acknowledgeMore, measureWrites, refuseMore } from '../support/faults/fault.ts'
import type { Fault } from '../support/faults/fault.ts'
import { startTcpProxy } from '../support/processes/tcp-proxy.ts'
import type { TcpProxy } from '../support/processes/tcp-proxy.ts'
import { repetitions } from '../support/service/full.ts'
import { startService } from '../support/service/service.ts'

// A database that is too slow, or whose answers are lost. The service runs in the process of the test.

/** As many as clients, so that few changes wait for each other. */
const teamCount = 6

/** Two connections, both of which wait for a lock. Requests for other teams get none. With a shorter limit than the product's. */
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
      isCredulous: isControl,
      strike: (load) =>
        withSession(connection, async (session) => {
          await session.query('BEGIN')
          await session.query('SELECT FROM teams FOR UPDATE')
          // More than two: requests without a connection are refused, too.
          await refuseMore(load, teamCount)
        }),
      stored: async () => storedValues(connection),
    })
  },
}

/** As on a slow disk. The service does not know whether the changes were made. With a shorter limit than the product's 2.5 seconds. */
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
      strike: () =>
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

/** Neither the client nor the service knows whether the change was made. Half of the connections are cut before COMMIT arrives, half after it. */
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
      async strike(load) {
        for (const when of ['before', 'after'] as const)
          for (let round = 0; round < repetitions({ short: 1, full: 10 }); round++)
            for (const how of ['closed', 'reset'] as const) {
              proxies[0]?.loseCommit(when, how)
              await acknowledgeMore(load, teamCount)
            }
      },
      stored: async () => storedValues(connection),
    })
  },
}
