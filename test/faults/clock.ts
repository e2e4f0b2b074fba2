import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { openClient } from '../../prisma/connection/database.ts'
import type { OpenDatabase } from '../../prisma/connection/database.ts'
import { urlConnection } from '../../src/database/connection.ts'
import { createUser, personalToken } from '../support/data/team.ts'
import type { Fault } from '../support/faults/fault.ts'
import { startRestartable } from '../support/faults/restartable-service.ts'
import { shiftedClock } from '../support/processes/service-pair.ts'
import { createDatabase } from '../support/service/database.ts'
import { secretKey } from '../support/service/test-settings.ts'

const minute = 60_000
const tokensPerKind = 10

// Functions that override the clock functions of PostgreSQL and are five minutes ahead.
const wrongClock = ['now', 'clock_timestamp'].map(
  (name) =>
    `CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT pg_catalog.${name}() + interval '5 minutes' $$`,
)

/** Creates tokens that expire in some minutes, for a user who has no others. */
async function createTokens(database: OpenDatabase, minutes: number): Promise<string[]> {
  const user = await createUser(database)
  const expiresAt = new Date(Date.now() + minutes * minute)
  return Promise.all(Array.from({ length: tokensPerKind }, () => personalToken(database, user, { expiresAt })))
}

/**
 * Two processes, one five minutes slow and one five minutes fast. The clock of the database decides when a token expires: a token that
 * expires in four minutes counts as lost if it is refused, and one that expired a minute ago as repeated if it is accepted.
 * test/reliability/clocks.slow.test.ts does the same with codes, refresh tokens and sessions.
 */
export const wrongClocks: Fault = {
  name: 'The clock of the service is five minutes off',
  control: 'the clock of PostgreSQL is five minutes off',
  async measure(isControl) {
    const { url, drop } = await createDatabase()
    onTestFinished(drop)
    const database = openClient(urlConnection(url))
    onTestFinished(database.close)
    const [valid, ended] = [await createTokens(database, 4), await createTokens(database, -1)]
    if (isControl) {
      for (const statement of wrongClock) await database.pool.query(statement)
      await database.pool.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = public, pg_catalog`)
    }
    const settings = { DATA_DIR: path.join(inject('runFolder'), `clock-${process.pid}`), DATABASE_URL: url, SECRET_KEY: secretKey }
    const services = await Promise.all([-5, 5].map((minutes) => startRestartable({ ...settings, ...shiftedClock(minutes * minute) })))
    const count = async (tokens: readonly string[], status: number) => {
      const send = (origin: string, token: string) => fetch(`${origin}/api/v1/user`, { headers: { Authorization: `Bearer ${token}` } })
      const responses = await Promise.all(services.flatMap(({ origin }) => tokens.map((token) => send(origin, token))))
      return responses.filter((response) => response.status === status).length
    }
    return { acknowledged: valid.length, lost: await count(valid, 401), repeated: await count(ended, 200), unanswered: 0 }
  },
}
