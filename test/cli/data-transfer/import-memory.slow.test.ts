import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { expect, test } from 'vitest'
import { readLines } from '../../../src/data-transfer/import/lines.ts'
import { importLines } from '../../../src/data-transfer/import/run-import.ts'
import { createDatabase } from '../../support/service/database.ts'
import { isFull } from '../../support/service/full.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const rounds = 5000
const records = 4 * rounds + 1

/** 20,001 records, generated while they are read: a team, then repeatedly a user, a membership and two invoices. */
async function* generateFile(): AsyncGenerator<Uint8Array> {
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

test.runIf(isFull)('an import of 20,000 records uses no more memory at its end than after a quarter', async () => {
  const { url, drop } = await createDatabase()
  const session = new pg.Client(url)
  await session.connect()
  const samples: { read: number; bytes: number }[] = []
  const onProgress = (read: number) => {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    samples.push({ read, bytes: heapUsed + external })
  }
  const report = await importLines(
    session,
    readLines(generateFile(), () => {}),
    { partial: false, operator: 'test', source: 'test', onProgress },
  )
  await session.end()
  await drop()
  expect(report.wrongLines).toEqual([])
  expect(report.records).toBe(records)
  // The minimum of several samples, because each may include a part of the chunk that was just written.
  const minimum = (from: number, to: number) =>
    Math.min(...samples.filter(({ read }) => read > from * records && read <= to * records).map(({ bytes }) => bytes))
  // An importer that retained all records would differ by 10 MB or more.
  expect((minimum(0.75, 1) - minimum(0.125, 0.375)) / 1e6).toBeLessThan(4)
})
