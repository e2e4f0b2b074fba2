import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'
import { alertsFile } from './promql.ts'

/** What Prometheus has stored about the service, and the alerts of one rule after some minutes. */
export interface Situation {
  /** Values of each series once a minute, in the notation of promtool: `0+2x30` are 0, 2, 4 and so on. */
  series: Readonly<Record<string, string>>
  minutes: number
  /** The alerts that fire, each with its severity, its other labels and its summary. */
  alerts: readonly { labels?: Readonly<Record<string, string>>; severity: string; summary: string }[]
}

/** When a rule fires and when it does not. */
export interface RuleSituations {
  fires: Situation
  /** Situations that are close to the limit, in which the alert does not fire. */
  quiet: readonly Omit<Situation, 'alerts'>[]
}

/** Whether promtool, of the Debian package `prometheus`, is installed. */
export const hasPromtool = spawnSync('promtool', ['--version']).error === undefined

/** Evaluates an alert rule in a situation. Returns the differences from what is expected, as promtool prints them; empty if there are none. */
export function evaluateRule(alertname: string, { series, minutes, alerts }: Situation): string {
  const exp_alerts = alerts.map(({ labels, severity, summary }) => ({
    exp_labels: { ...labels, severity },
    exp_annotations: { summary },
  }))
  const input_series = Object.entries(series).map(([name, values]) => ({ series: name, values }))
  const alert_rule_test = [{ eval_time: `${minutes}m`, alertname, exp_alerts }]
  const rule_files = [path.resolve(alertsFile)]
  const tests = [{ interval: '1m', input_series, alert_rule_test }]
  const folder = mkdtempSync(path.join(inject('runFolder'), 'promtool-'))
  // JSON is YAML.
  const file = path.join(folder, 'test.yaml')
  writeFileSync(file, JSON.stringify({ rule_files, evaluation_interval: '1m', tests }))
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return status === 0 ? '' : stdout + stderr
}
