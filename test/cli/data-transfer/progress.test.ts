import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { createProgress } from '../../../src/data-transfer/import/progress.ts'

/** A terminal or pipe that records its output. */
function recordOutput(isTTY: boolean, columns?: number) {
  const written: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      written.push(chunk.toString())
      done()
    },
  })
  return { written, stream: Object.assign(stream, { isTTY, ...(columns !== undefined && { columns }) }) }
}

test('the progress line shows the share of the file and the time left on a terminal and disappears at the end', () => {
  const { stream, written } = recordOutput(true)
  let milliseconds = 0
  const progress = createProgress(stream, 1000, () => milliseconds)
  progress.bytes(250)
  progress.bytes(250)
  milliseconds = 1000
  progress.records(1234)
  // The line is drawn at most every 100 ms.
  milliseconds = 1099
  progress.records(1235)
  progress.end()
  expect(written).toEqual([
    expect.stringMatching(/^\r\[#{15}\.{15}\] {2}50 % {2}1,234 records {2}1,234\/s {2}ETA 0:01 .\[K$/),
    '\r\u001b[K',
  ])
})

test.each([
  [10, 100, '15:00'],
  [1, 60, '1:39:00'],
  [99, 100, '0:01'],
])('the time left after %i %% in %i seconds is %s', (percent, seconds, left) => {
  const { stream, written } = recordOutput(true)
  let milliseconds = 0
  const progress = createProgress(stream, 100, () => milliseconds)
  progress.bytes(percent)
  milliseconds = seconds * 1000
  progress.records(1)
  expect(written.join('')).toContain(`ETA ${left} `)
})

test.each([40, 60, 80, 120])('the progress line fits in a terminal of %i columns', (columns) => {
  const { stream, written } = recordOutput(true, columns)
  let milliseconds = 0
  const progress = createProgress(stream, 100, () => milliseconds)
  progress.bytes(50)
  milliseconds = 5_000_000
  progress.records(123_456_789)
  const [line = ''] = written
  expect(stripVTControlCharacters(line).trim().length).toBeLessThan(columns)
  expect(line.includes('#')).toBe(columns > 40)
})

test('the progress line shows the number of bytes for a stream of unknown length', () => {
  const { stream, written } = recordOutput(true)
  const progress = createProgress(stream, undefined)
  progress.bytes(3 * 1024 * 1024)
  progress.records(1)
  expect(written).toEqual([expect.stringMatching(/^\r3\.0 MiB {2}1 records {2}/)])
})

test('no progress is written to a pipe', () => {
  const { stream, written } = recordOutput(false)
  const progress = createProgress(stream, 1000)
  progress.bytes(1000)
  progress.records(10)
  progress.end()
  expect(written).toEqual([])
})
