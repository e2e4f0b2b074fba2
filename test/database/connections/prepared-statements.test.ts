import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { useDatabaseClients } from '../../support/postgres/database-clients.ts'

const { open, closeAll } = useDatabaseClients()

const echo = statement<{ text: string }, [text: string]>('test_echo', 'SELECT $1::text AS text')
const backend = statement<{ pid: number }, []>('test_backend', 'SELECT pg_backend_pid() AS pid')
const backendAlone = statement<{ pid: number }, []>(
  'test_backend_alone',
  'WITH own AS (SELECT pg_backend_pid() AS pid) SELECT pid FROM own',
)

type Values = [text: string | null, number: number, texts: string[], at: Date, bytes: Buffer, flag: boolean]
const values = statement<Record<string, unknown>, Values>(
  'test_values',
  `SELECT $1::text AS text, $2::int AS number, to_json($3::text[]) AS texts, $4::timestamptz AS at, encode($5::bytea, 'hex') AS bytes, $6::boolean AS flag`,
)
const numbers = statement<{ number: number; tag: string }, [count: number, tag: string]>(
  'test_numbers',
  'SELECT number, $2::text AS tag FROM generate_series(1, $1::int) number',
)
const dividedRows = statement<{ quotient: number }, [count: number]>(
  'test_divided_rows',
  'SELECT 60 / (4 - number) AS quotient FROM generate_series(1, $1::int) number',
)

// PostgreSQL's text contains no NUL.
const text = fc.string({ unit: 'binary' }).map((string) => string.replaceAll('\0', ''))
const parameters = fc.tuple(
  fc.option(text),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.array(text, { maxLength: 4 }),
  fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  fc.boolean(),
)
const executions = fc.oneof(
  parameters.map((row) => ({
    send: ({ pool }: OpenDatabase) => values(pool, ...row),
    result: [{ text: row[0], number: row[1], texts: row[2], at: row[3].toISOString(), bytes: row[4].toString('hex'), flag: row[5] }],
  })),
  fc.tuple(fc.nat(60), text).map(([count, tag]) => ({
    send: ({ pool }: OpenDatabase) => numbers(pool, count, tag),
    result: Array.from({ length: count }, (_, index) => ({ number: index + 1, tag })),
  })),
  fc.nat(6).map((count) => ({
    send: ({ pool }: OpenDatabase) => dividedRows(pool, count),
    // The fourth row divides by zero, after three rows that PostgreSQL may already have sent.
    result: count < 4 ? [20, 30, 60].slice(0, count).map((quotient) => ({ quotient })) : '22012',
  })),
)
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error)

describe('many simultaneous statements', () => {
  test('return their own rows and errors, whatever the values and the number of connections', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(1, 2, 10), fc.array(executions, { minLength: 1, maxLength: 60 }), async (max, sent) => {
        const database = open(max)
        const results = await Promise.all(sent.map(({ send }) => send(database).catch(codeOf)))
        expect(results).toEqual(sent.map(({ result }) => result))
        await closeAll()
      }),
      { numRuns: 50 },
    )
  })

  test('return rows that are longer than what the socket receives at once, like queries of pg', async () => {
    const { pool } = open(2)
    const sent = ['é', 'a', '\u{1f600}'].flatMap((character) => [70_000, 300_000].map((length) => character.repeat(length)))
    expect(await Promise.all(sent.map((each) => echo(pool, each)))).toEqual(sent.map((each) => [{ text: each }]))
    const text = 'SELECT each AS text, NULL AS nothing, octet_length(each) AS bytes FROM unnest($1::text[]) each'
    const { rows } = await pool.query({ text, values: [sent] })
    expect(rows).toEqual(sent.map((each) => ({ text: each, nothing: null, bytes: Buffer.byteLength(each) })))
  })

  test('use no more connections than the pool has, together with transactions and writes', async () => {
    const database = open(5)
    const { pool, prisma } = database
    const inTransaction = () =>
      prisma.$transaction(
        async (transaction) => {
          const [shared] = await backend(pool)
          const rows = await transaction.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
          return [...rows, ...(shared ? [shared] : [])]
        },
        { maxWait: 40_000, timeout: 40_000 },
      )
    const rows = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        index % 40 === 0 ? inTransaction() : index % 3 === 0 ? backendAlone(pool) : backend(pool),
      ),
    )
    const pids = new Set(rows.flat().map(({ pid }) => pid))
    expect(rows.flat()).toHaveLength(123)
    expect(pids.size).toBeGreaterThan(1)
    expect(pids.size).toBeLessThanOrEqual(5)
  })

  test('return their rows when the first execution on the connection fails before its columns are described', async () => {
    const { pool } = open(2)
    const asUuid = statement<{ text: string }, [text: string]>('test_uuid', 'SELECT $1::uuid::text AS text')
    const uuid = '00000000-0000-4000-8000-000000000001'
    const results = await Promise.all(['no uuid', uuid, uuid].map((value) => asUuid(pool, value).catch(codeOf)))
    expect(results).toEqual(['22P02', [{ text: uuid }], [{ text: uuid }]])
  })
})

describe('a prepared statement', () => {
  test('returns a column that a migration adds', async () => {
    const { pool } = open(8)
    await pool.query('DROP TABLE IF EXISTS changing; CREATE TABLE changing (id int)')
    await pool.query('INSERT INTO changing VALUES (1)')
    const select = statement('test_select_changing', 'SELECT * FROM changing')
    const update = statement('test_update_changing', 'UPDATE changing SET id = id RETURNING *')
    const executeAll = async () => {
      const results = await Promise.all(Array.from({ length: 16 }, (_, index) => (index % 4 === 0 ? update(pool) : select(pool))))
      expect(results).toHaveLength(16)
      return [...new Set(results.map((rows) => JSON.stringify(rows)))]
    }
    expect(await executeAll()).toEqual(['[{"id":1}]'])
    await pool.query(`ALTER TABLE changing ADD COLUMN name text DEFAULT 'new'`)
    expect(await executeAll()).toEqual(['[{"id":1,"name":"new"}]'])
  })

  test('is prepared again in a session that has lost it', async () => {
    const { pool } = open(1)
    expect(await echo(pool, 'first')).toEqual([{ text: 'first' }])
    await pool.query('DEALLOCATE ALL')
    expect(await Promise.all([echo(pool, 'second'), echo(pool, 'third')])).toEqual([[{ text: 'second' }], [{ text: 'third' }]])
  })

  test('that PostgreSQL does not accept fails with the error, every time', async () => {
    const { pool } = open(2)
    const wrong = statement('test_wrong', 'SELECT missing FROM nowhere')
    for (let round = 0; round < 2; round++) {
      const results = await Promise.all([wrong(pool).catch(codeOf), wrong(pool).catch(codeOf), echo(pool, 'right')])
      expect(results).toEqual(['42P01', '42P01', [{ text: 'right' }]])
    }
  })
})
