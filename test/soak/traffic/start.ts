import { setTimeout as delay } from 'node:timers/promises'
import { startLoad } from '../../bench/measure/load.ts'
import { allRequests } from '../../bench/requests/all.ts'
import { graphqlJourneys } from './graphql.ts'
import { Unavailable } from './journey.ts'
import type { SoakTarget } from './journey.ts'
import { oauthJourneys } from './oauth.ts'
import { pageAndCommandJourneys } from './pages-and-commands.ts'

/** The pause between the requests of one connection, so that the service is never saturated. */
const pauseMilliseconds = 20

/** The fraction of rounds that may be refused with 503. */
const toleratedRefusals = 0.01

/** How often each request or journey was completed. */
export type Counts = Map<string, number>

export interface Traffic {
  /** Rejects when a response is not as expected. */
  failed: Promise<never>
  /** Ends the traffic after the requests in progress. */
  stop(): Promise<Counts>
}

/** Starts the requests of the benchmark, on a connection each, and all journeys, for so many seconds. */
export async function startTraffic(target: SoakTarget, seconds: number): Promise<Traffic> {
  const journeys = [...oauthJourneys, ...graphqlJourneys, ...pageAndCommandJourneys]
  const rounds = await Promise.all(journeys.map(async (journey) => ({ journey, round: await journey.prepare(target) })))
  const counts: Counts = new Map()
  let [completed, refused] = [0, 0]
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => {})
  const stopping = new AbortController()
  const repeat = async ({ journey: { name, pauseMilliseconds: pause }, round }: (typeof rounds)[number]) => {
    while (!stopping.signal.aborted) {
      try {
        await round()
        completed++
        counts.set(name, (counts.get(name) ?? 0) + 1)
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        refused++
      }
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const named = (name: string, error: unknown) => reject(new Error(`${name} failed`, { cause: error }))
  const working = Promise.all(rounds.map((each) => repeat(each).catch((error: unknown) => named(each.journey.name, error))))

  const port = Number(new URL(target.url).port)
  const requests = allRequests.map(({ title, scripts }) => ({ title, script: scripts(target.data, 'service')[0] }))
  const load = startLoad()
  const runs = requests.flatMap(({ script }) =>
    script ? [{ port, seconds, atLeast: 0, scripts: [{ ...script, pauseMilliseconds }] }] : [],
  )
  const loading = load.run(runs).then(
    (results) => results.forEach(({ latencies }, index) => counts.set(requests[index]?.title ?? '', latencies.length)),
    (error: unknown) => named('a frequent request', error),
  )
  return {
    failed,
    async stop() {
      stopping.abort()
      await Promise.all([working, loading])
      load.stop()
      if (refused > completed * toleratedRefusals) throw new Error(`${refused} of ${completed + refused} rounds were refused with 503`)
      return counts
    },
  }
}
