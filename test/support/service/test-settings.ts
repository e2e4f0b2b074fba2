import pino from 'pino'
import type { QueueTiming } from '../../../src/jobs/queue.ts'

/** The SECRET_KEY of every service in the tests. */
export const secretKey = 'test-'.repeat(8)

/** The timing of the job queue with short pauses. */
export const shortTiming: QueueTiming = {
  retryDelaySeconds: 1,
  maxRetryDelaySeconds: 1,
  retries: 50,
  pollSeconds: 0.5,
  abandonedSeconds: 100,
  superviseSeconds: 1,
}

export const silent = pino({ level: 'silent' })
