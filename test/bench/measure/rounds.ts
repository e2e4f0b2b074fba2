import type pg from 'pg'
import type { Load } from './load.ts'
import type { Script } from './connection.ts'
import { cpuSeconds } from './cpu.ts'

/** What is measured: requests to one server, or to several processes at once that share the connections. */
export interface Subject {
  servers: readonly { port: number; pid: number }[]
  scripts: readonly Script[]
}

/** One run of a subject. CPU times are microseconds per request. */
export interface Slice {
  requestsPerSecond: number
  /** Of each request, in milliseconds. */
  latencies: readonly number[]
  serverCpu: number
  databaseCpu: number
}

export interface Duration {
  rounds: number
  seconds: number
  /** The least number of requests in a run. */
  atLeast: number
  warmUp: { seconds: number; atLeast: number }
}

export interface Tools {
  load: Load
  /** A session of the database, outside of every contestant's pool. */
  control: pg.Client
}

/**
 * Measures subjects in turn, several times, so that what else happens on the machine affects all of them alike. Every second
 * round has the reverse order. Returns the runs of each subject, by round.
 */
export async function measureInRounds(
  subjects: readonly Subject[],
  { rounds, warmUp, ...run }: Duration,
  { load, control }: Tools,
): Promise<Slice[][]> {
  const slices: Slice[][] = subjects.map(() => [])
  for (const subject of subjects) await measure(subject, warmUp)
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? subjects.keys() : subjects.map((_, index) => index).toReversed()
    for (const index of order) {
      const subject = subjects[index]
      if (subject) slices[index]?.push(await measure(subject, run))
    }
  }
  return slices

  async function measure({ servers, scripts }: Subject, { seconds, atLeast }: Duration['warmUp']): Promise<Slice> {
    const before = await cpuOf(servers, control)
    const perServer = scripts.length / servers.length
    const results = await load.run(
      servers.map(({ port }, index) => ({
        port,
        seconds,
        atLeast: atLeast / servers.length,
        scripts: scripts.slice(index * perServer, (index + 1) * perServer),
      })),
    )
    const after = await cpuOf(servers, control)
    const latencies = results.flatMap((result) => result.latencies)
    return {
      requestsPerSecond: results.reduce((sum, result) => sum + result.latencies.length / result.seconds, 0),
      latencies,
      serverCpu: (increase(before.servers, after.servers) * 1e6) / latencies.length,
      databaseCpu: (increase(before.database, after.database) * 1e6) / latencies.length,
    }
  }
}

/** CPU time in seconds by process: of the servers, and of the sessions of the database. Only one subject sends statements at a time. */
async function cpuOf(servers: Subject['servers'], control: pg.Client) {
  const { rows } = await control.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  const byPid = (pids: readonly number[]) => new Map(pids.map((pid) => [pid, cpuSeconds(pid)]))
  return { servers: byPid(servers.map(({ pid }) => pid)), database: byPid(rows.map(({ pid }) => pid)) }
}

/** A session that was opened meanwhile started at 0; one that was closed was idle. */
const increase = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>) =>
  Array.from(after).reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0)
