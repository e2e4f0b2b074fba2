import type { Failed, Ready, Start, Stop, ToWorker } from './messages.ts'

/** The primary process in the view of a worker. */
export interface PrimaryChannel {
  start: Promise<Start>
  migrated: Promise<void>
  stop: Promise<Stop>
  /** Returns true if `ready` was called. */
  isReady(): boolean
  ready(message: Omit<Ready, 'kind'>): void
  /** Resolves when the message was sent. */
  failed(message: Omit<Failed, 'kind'>): Promise<void>
}

/**
 * Receives the messages of the primary process. Node ends a worker whose primary process has ended. A terminal and systemd send signals to
 * all processes of the service, so workers ignore SIGINT and SIGHUP, which the primary process handles. SIGTERM ends only the one worker.
 */
export function connectToPrimary(): PrimaryChannel {
  const start = Promise.withResolvers<Start>()
  const migrated = Promise.withResolvers<void>()
  const stop = Promise.withResolvers<Stop>()
  let isReady = false
  const onStop = (message: Stop) => {
    // A worker that has not started to serve requests has nothing to complete.
    if (!isReady) process.exit(0)
    stop.resolve(message)
  }
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'start') start.resolve(message)
    else if (message.kind === 'migrated') migrated.resolve()
    else if (message.kind === 'stop') onStop(message)
  })
  process.on('SIGTERM', () => onStop({ kind: 'stop', isRestart: false }))
  process.on('SIGINT', () => {}).on('SIGHUP', () => {})
  return {
    start: start.promise,
    migrated: migrated.promise,
    stop: stop.promise,
    isReady: () => isReady,
    ready(message) {
      isReady = true
      process.send?.({ kind: 'ready', ...message } satisfies Ready)
    },
    failed: (message) =>
      new Promise((resolve) => process.send?.({ kind: 'failed', ...message } satisfies Failed, undefined, undefined, () => resolve())),
  }
}
