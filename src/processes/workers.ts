import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Logger } from 'pino'
import { observe } from '../../schema/core/observation/observation.ts'
import type { Connection } from '../database/connection.ts'
import type { Failed, Ready, Stop, ToWorker } from './messages.ts'

export interface WorkersParts {
  count: number
  /** The embedded database; null for an external one. */
  embedded: Connection | null
  log: Logger
  /** Time after which a stopping worker is killed. */
  stopSeconds: number
  /** Called with the identifier of a worker that was killed or failed, whose work others can continue. */
  onLost(worker: string): void
  /** Called when workers keep failing after their start and none is left. */
  onFailure(error: Error): void
}

export interface Workers {
  /** Starts the first worker, which listens at once. */
  startFirst(): void
  /** Call it when the database is migrated. Starts the other workers, and rejects if one cannot start. Resolves with the message of the first. */
  startAll(): Promise<Ready>
  /** Replaces the workers one by one. A worker ends only when its successor is ready. */
  restart(): Promise<void>
  stop(): Promise<void>
}

interface Running {
  worker: Worker
  startedAt: number
  /** Resolves when the worker is ready. Rejects if it ends before. */
  ready: Promise<Ready>
  ended: Promise<unknown>
}

/** Time after which the end of a worker no longer counts as caused by its start. */
const settledMilliseconds = 60_000
const maxPauseSeconds = 30
/** The service ends if this number of workers in succession ended shortly after their start and none is left. */
const maxFailures = 5

/** Runs the workers, each in its slot. The worker in the first slot works on jobs. */
export function createWorkers({ count, embedded, log, stopSeconds, onLost, onFailure }: WorkersParts): Workers {
  const slots: (Running | undefined)[] = Array.from({ length: count }, () => undefined)
  let port: number | undefined
  let failures = 0
  let isRunning = false
  let isStarted = false
  let isStopping = false
  let restarting = Promise.resolve()

  function launch(slot: number): Running {
    const worker = cluster.fork()
    const id = randomUUID()
    const started = Promise.withResolvers<Ready>()
    const running: Running = { worker, startedAt: performance.now(), ready: started.promise, ended: once(worker, 'exit') }
    // The callers that await `ready` handle the error.
    running.ready.catch(() => {})
    let failed: Failed | undefined
    let isReady = false
    worker.on('message', (message: Ready | Failed) => {
      if (message.kind === 'failed') failed = message
      if (message.kind !== 'ready') return
      isReady = true
      port = message.port
      started.resolve(message)
    })
    worker.once('exit', (status, signal) => {
      if (status !== 0) onLost(id)
      const how = failed ? `because it could not start: ${failed.reason}` : signal ? `by ${signal}` : `with status ${status}`
      started.reject(new StartError(failed?.reason ?? `a worker process ended ${how} before it was ready`, failed?.isUnavailable ?? false))
      // In all other cases, `startAll` rejects, and the service ends.
      if (isStarted || isReady || failed?.isUnavailable) onExit(slot, running, how)
    })
    send(worker, { kind: 'start', embedded, listensAtOnce: slot === 0 && !isRunning, runsJobs: slot === 0, worker: id, port })
    if (isRunning) send(worker, { kind: 'migrated' })
    return running
  }

  /** Replaces a worker that ended unexpectedly: immediately the first time, then after growing pauses. */
  function onExit(slot: number, running: Running, how: string): void {
    if (isStopping || !isRunning || slots[slot] !== running) return
    observe('workerEnded', {})
    failures = performance.now() - running.startedAt > settledMilliseconds ? 1 : failures + 1
    log.error(`worker process ${running.worker.process.pid} ended ${how}; another one is started`)
    if (failures >= maxFailures && !slots.some((each) => each?.worker.isDead() === false))
      return onFailure(new Error(`worker processes ended ${failures} times in succession, and none is left`))
    const pauseSeconds = failures === 1 ? 0 : Math.min(2 ** (failures - 2), maxPauseSeconds)
    setTimeout(() => {
      if (!isStopping && slots[slot] === running) slots[slot] = launch(slot)
    }, pauseSeconds * 1000)
  }

  async function stopWorker({ worker, ended }: Pick<Running, 'worker' | 'ended'>, isRestart: boolean): Promise<void> {
    if (worker.isDead()) return
    send(worker, { kind: 'stop', isRestart } satisfies Stop)
    const limit = setTimeout(() => {
      log.error(`worker process ${worker.process.pid} did not stop within ${stopSeconds} s and is killed`)
      worker.process.kill('SIGKILL')
    }, stopSeconds * 1000)
    await ended
    clearTimeout(limit)
  }

  async function replaceAll(): Promise<void> {
    for (const slot of slots.keys()) {
      if (isStopping) return
      const next = launch(slot)
      try {
        await next.ready
      } catch (error) {
        return log.error({ err: error }, 'the restart is incomplete: the other workers keep running')
      }
      const previous = slots[slot]
      slots[slot] = next
      if (previous) await stopWorker(previous, true)
    }
    log.info('all worker processes were replaced')
  }

  return {
    startFirst: () => void (slots[0] = launch(0)),
    async startAll() {
      isRunning = true
      const [first] = slots
      if (!first) throw new Error('the first worker was not started')
      send(first.worker, { kind: 'migrated' })
      const message = await first.ready
      for (const slot of slots.keys()) slots[slot] ??= launch(slot)
      // The first worker already serves requests, so an outage of the database does not end the service: a worker that could not start is
      // replaced.
      await Promise.all(slots.map(async (each) => each?.ready.catch(unlessUnavailable)))
      isStarted = true
      return message
    },
    restart: () => (restarting = restarting.then(replaceAll)),
    async stop() {
      isStopping = true
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      await Promise.all(workers.map((worker) => stopWorker({ worker, ended: once(worker, 'exit') }, false)))
    },
  }
}

/** The error of a worker that did not become ready. */
class StartError extends Error {
  readonly isUnavailable: boolean

  constructor(reason: string, isUnavailable: boolean) {
    super(reason)
    this.isUnavailable = isUnavailable
  }
}

function unlessUnavailable(error: unknown): void {
  if (!(error instanceof StartError && error.isUnavailable)) throw error
}

/** A worker may end before it receives a message. */
function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}
