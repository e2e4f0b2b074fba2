import { returnOf } from '../../web/return-address.ts'
import type { PageContext, RequestingClient } from '../framework/page-context.ts'
import { linkPath } from '../providers/paths.ts'

/**
 * Finds the client that requested the sign-in, or null if the return address is not an interaction of the authorization
 * server. Records that the forms of the page lead to the client.
 */
export async function findRequestingClient(ctx: PageContext, returnAddress = returnOf(ctx)): Promise<RequestingClient | null> {
  // The page on which an account is proved leads on to where the sign-in began, which can be a client.
  if (returnAddress.startsWith(`${linkPath}?`)) ctx.forms.leadToClient = true
  const requestingClient = await ctx.site.requestingClient(returnAddress)
  if (requestingClient?.isReturnedTo) ctx.forms.leadToClient = true
  return requestingClient
}
