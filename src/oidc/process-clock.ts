import { decodeJwt, UnsecuredJWT } from 'jose'
import type { AdapterPayload } from 'oidc-provider'

// oidc-provider writes and compares times, in seconds, with the clock of the process. The database stores them in the time of its own
// clock, so that any process can read them, even if its own clock is wrong.

/** Returns how many seconds the service's clock, which follows the database, is ahead of the process's own. Usually 0. */
export const secondsAhead = (now: () => Date): number => Math.round((now().getTime() - Date.now()) / 1000)

/** Returns the time of the process's own clock, in seconds. */
export const processSeconds = () => Math.floor(Date.now() / 1000)

/** Members of models and JWTs that contain such a time. `authTime` is not compared. It stays the same in every ID token of a chain. */
const timeMembers = ['exp', 'iat', 'nbf', 'iiat', 'loginTs'] as const

/** Moves the times of a model: by `secondsAhead` to store it, and by the negative of it to return it to oidc-provider. */
export function moveTimes(payload: AdapterPayload, seconds: number): AdapterPayload {
  return seconds === 0
    ? payload
    : { ...payload, ...movedMembers(payload, seconds), ...movedSignIn(payload, seconds), ...movedRequest(payload, seconds) }
}

function movedMembers(values: Record<string, unknown>, seconds: number): Record<string, number> {
  const times = timeMembers.flatMap((member) => {
    const value = values[member]
    return typeof value === 'number' ? [[member, value + seconds] as const] : []
  })
  return Object.fromEntries(times)
}

/** Moves the times of the sign-in that ends an interaction. */
function movedSignIn({ result }: AdapterPayload, seconds: number): Pick<AdapterPayload, 'result'> {
  if (result?.login?.ts === undefined) return {}
  return { result: { ...result, login: { ...result.login, ts: result.login.ts + seconds } } }
}

/** Moves the times of a pushed authorization request, which is stored as an unsigned JWT. */
function movedRequest({ request }: AdapterPayload, seconds: number): Pick<AdapterPayload, 'request'> {
  if (typeof request !== 'string') return {}
  const claims = decodeJwt(request)
  return { request: new UnsecuredJWT({ ...claims, ...movedMembers(claims, seconds) }).encode() }
}
