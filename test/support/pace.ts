import pino from 'pino'
import type { Pace } from '../../src/mail/queue.ts'

/** The key of every service of the tests. */
export const secretKey = 'test '.repeat(8)

/** The product's pace, but short of breath. */
export const shortPace: Pace = {
  firstPauseSeconds: 1,
  longestPauseSeconds: 1,
  retries: 50,
  pollSeconds: 0.5,
  abandonedSeconds: 2,
  superviseSeconds: 1,
}

export const silent = pino({ level: 'silent' })
