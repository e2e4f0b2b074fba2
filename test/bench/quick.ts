import { quickSizes } from './data/sizes.ts'
import { openBench } from './measure/bench.ts'
import type { Bench } from './measure/bench.ts'
import { cpuOf, measureRequest } from './measure/requests.ts'
import type { Duration } from './measure/rounds.ts'
import type { BenchRequest } from './requests/request.ts'
import { referenceOf } from './requests/request.ts'
import { findRegressions } from './report/regressions.ts'
import { readResults, recordResults } from './report/results.ts'
import type { RecordedRatios } from './report/results.ts'
import { requestText } from './report/table.ts'

// CPU time per request, not requests per second: a busy machine changes the latter of two programs differently.

const duration: Duration = { rounds: 4, seconds: 0.35, atLeast: 250, warmUp: { seconds: 0.9, atLeast: 1_500 } }
/** For the ratios that are recorded, and for a request that seems slower than these. */
const longDuration: Duration = { rounds: 9, seconds: 0.6, atLeast: 500, warmUp: { seconds: 2, atLeast: 3_000 } }

interface QuickOptions {
  requests: readonly BenchRequest[]
  /** Records the ratios instead of comparing them. */
  isRecording: boolean
  print(text: string): void
}

/** Compares the ratio of each request with the recorded one. Returns the names of those that fell by more than a quarter. */
export async function runQuickForm({ requests, isRecording, print }: QuickOptions): Promise<string[]> {
  await using running = new AsyncDisposableStack()
  const bench = await openBench(quickSizes, running)
  const measured = await measureRatios(bench, requests, isRecording ? longDuration : duration, print)
  const recorded = readResults().quick
  if (isRecording) {
    recordResults({ quick: { ...recorded, ...measured } })
    return []
  }
  const suspected = requests.filter(({ name }) => findRegressions(measured, recorded).includes(name))
  if (suspected.length > 0) print(`\nmeasuring again, longer: ${suspected.map(({ name }) => name).join(', ')}\n\n`)
  const repeated = await measureRatios(bench, suspected, longDuration, print)
  for (const [name, ratio] of Object.entries({ ...measured, ...repeated }))
    print(`${name.padEnd(14)} ratio ${ratio.toFixed(2)}, recorded ${recorded[name]?.toFixed(2) ?? 'none'}\n`)
  return findRegressions(repeated, recorded)
}

async function measureRatios(bench: Bench, requests: readonly BenchRequest[], duration: Duration, print: (text: string) => void) {
  const ratios: RecordedRatios = {}
  for (const request of requests) {
    const reference = referenceOf(request)
    const contestants = new Map([
      ['service', bench.service],
      [reference, await bench.handWritten(reference)],
    ])
    const result = await measureRequest(request, bench.data, contestants, duration, bench.tools)
    print(`${requestText(request, result)}\n`)
    const { performance } = result
    const [ours, theirs] = [performance['service'], performance[reference]]
    ratios[request.name] = ours && theirs ? cpuOf(theirs) / cpuOf(ours) : Number.NaN
  }
  return ratios
}
