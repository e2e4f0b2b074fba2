import type { Request, Response } from 'express'
import { findRefusal, isRecent } from '../../../schema/core/requires.ts'
import { confirmAccountAt, confirmAt, signInAt } from '../../web/page-paths.ts'
import { createPageContext } from '../framework/page-context.ts'
import type { PageContext, SitePorts } from '../framework/page-context.ts'
import type { Page } from '../framework/page.ts'

/**
 * Returns the context of a request for a page, or null after redirecting to sign in, to confirm the password, or to where
 * the page itself redirects. `onSignedOut` is called before the redirect to sign in, and returns true if it has responded itself.
 */
export async function openPage(
  site: SitePorts,
  page: Page,
  request: Request,
  response: Response,
  onSignedOut?: (ctx: PageContext) => boolean,
): Promise<PageContext | null> {
  const ctx = await createPageContext(site, request, response)
  const path = await redirectOf(page, ctx)
  if (path === undefined) return ctx
  const hasResponded = !ctx.person && !page.isPublic && onSignedOut?.(ctx)
  if (!hasResponded) response.redirect(303, path)
  return null
}

/**
 * Returns the context of a request for a form that every page has, or null after redirecting to sign in. The requirements of
 * the page do not apply: signing out must work without a recent sign-in, and on the page of a team that the user has left.
 */
export async function openSharedForm(site: SitePorts, page: Page, request: Request, response: Response): Promise<PageContext | null> {
  const ctx = await createPageContext(site, request, response, { needsTeam: false })
  if (ctx.person || page.isPublic) return ctx
  response.redirect(303, signInAt(ctx.url))
  return null
}

/** Whether the page requires a more recent sign-in than the user has. */
export const needsConfirmation = (page: Page, { principal, site }: PageContext): boolean =>
  page.needsRecentSignIn && !isRecent(principal, site.now())

/** Whether the page or one of its forms concerns the account, which the user of the session has not proved. */
const needsOwnProof = ({ requirements, forms }: Page, { graphqlContext, team }: PageContext): boolean =>
  [...requirements, ...Object.values(forms).flatMap((form) => form.requirements)].some(
    (requirement) => findRefusal(graphqlContext, requirement, team)?.code === 'own_proof_required',
  )

/** A form is not redirected to the confirmation: its submission is stored as a draft first (submit-form.ts). */
function redirectOf(page: Page, ctx: PageContext): string | undefined | Promise<string | undefined> {
  if (!ctx.person && !page.isPublic) return signInAt(ctx.url)
  if (ctx.request.method === 'GET' && needsOwnProof(page, ctx)) return confirmAccountAt(ctx.url)
  if (ctx.request.method === 'GET' && needsConfirmation(page, ctx)) return confirmAt(ctx.url)
  return page.redirectBefore(ctx)
}
