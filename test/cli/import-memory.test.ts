import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { expect, test } from 'vitest'
import { readLines } from '../../src/cli/import/lines.ts'
import { importLines } from '../../src/cli/import/run.ts'
import { createDatabase } from '../support/database.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const rounds = 5000
const records = 4 * rounds + 1

/** 20,001 records, made as they are read: a team, then again and again a user, their membership and two invoices. */
async function* file(): AsyncGenerator<Uint8Array> {
  const bytes = (record: object) => Buffer.from(`${JSON.stringify(record)}\n`)
  yield bytes({ type: 'team', slug: 'acme', name: 'Acme' })
  for (let n = 0; n < rounds; n++) {
    const lines = [1, 2, 3].map((quantity) => ({ description: `Line ${quantity} of ${n}`.padEnd(300), quantity, unit_amount: 1000 + n }))
    yield bytes({ type: 'user', email: `user-${n}@example.com`, name: `User ${n}` })
    yield bytes({ type: 'member', team: 'acme', user: `user-${n}@example.com`, role: 'owner' })
    for (const half of ['A', 'B'])
      yield bytes({
        type: 'invoice',
        team: 'acme',
        number: `${half}-${n}`,
        status: 'open',
        currency: 'eur',
        invoice_date: '2026-01-31',
        lines,
      })
  }
}

test('an import of 20,000 records holds no more at its end than after a quarter', async () => {
  const { url, drop } = await createDatabase()
  const session = new pg.Client(url)
  await session.connect()
  const samples: { read: number; held: number }[] = []
  const onProgress = (read: number) => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    samples.push({ read, held: heapUsed + external })
  }
  const report = await importLines(
    session,
    readLines(file(), () => {}),
    { partial: false, operator: 'test', source: 'test', onProgress },
  )
  await session.end()
  await drop()
  expect(report.wrongLines).toEqual([])
  expect(report.records).toBe(records)
  // The least of several moments: in each some of the chunk that was just written may still be held.
  const least = (from: number, to: number) =>
    Math.min(...samples.filter(({ read }) => read > from * records && read <= to * records).map(({ held }) => held))
  // Records that were kept made 10 MB of difference and more.
  expect((least(0.75, 1) - least(0.125, 0.375)) / 1e6).toBeLessThan(4)
}, 60_000)
