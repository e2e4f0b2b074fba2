import { expect, test } from 'vitest'
import { judge, momentOf } from './series.ts'
import type { Moment } from './series.ts'

const flat: Moment = { seconds: 0, heap: 60, resident: 180, descriptors: 60, connections: 40, jobs: 1 }
/** Sixty moments, some values of which depend on the time from 0 to 1. */
const moments = (changesAt: (time: number) => Partial<Moment>): Moment[] =>
  Array.from({ length: 60 }, (_, index) => ({ ...flat, ...changesAt(index / 60) }))
const growing = (all: readonly Moment[]) => judge(all).flatMap(({ series, grows }) => (grows ? [series.name] : []))

test('accepts values that vary without growing, and a single peak', () => {
  const wave = (time: number) => Math.sin(time * 40) * 10
  expect(growing(moments((time) => ({ heap: 60 + wave(time), resident: 180 + wave(time), connections: 40 + wave(time) / 3 })))).toEqual([])
  expect(growing(moments((time) => (time > 0.9 && time < 0.95 ? { resident: 600, jobs: 50, descriptors: 300 } : {})))).toEqual([])
})

test.each([
  ['heap', (time: number) => ({ heap: 60 + 20 * time })],
  ['resident', (time: number) => ({ resident: 180 + 60 * time })],
  ['descriptors', (time: number) => ({ descriptors: Math.floor(60 + 20 * time) })],
  ['connections', (time: number) => ({ connections: Math.floor(40 + 20 * time) })],
  ['jobs', (time: number) => ({ jobs: Math.floor(15 * time) })],
])('reports steady growth of %s alone', (name, changesAt) => {
  expect(growing(moments(changesAt))).toEqual([name])
})

test('reports a value that the metrics do not contain', () => {
  expect(growing(moments(() => momentOf(0, 'process_open_fds 60\n')))).toEqual(['heap', 'resident', 'connections'])
})
