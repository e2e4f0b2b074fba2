import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checks } from '../../src/cli/checks/index.ts'
import { counters, gauges, histograms } from '../../src/metrics/declarations.ts'
import { alertRules, namesIn } from '../support/metrics/promql.ts'

// How operators learn of each fault, in docs/operations/faults.md. That its first table has every fault that the tests cause:
// test/faults/faults.slow.test.ts.

const page = readFileSync('docs/operations/faults.md', 'utf8')
const rowsOf = (columns: number): string[][] =>
  Array.from(page.matchAll(/^\| (.*) \|$/gm), ([, row = '']) => row.split(' | ')).filter(
    (row) => row.length === columns && row[0] !== 'Fault',
  )
const reports = rowsOf(5).map(([fault = '', metric = '', alert = '', doctor = '', section = '']) => ({
  fault,
  metric,
  alert,
  doctor,
  section,
}))
const rules = alertRules()
const metrics = new Set(['up', ...[counters, gauges, histograms].flatMap((group) => Object.values(group).map(({ name }) => name))])
const codeIn = (cell: string) => /^`(\w+)`/.exec(cell)?.[1] ?? ''
const anchors = Array.from(readFileSync('docs/operations/incidents.md', 'utf8').matchAll(/^## (.+)$/gm), ([, title = '']) =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-'),
)

test('the page of faults says for each one, in the same order, how operators learn of it', () => {
  const faults = rowsOf(3).map(([fault]) => fault)
  expect(faults.length).toBeGreaterThan(10)
  expect(reports.slice(0, faults.length).map(({ fault }) => fault)).toEqual(faults)
})

describe.each(reports)('the fault “$fault”', ({ metric, alert, doctor, section }) => {
  test('has a metric that its alert compares', () => {
    const name = codeIn(metric)
    expect(metrics).toContain(name)
    const compared = namesIn([rules.get(codeIn(alert)) ?? ''])
    expect(compared.some((each) => [name, `${name}_count`, `${name}_sum`, `${name}_bucket`].includes(each))).toBe(true)
  })

  test('has a check of doctor, or a reason why there is none', () => {
    const isReason = /^none: .{10}/.test(doctor)
    expect(isReason || checks.some(({ name }) => name === codeIn(doctor))).toBe(true)
  })

  test('has a section in the page of incidents', () => {
    expect(anchors).toContain(/^\[[^\]]+\]\(incidents\.md#([\w-]+)\)$/.exec(section)?.[1])
  })
})
