import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { isUnavailable } from '../../prisma/availability.ts'
import { openClient } from '../../prisma/client.ts'
import { createDatabase } from '../support/database.ts'
import { layWire } from '../support/wire.ts'

describe('a connection that was idle for longer than a server may be silent', () => {
  test('is given up all the same when the server owes an answer', async () => {
    const { poolConfig, drop } = await createDatabase()
    const wire = await layWire(poolConfig)
    const { pool, close } = openClient({ ...wire.poolConfig, max: 1, query_timeout: 100 })
    await pool.query('SELECT 1')
    await pause(300)
    wire.dangle()
    const fault = await Promise.race([pool.query('SELECT 1').catch((error: unknown) => error), pause(2000)])
    expect(isUnavailable(fault)).toBe(true)
    await wire.mend()
    await close()
    await wire.close()
    await drop()
  })
})
