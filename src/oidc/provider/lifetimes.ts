import { idTokenSeconds } from '../../../schema/oauth/signing-keys/signing-key-rotation.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Lifetimes in seconds (docs/decisions/oauth.md#lifetimes). */
export const lifetimes = {
  accessToken: hour,
  /** Access token of a machine: a client that acts for its team, or a workload identity. */
  machineToken: 15 * minute,
  authorizationCode: minute,
  idToken: idTokenSeconds,
  deviceCode: 10 * minute,
  /** Refresh token, since its last use. */
  refreshToken: 30 * day,
  /** A refresh token together with its successors, and a grant since the last consent. */
  refreshTokenFamily: 365 * day,
  /** A grant that an identity provider of a team gave, since its last assertion. Its access tokens end earlier; pages list it meanwhile. */
  vouchedGrant: 30 * day,
  /** Time after the replacement of a refresh token in which a second use is refused without consequences. */
  refreshTolerance: 10,
  interaction: hour,
  /** Session, since its last use. SESSION_DAYS_MAX limits the time since the sign-in. */
  session: 14 * day,
} as const

/** Returns the seconds until a session that is used now ends. `loginTs` is the time of the sign-in, by the same clock as `now`. */
export const sessionSeconds = (sessionDaysMax: number, now: number, loginTs: number): number =>
  Math.max(Math.min(lifetimes.session, loginTs + sessionDaysMax * day - now), 1)
