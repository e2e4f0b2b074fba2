import { ensureBrowserId } from '../../web/cookies.ts'
import type { CsrfTokens } from '../../web/csrf.ts'
import type { Page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'

/** The tokens of one page's forms. CSRF tokens are valid in one browser and session only. */
export interface FormTokens {
  of(formName: string): string
  isValid(token: string, formName: string): boolean
  /** Returns a token that proves, in a later session too, that this user received the form. Null without a user. */
  getDraft(formName: string): string | null
  isOwnDraft(token: string, formName: string): boolean
}

/** Returns the tokens of the forms of `page`, for the browser and the user of this request. */
export function createFormTokens(csrfTokens: CsrfTokens, page: Page, ctx: PageContext): FormTokens {
  // The path has no query, because a query selects the part of a list to show and never changes the effect of a form.
  const listParts = (formName: string) =>
    ['page', ensureBrowserId(ctx.cookies), ctx.signedIn?.credentialId ?? '', ctx.path, page.formSubject(ctx), formName] as const
  const listDraftParts = (userId: string, formName: string) => ['draft', userId, ctx.path, formName] as const
  const userId = ctx.signedIn?.user.id
  return {
    getDraft: (formName) => (userId === undefined ? null : csrfTokens.of(...listDraftParts(userId, formName))),
    isOwnDraft: (token, formName) => userId !== undefined && csrfTokens.isValid(token, ...listDraftParts(userId, formName)),
    of: (formName) => csrfTokens.of(...listParts(formName)),
    isValid: (token, formName) => csrfTokens.isValid(token, ...listParts(formName)),
  }
}
