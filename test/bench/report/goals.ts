import { titles } from '../contestants/titles.ts'
import type { GrowthResult } from '../measure/growth.ts'
import type { RequestResult } from '../measure/requests.ts'
import { allRequests } from '../requests/all.ts'
import { contestantsOf } from '../requests/request.ts'
import type { FullResults } from './results.ts'
import { goalText, valueText } from './table.ts'

/**
 * Goal for the 99th percentile of the latencies divided by that of limit-rows, at most. The requests that are compared with a bare
 * endpoint have none: with connections that always wait for a response, their goals for requests per second allow a mean latency
 * of 1.7 and 2.5 times that of the bare endpoint.
 */
export const p99Goal = 1.5

/** Which goals the results miss, as Markdown. */
export function missedText(results: Pick<FullResults, 'requests' | 'growth'>): string {
  const missed = missedGoals(results)
  return missed.length === 0 ? 'All goals are met.' : ['Goals that are not met:', '', ...missed.map((line) => `- ${line}`)].join('\n')
}

/** Returns true if the median misses the goal. */
export const missesGoal = ({ value: { median }, goal }: GrowthResult): boolean =>
  goal !== null && (goal.bound === '≥' ? median < goal.value : median > goal.value)

/** Returns a line for each goal that the medians miss. */
function missedGoals({ requests, growth }: Pick<FullResults, 'requests' | 'growth'>): string[] {
  const missedGrowth = growth.filter(missesGoal).map(({ title, unit, value, goal }) => {
    return `${title}: ${valueText(value.median, unit)}, goal ${goal ? goalText(goal, unit) : ''}`
  })
  return [...requests.flatMap(missedByRequest), ...missedGrowth]
}

function missedByRequest({ name, ratios }: RequestResult): string[] {
  const request = allRequests.find((each) => each.name === name)
  if (!request) return []
  const missed = contestantsOf(request).flatMap((contestant) => {
    const [goal, ratio] = [request.goals[contestant], ratios[contestant]?.requestsPerSecond.median]
    if (goal == null || ratio === undefined || ratio >= goal) return []
    return [`${request.title} ÷ ${titles[contestant]}: ${ratio.toFixed(2)}, goal ≥ ${goal}`]
  })
  const p99 = ratios['limit-rows']?.p99 ?? 0
  if (p99 > p99Goal) missed.push(`${request.title}, p99 ÷ limit-rows: ${p99.toFixed(2)}, goal ≤ ${p99Goal}`)
  return missed
}
