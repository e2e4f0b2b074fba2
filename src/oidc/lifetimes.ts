import { idTokenSeconds } from '../../schema/signing-key-rotation.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** How long each thing lives, in seconds (decisions §8). */
export const lifetimes = {
  accessToken: hour,
  authorizationCode: minute,
  idToken: idTokenSeconds,
  deviceCode: 10 * minute,
  /** From its last use. */
  refreshToken: 30 * day,
  /** A refresh token with all that replace it, and the grant from the last consent on. */
  refreshTokensInAll: 365 * day,
  interaction: hour,
  session: 14 * day,
} as const
