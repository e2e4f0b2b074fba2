import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { isUnavailable } from '../../../prisma/connection/availability.ts'
import { openClient } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { createDatabase } from '../../support/service/database.ts'
import { startTcpProxy } from '../../support/processes/tcp-proxy.ts'

describe('a connection that was idle for longer than the query timeout', () => {
  test('is closed when the server does not respond to the next query in time', async () => {
    const { limitedPoolConfig, drop } = await createDatabase()
    const proxy = startTcpProxy(limitedPoolConfig)
    const { pool, close } = openClient({ ...proxy.poolConfig, max: 1, query_timeout: 1000 })
    await pool.query('SELECT 1')
    // Longer than the timeout: what is tested is that the time without a query does not count.
    await delay(1500)
    proxy.stall()
    const error = await Promise.race([pool.query('SELECT 1').catch((reason: unknown) => reason), delay(40_000, undefined, { ref: false })])
    expect(isUnavailable(error)).toBe(true)
    await proxy.restore()
    await close()
    await proxy.close()
    await drop()
  })
})

describe('a shared connection to a server that became silent', () => {
  test('is closed in time, although further statements are sent on it', async () => {
    const { limitedPoolConfig, drop } = await createDatabase()
    const proxy = startTcpProxy(limitedPoolConfig)
    const { pool, close } = openClient({ ...proxy.poolConfig, max: 2, query_timeout: 1000 })
    const hot = statement('test_silence', 'SELECT 1 AS one')
    await hot(pool)
    proxy.stall()
    const errors: unknown[] = []
    const send = () => hot(pool).catch((error: unknown) => void errors.push(error))
    const sent = [send()]
    const deadline = Date.now() + 40_000
    while (errors.length === 0 && Date.now() < deadline) {
      await delay(20)
      if (errors.length === 0) sent.push(send())
    }
    expect(errors).not.toHaveLength(0)
    await Promise.all(sent)
    expect(errors).toHaveLength(sent.length)
    expect(errors.every(isUnavailable)).toBe(true)
    await proxy.restore()
    expect(await hot(pool)).toEqual([{ one: 1 }])
    await close()
    await proxy.close()
    await drop()
  })
})
