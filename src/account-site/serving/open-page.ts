import type { Request, Response } from 'express'
import { notFound } from '../../../schema/core/errors.ts'
import { authorize, findRefusal } from '../../../schema/core/requires.ts'
import { requireTwoFactorOfStaff } from '../../../schema/core/staff/staff-acts.ts'
import { isRecent } from '../../../schema/core/team-access/recent-sign-in.ts'
import { accountParameter, confirmAccountAt, confirmAt, signInAt } from '../../web/page-paths.ts'
import { createPageContext } from '../framework/page-context.ts'
import type { PageContext, SitePorts } from '../framework/page-context.ts'
import type { LoadContent, Page } from '../framework/page.ts'

/** A page that a request has opened. Its content is loaded when it is shown, after a form was submitted. */
export interface OpenedPage {
  ctx: PageContext
  loadContent: LoadContent
}

/**
 * Returns the page of a request, or null after redirecting to sign in, to confirm the password, or to where the page itself
 * redirects. `onSignedOut` is called before the redirect to sign in, and returns true if it has responded itself.
 */
export async function openPage(
  site: SitePorts,
  page: Page,
  request: Request,
  response: Response,
  onSignedOut?: (ctx: PageContext) => boolean,
): Promise<OpenedPage | null> {
  const ctx = await createPageContext(site, request, response, { needsTeam: true, isPage: true })
  if (ctx.person) requireStaff(page, ctx)
  const opened = findConfirmation(page, ctx) ?? (await page.open(ctx))
  if (typeof opened !== 'string') return { ctx, loadContent: opened }
  const hasResponded = !ctx.person && !page.isPublic && onSignedOut?.(ctx)
  if (!hasResponded) response.redirect(303, opened)
  return null
}

/**
 * Returns the page of a request for a form that every page has, or null after redirecting to sign in. The requirements of
 * the page do not apply: signing out must work without a recent sign-in, and on the page of a team that the user has left.
 */
export async function openSharedForm(site: SitePorts, page: Page, request: Request, response: Response): Promise<OpenedPage | null> {
  const ctx = await createPageContext(site, request, response, { needsTeam: false })
  if (!ctx.person && !page.isPublic) {
    response.redirect(303, signInAt(ctx.url))
    return null
  }
  return {
    ctx,
    async loadContent() {
      // The page of an account that staff read was not opened, and would show the account of the reader.
      if (request.params[accountParameter] !== undefined) throw notFound()
      const opened = await page.open(ctx)
      // A page that redirects has no forms.
      if (typeof opened === 'string') throw notFound()
      return opened()
    },
  }
}

/**
 * Throws unless the user may open a page or file of staff, if it is one. For everybody else it does not exist. A session of staff must have
 * proved two factors (docs/decisions/staff.md#pages).
 */
export function requireStaff(
  { requirements = [] }: Partial<Pick<Page, 'requirements'>>,
  { graphqlContext, principal, site }: PageContext,
): void {
  const requirement = requirements.find(({ isStaffOnly }) => isStaffOnly)
  if (!requirement) return
  authorize(graphqlContext, requirement, null)
  requireTwoFactorOfStaff(principal, site.now())
}

/** Returns true if the page requires a more recent sign-in than the user has. */
export const needsConfirmation = (page: Page, { principal, site }: PageContext): boolean =>
  page.needsRecentSignIn && !isRecent(principal, site.now())

/** Returns true if the page or one of its forms concerns the account, which the user of the session has not confirmed. */
const needsOwnProof = ({ requirements, forms }: Page, { graphqlContext, team }: PageContext): boolean =>
  [...requirements, ...Object.values(forms).flatMap((form) => form.requirements)].some(
    (requirement) => findRefusal(graphqlContext, requirement, team)?.code === 'own_proof_required',
  )

/**
 * Returns the sign-in or confirmation that is required before the page. A form is not redirected to the confirmation, because its
 * submission is first stored as a draft (submit-form.ts).
 */
function findConfirmation(page: Page, ctx: PageContext): string | undefined {
  if (!ctx.person && !page.isPublic) return signInAt(ctx.url)
  if (ctx.request.method === 'GET' && needsOwnProof(page, ctx)) return confirmAccountAt(ctx.url)
  if (ctx.request.method === 'GET' && needsConfirmation(page, ctx)) return confirmAt(ctx.url)
  return undefined
}
