import type { RecordedRatios } from './results.ts'

/** The part of a recorded ratio that a ratio may lose before the quick form fails. */
const tolerance = 0.25

/** Returns the requests whose ratio is more than a quarter below the recorded one, or that have no recorded ratio. */
export function findRegressions(measured: RecordedRatios, recorded: RecordedRatios): string[] {
  return Object.entries(measured).flatMap(([name, ratio]) => {
    const before = recorded[name]
    return before !== undefined && ratio >= before * (1 - tolerance) ? [] : [name]
  })
}
