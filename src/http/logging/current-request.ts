import { AsyncLocalStorage } from 'node:async_hooks'
import type { ClientOptions } from '../../../prisma/connection/database.ts'
import type { Principal, RegistrationActor } from '../../../schema/core/principals.ts'
import type { Tracer } from '../../../schema/core/observation/tracing.ts'

/** The sender of a request, for its log line: the kind of principal and the identifier of its credential, never a value. */
export interface Caller {
  principal: Principal['kind'] | 'client'
  credential: (Principal | RegistrationActor)['authenticationMethod'] | 'client_authentication'
  /** Identifier of the token, grant or session; the `client_id` of a client. */
  credentialId: string
}

/** Data for the log line of the request in progress. */
export interface CurrentRequest {
  requestId: string
  /** Number of statements sent to the database for this request. */
  statements: number
  caller: Caller | null
  /** The trace of the request's span or, without a span, of the `traceparent` that the client sent. */
  traceparent: string | undefined
}

const storage = new AsyncLocalStorage<CurrentRequest>()

/** Calls `handle` with this request as the current one, also for everything asynchronous that it starts. */
export const runWithRequest = (request: CurrentRequest, handle: () => void): void => storage.run(request, handle)

/** The request in progress, or undefined outside of requests. */
export const currentRequest = (): CurrentRequest | undefined => storage.getStore()

/** Counts each statement towards the request that sends it, traces it, and passes its milliseconds to `measure`. */
export const observeStatements =
  (tracer: Tracer | undefined, measure?: (milliseconds: number) => void): NonNullable<ClientOptions['onStatement']> =>
  (text, name) => {
    const request = storage.getStore()
    if (request) request.statements++
    const end = tracer?.startStatement(text, name)
    if (!measure) return end
    const sentAt = performance.now()
    return (error) => {
      measure(performance.now() - sentAt)
      end?.(error)
    }
  }

/** Records the principal of a request for its log line, and returns it. */
export function recordPrincipal<P extends Principal | RegistrationActor | null>(principal: P): P {
  if (principal && 'credentialId' in principal) {
    const { kind, authenticationMethod, credentialId } = principal
    recordCaller({ principal: kind, credential: authenticationMethod, credentialId })
  }
  return principal
}

/** Records an authenticated client of the authorization server. */
export const recordClient = (clientId: string): void =>
  recordCaller({ principal: 'client', credential: 'client_authentication', credentialId: clientId })

/** Records the grant of an access token at the authorization server. */
export const recordGrant = (grantId: string): void => recordCaller({ principal: 'user', credential: 'oauth', credentialId: grantId })

function recordCaller(caller: Caller): void {
  const request = storage.getStore()
  if (request) request.caller = caller
}
