import { expect } from 'vitest'
import type { TestService } from '../service/service.ts'

/**
 * Fails if a response shows a fault of the service: a 5xx status code, the code `server_error` (which GraphQL returns with 200 and the
 * authorization server in the query of a redirect), or a line of the log with level error. The message contains the request.
 */
export async function expectNoFault(service: Pick<TestService, 'logged'>, response: Response, request: unknown): Promise<void> {
  const body = await response.text()
  // Removed, so that fast-check can shrink the request that logged them.
  const logged = service.logged.splice(0)
  const text = `${response.headers.get('location') ?? ''}\n${body}`
  const found = { isFault: response.status >= 500, isServerError: text.includes('server_error'), logged }
  expect(found, JSON.stringify(request)).toEqual({ isFault: false, isServerError: false, logged: [] })
}
