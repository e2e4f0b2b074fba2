import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { processAlerts } from '../support/metrics/process-alerts.ts'
import { alertNames, alertsFile } from '../support/metrics/promql.ts'
import { evaluateRule, hasPromtool } from '../support/metrics/promtool.ts'
import { workAlerts } from '../support/metrics/work-alerts.ts'

const alertSituations = { ...processAlerts, ...workAlerts }

const missing = 'promtool, of the Debian package prometheus, is not installed'

test('every alert rule has situations in which it fires and in which it does not', () => {
  expect(Object.keys(alertSituations).toSorted()).toEqual(alertNames().toSorted())
  for (const { fires, quiet } of Object.values(alertSituations)) {
    expect(fires.alerts.length).toBeGreaterThan(0)
    expect(quiet.length).toBeGreaterThan(0)
  }
})

describe.each(Object.entries(alertSituations))('%s', (name, { fires, quiet }) => {
  test('fires with a summary that people can read', (context) => {
    if (!hasPromtool) context.skip(missing)
    expect(evaluateRule(name, fires)).toBe('')
  })

  test('does not fire below its limit', (context) => {
    if (!hasPromtool) context.skip(missing)
    for (const situation of quiet) expect(evaluateRule(name, { ...situation, alerts: [] })).toBe('')
  })
})

test('promtool accepts the alert rules', (context) => {
  if (!hasPromtool) context.skip(missing)
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', alertsFile], { encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
})
