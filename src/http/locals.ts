import type { OutgoingHttpHeaders } from 'node:http'
import type { UserPrincipal } from '../../schema/core/principals.ts'

declare global {
  namespace Express {
    /** Values that middleware stores on `response.locals` for the handlers after it. */
    interface Locals {
      /** Set by `requestLog` on every request; the response carries it in `X-Request-Id`. */
      requestId: string
      /**
       * Header fields that middleware added for the response. `rest-facade/http/send.ts` writes them in one call together with its
       * own, which is cheaper than setting each on the response. For handlers that use Express or Koa, `setCollectedFields` sets them.
       */
      fields: OutgoingHttpHeaders
      /** Set by `/graphql`: the type of the operation; in a batch, of the last operation. */
      operationType?: 'query' | 'mutation' | 'subscription'
      /** Set by the account site on its own routes: the signed-in user, or null. */
      person?: UserPrincipal | null
    }
  }
}
