import type { ErrorOut, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Database } from '../../../prisma/connection/database.ts'
import { renderError } from '../pages/provider-pages.ts'
import { isDraftOfOthers } from '../storage/draft.ts'
import { derivedEndpoints } from './endpoints.ts'

// Every team can register a client with any redirect URI. Without these rules, a link to this service could redirect to any site by an
// error or a sign-out (RFC 9700 §4.11.2). Only members of its team are redirected to an unlisted client (docs/decisions/clients.md#drafts).

interface RefusedAuthorization {
  out: ErrorOut
  cause: Error
}

/** Stores the error of an authorization request that the provider sends to the client. */
export function rememberAuthorizationErrors(provider: Provider): void {
  provider.on('authorization.error', (ctx, cause) => {
    const { error, error_description } = cause
    const refused: RefusedAuthorization = { out: { error, ...(error_description !== undefined && { error_description }) }, cause }
    ctx.state['refusedAuthorization'] = refused
  })
}

type Context = Parameters<typeof renderError>[0] &
  Pick<KoaContextWithOIDC, 'redirect' | 'remove' | 'state'> &
  Partial<Pick<KoaContextWithOIDC, 'oidc'>>

/** Shows an error, or the end of a sign-out, on a page of the service if the browser would be redirected to another team's draft. */
export async function stayForDrafts(ctx: Context, database: Database): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the listener above sets it
  const refused = ctx.state['refusedAuthorization'] as RefusedAuthorization | undefined
  const isSignOut = ctx.path === derivedEndpoints.end_session_confirm.path && ctx.status === 303
  if ((!refused && !isSignOut) || !ctx.oidc || !(await isDraftOfOthers(database, ctx.oidc))) return
  ctx.remove('Location')
  if (!refused) return ctx.redirect(derivedEndpoints.end_session_success.path)
  ctx.status = 400
  renderError(ctx, refused.out, refused.cause)
}
