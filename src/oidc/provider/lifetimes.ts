import { idTokenSeconds } from '../../../schema/oauth/signing-keys/signing-key-rotation.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Lifetimes in seconds (docs/decisions/oauth.md#lifetimes). */
export const lifetimes = {
  accessToken: hour,
  /** Of a machine: a client that acts for its team, or a workload identity. */
  machineToken: 15 * minute,
  authorizationCode: minute,
  idToken: idTokenSeconds,
  deviceCode: 10 * minute,
  /** Since its last use. */
  refreshToken: 30 * day,
  /** A refresh token and its successors together, and a grant since the last consent. */
  refreshTokenFamily: 365 * day,
  /** After its replacement, in which a second use of a refresh token is refused without consequences. */
  refreshTolerance: 10,
  interaction: hour,
  /** Since its last use; SESSION_DAYS_MAX since the sign-in. */
  session: 14 * day,
} as const

/** Seconds until a session ends that is used now. `loginTs` is when the user signed in, in seconds of the same clock as `now`. */
export const sessionSeconds = (sessionDaysMax: number, now: number, loginTs: number): number =>
  Math.max(Math.min(lifetimes.session, loginTs + sessionDaysMax * day - now), 1)
