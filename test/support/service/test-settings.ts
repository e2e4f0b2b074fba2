import pino from 'pino'
import type { QueueTiming } from '../../../src/jobs/queue.ts'
import type { AttemptLimitSettings } from '../../../src/auth/attempt-limits.ts'
import type { RetentionSettings } from '../../../src/jobs/retention.ts'

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

/** The settings of attempt limits that turn them off. */
export const noAttemptLimits: AttemptLimitSettings = {
  rateLimitSignInAccount: 0,
  rateLimitSignInAddress: 0,
  rateLimitSignUp: 0,
  rateLimitClientSecret: 0,
  rateLimitUserCode: 0,
  rateLimitLink: 0,
  rateLimitAuthorization: 0,
}

/** The defaults of the settings about retention. */
export const retention: RetentionSettings = {
  auditDays: 400,
  endedInvitationDays: 90,
  endedTokenDays: 90,
  endedGrantDays: 30,
  deletedTeamDays: 14,
}

export const silent = pino({ level: 'silent' })
