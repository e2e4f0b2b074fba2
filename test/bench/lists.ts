import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { urlConnection, withSession } from '../../src/database/connection.ts'
import { poolSize, startContestants, startLoad } from './contestants.ts'
import type { Contestants } from './contestants.ts'
import { openBenchDatabase } from './database.ts'
import { dataInWords, seed, teamSlug } from './seed.ts'

/**
 * `npm run bench`: requests per second of the three hot lists over REST, pair by pair with the same lists written by
 * hand (yardstick.ts), on an embedded PostgreSQL of its own or the server BENCH_DATABASE_URL names. Measures and
 * tells, judges nothing; `--json` for machines.
 */
const { values: options } = parseArgs({
  options: { json: { type: 'boolean' }, rounds: { type: 'string', default: '9' }, seconds: { type: 'string', default: '0.9' } },
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
const connections = 8
const warmUpSeconds = 2

const lists = [
  { name: 'teams', path: '/api/v1/teams' },
  { name: 'members', path: `/api/v1/teams/${teamSlug}/members` },
  { name: 'invoices with lines', path: `/api/v1/teams/${teamSlug}/invoices?expand[]=lines` },
]

interface Pair {
  service: number
  yardstick: number
}

interface Result {
  list: string
  /** Medians of requests per second. */
  service: number
  yardstick: number
  /** Of the service's requests per second to the yardstick's, pair by pair. */
  ratio: { median: number; min: number; max: number }
  pairs: Pair[]
}

const say = (text: string) => void (options.json || process.stdout.write(text))

await using running = new AsyncDisposableStack()
const database = await openBenchDatabase(process.env.BENCH_DATABASE_URL)
running.defer(database.close)
const token = await withSession(urlConnection(database.url), seed)
const contestants = await startContestants(database)
running.defer(contestants.stop)
const load = startLoad()
running.defer(load.stop)

say(`PostgreSQL ${database.version}, Node ${process.version}, ${cpus().length} cores; ${dataInWords}
service and yardstick each with ${poolSize} connections to the database; LOG_LEVEL=warn, RATE_LIMIT_API=0, NODE_ENV=production
${connections} connections of load, ${warmUpSeconds} s to warm up, ${rounds} rounds of ${seconds} s each in turn\n\n`)
const results: Result[] = []
for (const list of lists) results.push(await compare(list))
if (options.json) process.stdout.write(`${JSON.stringify({ results })}\n`)
else say(`\nsummary: ${results.map(({ list, ratio }) => `${list} ${ratio.median.toFixed(2)}`).join(', ')}\n`)

async function compare({ name, path }: (typeof lists)[number]): Promise<Result> {
  await refuseDifference(contestants, path)
  const measure = (origin: string, duration: number) => load.run({ url: origin + path, token, connections, seconds: duration })
  await measure(contestants.service, warmUpSeconds)
  await measure(contestants.yardstick, warmUpSeconds)
  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round++) {
    const service = await measure(contestants.service, seconds)
    pairs.push({ service, yardstick: await measure(contestants.yardstick, seconds) })
  }
  const ratios = pairs.map(({ service, yardstick }) => service / yardstick)
  const result = {
    list: name,
    service: median(pairs.map(({ service }) => service)),
    yardstick: median(pairs.map(({ yardstick }) => yardstick)),
    ratio: { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) },
    pairs,
  }
  const { ratio } = result
  say(`${name.padEnd(20)} service ${result.service.toFixed(0).padStart(6)}/s   yardstick ${result.yardstick.toFixed(0).padStart(6)}/s   `)
  say(`ratio ${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})\n`)
  return result
}

/** Both must give the very same bytes, or they do not do the same. */
async function refuseDifference({ service, yardstick }: Contestants, path: string): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [service, yardstick].map(async (origin) => {
      const response = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } })
      return { status: response.status, body: await response.text() }
    }),
  )
  if (ours?.status !== 200 || ours.body !== theirs?.body || ours.status !== theirs.status) {
    throw new Error(
      `${path}: service and yardstick differ\n${ours?.status} ${ours?.body.slice(0, 2000)}\n${theirs?.status} ${theirs?.body.slice(0, 2000)}`,
    )
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}
