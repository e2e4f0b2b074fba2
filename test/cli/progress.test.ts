import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createProgress } from '../../src/cli/import/progress.ts'

/** A terminal, or a pipe, that keeps what is written to it. */
function output(isTTY: boolean) {
  const written: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      written.push(chunk.toString())
      done()
    },
  })
  return { written, stream: Object.assign(stream, { isTTY }) as unknown as NodeJS.WriteStream }
}

test('on a terminal one line grows with the bytes read and is taken away at the end', () => {
  const { stream, written } = output(true)
  const progress = createProgress(stream, 1000)
  progress.bytes(250)
  progress.bytes(250)
  progress.records(1234)
  // Within a tenth of a second it is not drawn again.
  progress.records(1235)
  progress.end()
  expect(written).toEqual([expect.stringMatching(/^\r\[#{15}\.{15}\] {2}50 % {2}1,234 records {2}[\d,]+\/s .\[K$/), '\r\u001b[K'])
})

test('of a stream without a known length it tells how much has come', () => {
  const { stream, written } = output(true)
  const progress = createProgress(stream, undefined)
  progress.bytes(3 * 1024 * 1024)
  progress.records(1)
  expect(written).toEqual([expect.stringMatching(/^\r3\.0 MiB {2}1 records {2}/)])
})

test('into a pipe nothing is written', () => {
  const { stream, written } = output(false)
  const progress = createProgress(stream, 1000)
  progress.bytes(1000)
  progress.records(10)
  progress.end()
  expect(written).toEqual([])
})
