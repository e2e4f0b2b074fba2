import type { Principal } from '../../schema/core/principals.ts'
import { DomainError, rateLimited } from '../../schema/core/errors.ts'

/** Maximum number of open streams of one credential in one process. */
export const maxStreams = 20

/** The open streams of a process. */
export function createOpenStreams() {
  const open = new Map<string, Set<AbortController>>()
  let isClosing = false
  return {
    /** Opens a stream for the credential of a caller, until the controller aborts. Throws `rate_limited` if the credential has too many. */
    open(principal: Principal | null): AbortController {
      const credentialId = principal && 'credentialId' in principal ? principal.credentialId : ''
      if (isClosing) throw new DomainError('unavailable', 'Server Error', { retryAfterSeconds: 1 })
      const streams = open.get(credentialId) ?? new Set()
      if (streams.size >= maxStreams) throw rateLimited({ policy: 'streams', quota: maxStreams, windowSeconds: 60 }, 60)
      const controller = new AbortController()
      open.set(credentialId, streams.add(controller))
      controller.signal.addEventListener('abort', () => {
        streams.delete(controller)
        if (streams.size === 0 && open.get(credentialId) === streams) open.delete(credentialId)
      })
      return controller
    },
    /** Ends all streams and refuses new ones, because the process stops. The clients connect again, to another process. */
    end(): void {
      isClosing = true
      for (const streams of open.values()) for (const controller of streams) controller.abort()
    },
  }
}
