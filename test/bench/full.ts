import type { Contestant } from './contestants/start.ts'
import { fullSizes } from './data/sizes.ts'
import { openBench } from './measure/bench.ts'
import type { Bench } from './measure/bench.ts'
import { measureGrowth } from './measure/growth.ts'
import type { GrowthResult } from './measure/growth.ts'
import { measureChanges, measureFeed } from './measure/events.ts'
import { measureMemory } from './measure/start/memory.ts'
import { measureRequest } from './measure/requests.ts'
import type { RequestResult } from './measure/requests.ts'
import type { Duration } from './measure/rounds.ts'
import { measureStart } from './measure/start/start.ts'
import { measureTwoProcesses } from './measure/two-processes.ts'
import { measureDeliveries } from './measure/webhooks.ts'
import { describeMachine } from './report/machine.ts'
import type { FullResults } from './report/results.ts'
import { growthText, requestText } from './report/table.ts'
import { allRequests } from './requests/all.ts'
import { connections, contestantsOf } from './requests/request.ts'
import type { BenchRequest } from './requests/request.ts'

interface FullOptions {
  rounds: number
  seconds: number
  isSelected(name: string): boolean
  print(text: string): void
}

/** Measures the selected requests and growth on the full data. */
export async function runFullForm({ rounds, seconds, isSelected, print }: FullOptions): Promise<FullResults> {
  await using running = new AsyncDisposableStack()
  const bench = await openBench(fullSizes, running)
  const duration: Duration = { rounds, seconds, atLeast: 1_000, warmUp: { seconds: 1.5, atLeast: 1_000 } }
  const requests: RequestResult[] = []
  for (const request of allRequests.filter(({ name }) => isSelected(name))) {
    const result = await measureRequest(request, bench.data, await startContestants(bench, request), duration, bench.tools)
    print(`${requestText(request, result)}\n`)
    requests.push(result)
  }
  const growth: GrowthResult[] = []
  const add = (results: readonly GrowthResult[]) => {
    growth.push(...results)
    for (const result of results) print(`${growthText(result)}\n`)
  }
  add(await measureGrowth(bench, duration, isSelected))
  if (isSelected('feed')) add([await measureFeed(bench, duration)])
  if (isSelected('changes-with-webhooks')) add([await measureChanges(bench)])
  if (isSelected('webhooks')) add(await measureDeliveries())
  if (isSelected('two-processes')) add(await measureTwoProcesses(bench, duration))
  if (isSelected('memory')) add(await measureMemory(bench))
  if (isSelected('start-embedded')) add([await measureStart(bench, 'embedded')])
  if (isSelected('start-postgresql')) add([await measureStart(bench, 'postgresql')])
  return { machine: describeMachine(bench.database.version), rounds, seconds, connections, requests, growth }
}

async function startContestants(bench: Bench, request: BenchRequest): Promise<Map<string, Contestant>> {
  const contestants = new Map([['service', bench.service]])
  for (const name of contestantsOf(request)) contestants.set(name, await bench.handWritten(name))
  return contestants
}
