import { waitFor } from '../service/wait.ts'

/**
 * Repeats a request, as a client does, until it is answered with another status than 503: a process that was killed does not
 * answer, and on a busy machine a statement can take longer than the service allows.
 */
export function answered<Response extends { status: number }>(send: () => Promise<Response>): Promise<Response> {
  return waitFor(async () => {
    const response = await send().catch(() => null)
    return response?.status === 503 ? null : response
  })
}
