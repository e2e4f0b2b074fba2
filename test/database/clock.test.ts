import { expect, onTestFinished, test } from 'vitest'
import { openClient } from '../../prisma/connection/database.ts'
import { followDatabaseClock } from '../../src/database/clock.ts'
import { useDatabase } from '../support/service/database.ts'
import { travel } from '../support/service/clock.ts'

const { poolConfig } = useDatabase()

test.each([-3_600_000, 3_600_000])(
  'the clock of the service follows the database in a process whose own clock is %i ms off',
  async (shift) => {
    travel(shift)
    const database = openClient(poolConfig)
    const errors: unknown[] = []
    const clock = await followDatabaseClock(database.pool, (error) => void errors.push(error))
    onTestFinished(async () => {
      clock.close()
      await database.close()
    })
    const read = async () => {
      const { rows } = await database.pool.query<{ time: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time')
      return rows[0]?.time ?? 0
    }
    const [before, now, after] = [await read(), clock.now().getTime(), await read()]
    // Half of the shift, because the clock is read at an unknown time between a request and its response.
    const tolerance = Math.abs(shift) / 2
    expect(now).toBeGreaterThan(before - tolerance)
    expect(now).toBeLessThan(after + tolerance)
    travel(shift)
    expect(Math.abs(clock.now().getTime() - now)).toBeLessThan(tolerance)
    expect(errors).toEqual([])
  },
)
