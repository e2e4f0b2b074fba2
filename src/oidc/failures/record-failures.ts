import type { EventEmitter } from 'node:events'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { FailureLog } from './failure-log.ts'
import { findFailure } from './failure.ts'
import type { ProviderError } from './failure.ts'

/** The endpoints that clients use, by the names of their events. */
const events = [
  'authorization.error',
  'pushed_authorization_request.error',
  'device_authorization.error',
  'grant.error',
  'introspection.error',
  'revocation.error',
]

type Context = Pick<KoaContextWithOIDC, 'query'> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>

/** Records the refused requests of clients, for their owners (docs/decisions/clients.md#failures). */
export function recordFailures(provider: Provider, { record }: Pick<FailureLog, 'record'>): void {
  // The last error of each request. oidc-provider first reports another error if it then finds that the redirect URI is not registered.
  const errors = new WeakMap<object, ProviderError>()
  const emitter: EventEmitter = provider
  for (const event of events) emitter.on(event, (ctx: object, error: ProviderError) => void errors.set(ctx, error))
  const getRecordError = (ctx: Context) => {
    const error = errors.get(ctx)
    const { client, body } = ctx.oidc ?? {}
    const failure = error && client && findFailure(error, { ...ctx.query, ...body })
    if (failure) record(client.clientId, failure)
  }
  provider.use(async (ctx, next) => {
    await next()
    getRecordError(ctx)
  })
}
