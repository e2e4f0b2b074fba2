import type { OutgoingHttpHeaders } from 'node:http'
import type { UserPrincipal } from '../../schema/core/principals.ts'

declare global {
  namespace Express {
    /** Values that middleware stores on `response.locals` for the handlers after it. */
    interface Locals {
      /** Identifier of the request, set by `requestLog` on every request. The response contains it in `X-Request-Id`. */
      requestId: string
      /**
       * Header fields that middleware added for the response. `rest-facade/http/send.ts` writes them in one call together with its own,
       * which is cheaper than setting each on the response. For handlers that use Express or Koa, `setCollectedFields` sets them.
       */
      fields: OutgoingHttpHeaders
      /** Type of the operation, or of the last operation in a batch. `/graphql` sets it. */
      operationType?: 'query' | 'mutation' | 'subscription'
      /** The signed-in user, or null. The account site sets it on its own routes. */
      person?: UserPrincipal | null
    }
  }
}
