import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { isUnavailable } from '../../prisma/availability.ts'
import { openClient } from '../../prisma/client.ts'
import { createPresence } from '../../src/oidc/token/presence.ts'
import { createDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait.ts'
import { layWire } from '../support/wire.ts'

const { poolConfig, url, drop } = await createDatabase()
const database = openClient(poolConfig)
const { pool } = database
const observer = createPresence(pool)
afterAll(async () => {
  await observer.close()
  await database.close()
  await drop()
})

const program = path.join(import.meta.dirname, '..', 'support', 'presence-process.ts')

/** A process that is there: its number, and how to end it. */
async function startPresent() {
  const child = spawn(process.execPath, [program, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { id: Number(line), signal: (name: NodeJS.Signals) => child.kill(name), ended: once(child, 'close') }
}

/** The server takes some milliseconds to notice that a session has ended. */
const untilGone = (id: number) => waitFor(() => observer.isGone(id), 5)

/** Backends that hold a lock of presence, with its number. */
async function holders() {
  const { rows } = await pool.query<{ pid: number; id: number }>(
    `SELECT pid, objid::int AS id FROM pg_locks WHERE locktype = 'advisory' AND classid = 7264107 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )
  return rows
}

describe('a process of its own', () => {
  test('is there until it is killed, to whoever asks and however many at once; then it is gone for good', async () => {
    const child = await startPresent()
    const ask = () => Promise.all(Array.from({ length: 20 }, () => observer.isGone(child.id)))
    expect(new Set(await ask())).toEqual(new Set([false]))
    child.signal('SIGKILL')
    await child.ended
    await untilGone(child.id)
    expect(new Set(await ask())).toEqual(new Set([true]))
  })

  test('that stands still is there', async () => {
    const child = await startPresent()
    child.signal('SIGSTOP')
    expect(await observer.isGone(child.id)).toBe(false)
    child.signal('SIGKILL')
    await child.ended
  })
})

describe('several in one process', () => {
  const all = Array.from({ length: 5 }, () => createPresence(pool))
  afterEach(() => Promise.all(all.map((each) => each.close())))

  test('have numbers of their own, one session each, and are there to each other but not after their end', async () => {
    const ids = await Promise.all(all.map((each) => each.id()))
    expect(new Set(ids).size).toBe(5)
    for (const id of ids) expect(Number.isInteger(id) && id >= 0 && id < 2 ** 31).toBe(true)
    const again = await Promise.all(all.flatMap((each) => [each.id(), each.id()]))
    expect(new Set(again)).toEqual(new Set(ids))
    expect(new Set((await holders()).map(({ id }) => id))).toEqual(new Set(ids))
    expect(await holders()).toHaveLength(5)
    const [first, second] = all
    expect(await first?.isGone(ids[1] ?? 0)).toBe(false)
    await second?.close()
    await untilGone(ids[1] ?? 0)
  })
})

describe('a connection that breaks', () => {
  test('is replaced at the next word, under the same number, and the process never counts as gone to itself', async () => {
    const presence = createPresence(pool)
    const id = await presence.id()
    const [held] = await holders()
    await pool.query('SELECT pg_terminate_backend($1)', [held?.pid])
    await untilGone(id)
    expect(await presence.isGone(id)).toBe(false)
    await expect.poll(async () => [await presence.id(), (await holders()).length]).toEqual([id, 1])
    expect(await observer.isGone(id)).toBe(false)
    expect((await holders())[0]?.pid).not.toBe(held?.pid)
    await presence.close()
  })

  test('that the server believes in still is replaced under another number, at once', async () => {
    const wire = await layWire(poolConfig)
    const far = openClient(wire.poolConfig)
    const presence = createPresence(far.pool)
    const id = await presence.id()
    // Another session stands for the one that the server has not missed yet.
    const stale = await pool.connect()
    await wire.cut()
    await untilGone(id)
    await stale.query('SELECT pg_advisory_lock(7264107, $1)', [id])
    await wire.mend()
    const next = await presence.id()
    expect(next).not.toBe(id)
    expect([await presence.isGone(id), await presence.isGone(next), await observer.isGone(next)]).toEqual([false, false, false])
    stale.release(true)
    await presence.close()
    await far.close()
    await wire.close()
  })
})

describe.each(['cut', 'dangle'] as const)('a database that is away (%s)', (how) => {
  test('is said so in time, and a number is there once it is back', async () => {
    const wire = await layWire(poolConfig)
    const far = openClient(wire.poolConfig)
    const presence = createPresence(far.pool)
    await wire[how]()
    const asked = performance.now()
    const error = await presence.id().catch((error: unknown) => error)
    expect(isUnavailable(error)).toBe(true)
    expect(performance.now() - asked).toBeLessThan(3000)
    await wire.mend()
    expect(await observer.isGone(await presence.id())).toBe(false)
    await presence.close()
    await far.close()
    await wire.close()
  })
})
