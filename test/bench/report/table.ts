import type { GrowthResult } from '../measure/growth.ts'
import type { RequestResult } from '../measure/requests.ts'
import type { Spread } from '../measure/statistics.ts'
import type { BenchRequest } from '../requests/request.ts'

// Lines for the terminal.

export const spreadText = ({ median, min, max }: Spread) => `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`

export function requestText({ title, goals }: BenchRequest, { performance, ratios }: RequestResult): string {
  const contestants = Object.entries(performance).map(
    ([name, { requestsPerSecond, p50Milliseconds, p99Milliseconds, serverCpu, databaseCpu }]) =>
      [
        `  ${name.padEnd(14)}`,
        `${requestsPerSecond.toFixed(0).padStart(6)}/s`,
        `p50 ${p50Milliseconds.toFixed(2).padStart(6)} ms`,
        `p99 ${p99Milliseconds.toFixed(2).padStart(6)} ms`,
        `CPU ${serverCpu.toFixed(0).padStart(5)} µs + PostgreSQL ${databaseCpu.toFixed(0).padStart(5)} µs`,
      ].join('   '),
  )
  const compared = Object.entries(ratios).map(([name, { requestsPerSecond, cpu, p99 }]) => {
    const goal = Object.entries(goals).find(([each]) => each === name)?.[1]
    return `  ÷ ${name.padEnd(14)} ${spreadText(requestsPerSecond)}${goal ? ` goal ${goal}` : ''}   CPU ${spreadText(cpu)}   p99 ${p99.toFixed(2)}`
  })
  return [title, ...contestants, ...compared, ''].join('\n')
}

export const growthText = ({ title, unit, value: { median, min, max }, goal }: GrowthResult) =>
  `${title}: ${valueText(median, unit)} (${valueText(min, unit)}–${valueText(max, unit)})${goal ? ` goal ${goalText(goal, unit)}` : ''}`

export const valueText = (value: number, unit: GrowthResult['unit']) =>
  `${unit === 'MB' ? value.toFixed(0) : value.toFixed(2)}${unit && ` ${unit}`}`

export const goalText = ({ bound, value }: NonNullable<GrowthResult['goal']>, unit: GrowthResult['unit']) =>
  `${bound} ${value}${unit && ` ${unit}`}`
