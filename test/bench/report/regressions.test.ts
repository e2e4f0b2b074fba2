import { expect, test } from 'vitest'
import { findRegressions } from './regressions.ts'

test('reports a request whose ratio fell by more than a quarter', () => {
  expect(findRegressions({ members: 0.59, team: 0.61 }, { members: 0.8, team: 0.8 })).toEqual(['members'])
})

test('accepts a ratio that rose', () => {
  expect(findRegressions({ members: 1.2 }, { members: 0.8 })).toEqual([])
})

test('reports a request without a recorded ratio', () => {
  expect(findRegressions({ members: 0.8 }, {})).toEqual(['members'])
})
