import { ownAddress, readReturnAddress } from '../../web/return-address.ts'
import { siteOperation } from '../framework/operation.ts'
import type { PageContext, RequestingClient } from '../framework/page-context.ts'
import { PendingProviderLinkDocument } from '../generated/operations.ts'
import { linkPath } from '../providers/paths.ts'

const pendingLink = siteOperation(PendingProviderLinkDocument)

/** Finds the client that waits for a sign-in in this browser; null if the return address is not that of its interaction. */
export const findRequestingClient = (ctx: PageContext, returnAddress = readReturnAddress(ctx)): Promise<RequestingClient | null> =>
  ctx.site.requestingClient(ctx.request, ctx.response, returnAddress)

/** Finds it for a page with forms that lead to the return address. Records whether the forms can redirect to the client. */
export async function leadFormsToClient(ctx: PageContext, returnAddress = readReturnAddress(ctx)): Promise<RequestingClient | null> {
  const requestingClient = await findRequestingClient(ctx, await addressAfter(ctx, returnAddress))
  if (requestingClient?.isReturnedTo) ctx.forms.leadToClient = true
  return requestingClient
}

/** The page that confirms an account continues to the address at which the sign-in of this browser started. */
async function addressAfter(ctx: PageContext, returnAddress: string): Promise<string> {
  const { pathname, searchParams } = new URL(returnAddress, ctx.site.authUrl)
  if (pathname !== linkPath) return returnAddress
  const { pendingProviderLink } = await pendingLink.run({ request: searchParams.get('request') }, ctx)
  return ownAddress(pendingProviderLink?.returnTo, ctx.site.authUrl)
}
