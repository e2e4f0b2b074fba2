import type { BrowserSession } from './browser-session.ts'
import type { Subscription } from './cancellation/subscription.ts'
import type { Ports } from './ports.ts'
import type { Principal } from './principals.ts'

export interface Context extends Ports {
  /** Null if no credential was sent: then every field throws, introspection included. */
  principal: Principal | null
  /** The browser of a page of the account site. Null for REST, `/graphql` and the command line, which cannot sign in users. */
  browser: BrowserSession | null
  /** The value of `X-Request-Id`; audit entries record it. */
  requestId: string
  /** True only for `/graphql`: a mutation returns errors that its caller can correct in the `errors` of its payload, and does not throw. */
  refusalsInPayload?: boolean
  /** Returns true if the client's conditions (`If-Match`) allow a change of this version of the resource. Only for REST. */
  precondition?: ((version: string) => boolean) | undefined
  /** The key under which the caller may repeat the request: `Idempotency-Key` of REST, or a member of the input of a mutation. */
  idempotency?: IdempotentRequest | undefined
  /** Set only for subscriptions. */
  subscription?: Subscription<Context>
}

/** A request that takes effect once, however often it is sent. */
interface IdempotentRequest {
  /** Digest of the key, its owner and its purpose. */
  keyHash: Uint8Array<ArrayBuffer>
  /** Digest of the validated request. */
  requestHash: Uint8Array<ArrayBuffer>
  /** The identifier of the object that the request creates. */
  resultId?: string
  /** Time when the key is deleted. Default: after 24 hours. */
  expiresAt?: Date
  /** Creates the error for another request under the key. */
  usedBefore(): Error
}
