import { returnOf } from '../../web/return-address.ts'
import type { PageContext, RequestingClient } from '../framework/page-context.ts'

/**
 * Finds the client that requested the sign-in, or null if the return address is not an interaction of the authorization
 * server. The page's Content-Security-Policy then allows its forms to lead to the client's redirect URI.
 */
export async function findRequestingClient(ctx: PageContext): Promise<RequestingClient | null> {
  const requestingClient = await ctx.site.requestingClient(returnOf(ctx))
  if (requestingClient?.redirectUri) ctx.formRedirectUrls.push(requestingClient.redirectUri)
  return requestingClient
}
