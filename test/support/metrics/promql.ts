import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'

export const alertsFile = 'deploy/prometheus/alerts.yaml'
const dashboardFile = 'deploy/grafana/dashboard.json'

interface Rule {
  alert: string
  expr: string
}

const rules = (): Rule[] => parse(readFileSync(alertsFile, 'utf8')).groups.flatMap((group: { rules: Rule[] }) => group.rules)

export const alertNames = () => rules().map(({ alert }) => alert)
/** The expression of each alert, by its name. */
export const alertRules = () => new Map(rules().map(({ alert, expr }) => [alert, expr]))
export const alertExpressions = () => rules().map(({ expr }) => expr)

/** The expressions of the dashboard, with the variables of Grafana replaced by a value. */
export function dashboardExpressions(): string[] {
  const { panels } = JSON.parse(readFileSync(dashboardFile, 'utf8'))
  const targets = panels.flatMap((panel: { targets?: { expr: string }[] }) => panel.targets ?? [])
  return targets.map(({ expr }: { expr: string }) => expr.replaceAll('$__rate_interval', '1m'))
}

/** The job names that expressions select. */
export const jobsIn = (expressions: readonly string[]): string[] =>
  expressions.flatMap((expression) => Array.from(expression.matchAll(/\bjob="([^"]*)"/g), ([, job = '']) => job))

/** The names of the metrics that expressions of PromQL select. Throws if one cannot be parsed. */
export function namesIn(expressions: readonly string[]): string[] {
  return expressions.flatMap((expression) => {
    const names: string[] = []
    parser.parse(expression).iterate({
      enter({ name, type, from, to, node }) {
        if (type.isError) throw new Error(`not PromQL: ${expression}`)
        if (name === 'Identifier' && node.parent?.name === 'VectorSelector') names.push(expression.slice(from, to))
      },
    })
    return names
  })
}
