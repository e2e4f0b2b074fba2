import { quickSizes } from './data/sizes.ts'
import { openBench } from './measure/bench.ts'
import type { Bench } from './measure/bench.ts'
import { cpuOf, measureRequest } from './measure/requests.ts'
import type { Duration } from './measure/rounds.ts'
import { measureStartRatio } from './measure/start/start.ts'
import type { BenchRequest } from './requests/request.ts'
import { referenceOf } from './requests/request.ts'
import { findRegressions } from './report/regressions.ts'
import { readResults, recordResults } from './report/results.ts'
import type { RecordedRatios } from './report/results.ts'
import { requestText } from './report/table.ts'

// CPU time per request, not requests per second: a busy machine changes the latter of two programs differently.

const duration: Quick = { rounds: 4, seconds: 0.35, atLeast: 250, warmUp: { seconds: 0.9, atLeast: 1_500 }, starts: 3 }
/** For the ratios that are recorded, and for a request that seems slower than these. */
const longDuration: Quick = { rounds: 9, seconds: 0.6, atLeast: 500, warmUp: { seconds: 2, atLeast: 3_000 }, starts: 9 }
/** How often such a request is measured again before it counts as slower. */
const repetitions = 2

interface Quick extends Duration {
  starts: number
}

/** The name of the ratio of a start among those of requests. */
const start = 'start'

interface QuickOptions {
  requests: readonly BenchRequest[]
  measuresStart: boolean
  /** Records the ratios instead of comparing them. */
  isRecording: boolean
  print(text: string): void
}

/** Compares the ratios of each request and of a start with the recorded ones. Returns the names of those that fell by more than a quarter. */
export async function runQuickForm({ requests, measuresStart, isRecording, print }: QuickOptions): Promise<string[]> {
  await using running = new AsyncDisposableStack()
  const bench = await openBench(quickSizes, running)
  const measured: RecordedRatios = {}
  const measureAll = async (names: readonly string[], each: Quick) => {
    for (const request of requests)
      if (names.includes(request.name)) measured[request.name] = await measureRatio(bench, request, each, print)
    if (names.includes(start)) measured[start] = await measureStartRatio(bench, each.starts)
  }
  const names = [...requests.map(({ name }) => name), ...(measuresStart ? [start] : [])]
  const recorded = readResults().quick
  if (isRecording) {
    await measureAll(names, longDuration)
    recordResults({ quick: { ...recorded, ...measured } })
    return []
  }
  await measureAll(names, duration)
  for (let repetition = 0; repetition < repetitions && findRegressions(measured, recorded).length > 0; repetition++) {
    const slower = findRegressions(measured, recorded)
    print(`\nmeasuring again, longer: ${slower.join(', ')}\n\n`)
    await measureAll(slower, longDuration)
  }
  for (const [name, ratio] of Object.entries(measured))
    print(`${name.padEnd(14)} ratio ${ratio.toFixed(2)}, recorded ${recorded[name]?.toFixed(2) ?? 'none'}\n`)
  return findRegressions(measured, recorded)
}

async function measureRatio(bench: Bench, request: BenchRequest, each: Duration, print: (text: string) => void): Promise<number> {
  const reference = referenceOf(request)
  const contestants = new Map([
    ['service', bench.service],
    [reference, await bench.handWritten(reference)],
  ])
  const result = await measureRequest(request, bench.data, contestants, each, bench.tools)
  print(`${requestText(request, result)}\n`)
  const { performance } = result
  const [ours, theirs] = [performance['service'], performance[reference]]
  return ours && theirs ? cpuOf(theirs) / cpuOf(ours) : Number.NaN
}
