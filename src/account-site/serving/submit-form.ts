import type { Request, Response } from 'express'
import { z } from 'zod'
import { statusByCode } from '../../../rest-facade/http/problem.ts'
import { DomainError, asRefusal, forbidden, isConfirmable } from '../../../schema/core/errors.ts'
import { refusedForm } from '../../web/components/forms/form.tsx'
import { isFromOwnPage } from '../../web/csrf.ts'
import type { CsrfTokens } from '../../web/csrf.ts'
import { pageHeaders } from '../../web/send-page.tsx'
import { confirmationFor, signInAt } from '../../web/page-paths.ts'
import { sendFile } from '../../web/files/send-file.ts'
import { keptValues, keepForm } from './form-draft.tsx'
import { createFormTokens } from './form-tokens.ts'
import type { FormTokens } from './form-tokens.ts'
import type { PageForm, FormOutcome } from '../framework/form.ts'
import { needsConfirmation, openPage, openSharedForm } from './open-page.ts'
import type { OpenedPage } from './open-page.ts'
import { saveNotice } from '../framework/notice.ts'
import { createPageContext } from '../framework/page-context.ts'
import type { PageContext, SitePorts } from '../framework/page-context.ts'
import type { Page } from '../framework/page.ts'
import type { ShowPage } from './show-page.tsx'

/** A submitted form whose CSRF token is missing or belongs to another form, user or browser. */
export class InvalidCsrfToken extends Error {}

interface SubmitPorts {
  site: SitePorts
  csrfTokens: CsrfTokens
  /** Forms that are part of every page. */
  sharedForms: Readonly<Record<string, PageForm>>
  showPage: ShowPage
}

/** Returns the handler of a page's submitted forms. */
export function createSubmitForm({ site, csrfTokens, sharedForms, showPage }: SubmitPorts) {
  return async (page: Page, request: Request, response: Response): Promise<void> => {
    if (!isFromOwnPage(request.headers, site.authUrl)) throw new InvalidCsrfToken()
    const body = submission.parse(request.body ?? {})
    const ownForm = formNamed(page.forms, body.form)
    const form = ownForm ?? formNamed(sharedForms, body.form)
    const open = form === ownForm ? openPage : openSharedForm
    const opened = await open(site, page, request, response, (signedOut) => keepForm(signedOut, body, signInAt)).catch(async (error) => {
      // A team requires the second factor, which the session lacks, so its page cannot be opened before.
      if (!(error instanceof DomainError) || !isConfirmable(error)) throw error
      requestConfirmation(await createPageContext(site, request, response, { needsTeam: false }), body, error)
    })
    if (!opened) return
    const { ctx, loadContent } = opened
    const tokens = createFormTokens(csrfTokens, page, ctx)
    if (!form || !tokens.isValid(body.csrf, body.form)) {
      const otherPage = form && (await page.redirectOutdated(ctx))
      if (otherPage !== undefined) return response.redirect(303, otherPage)
      if (form !== ownForm || !mayShowAgain(page, ctx, body, tokens)) throw new InvalidCsrfToken()
      if (needsConfirmation(page, ctx)) return requestConfirmation(ctx, body, outOfDate())
      ctx.refused = refusedForm(body.form, keptValues(body), outOfDate())
      return showPage(page, ctx, await loadContent(), statusByCode[outOfDate().code])
    }
    try {
      if (form === ownForm && needsConfirmation(page, ctx)) throw forbidden('recent_sign_in_required')
      const outcome = await form.submit(body, ctx)
      if (form.renewsSession) await site.sessions.renew(request, response)
      await respond(page, opened, body.form, outcome)
    } catch (error) {
      const refusal = asRefusal(error)
      if (!(refusal instanceof DomainError) || !handledCodes.has(refusal.code)) throw error
      await respondToRefusal(page, opened, body, refusal)
    }
  }

  async function respond(page: Page, { ctx, loadContent }: OpenedPage, formName: string, outcome: FormOutcome): Promise<void> {
    if (ctx.response.headersSent) return
    if ('again' in outcome) {
      ctx.refused = refusedForm(formName, outcome.again, null)
      return showPage(page, ctx, await loadContent())
    }
    if ('content' in outcome) return showPage(page, ctx, outcome)
    if ('body' in outcome) return sendFile(ctx.response, outcome)
    if ('json' in outcome) return void ctx.response.set(pageHeaders()).json(outcome.json)
    const { notice, path } = outcome
    if (notice !== undefined) saveNotice(ctx, notice)
    ctx.response.redirect(303, path ?? ctx.url)
  }

  async function respondToRefusal(page: Page, { ctx, loadContent }: OpenedPage, values: Submission, error: DomainError): Promise<void> {
    if (isConfirmable(error)) return requestConfirmation(ctx, values, error)
    const { retryAfterSeconds } = error.details
    if (retryAfterSeconds !== undefined) ctx.response.set('Retry-After', String(retryAfterSeconds))
    ctx.refused = refusedForm(values.form, values, error)
    await showPage(page, ctx, await loadContent(), statusByCode[error.code])
  }
}

function requestConfirmation(ctx: PageContext, values: Submission, error: DomainError): void {
  const confirmationAt = confirmationFor(error)
  if (!keepForm(ctx, values, confirmationAt)) ctx.response.redirect(303, confirmationAt(ctx.url))
}

const outOfDate = () => new DomainError('recent_sign_in_required', 'This page was out of date. Check the form and submit it again.')

/**
 * Returns true if a form with an invalid CSRF token is shown again with the user's input. The draft token must prove that the form was
 * shown to the same user; without a user, the Origin header field must be that of this site. A form for an emailed link is not shown again,
 * because the browser may have opened another link meanwhile.
 */
function mayShowAgain(page: Page, ctx: PageContext, values: Submission, tokens: FormTokens): boolean {
  if (page.formSubject(ctx) !== '') return false
  if (Object.values(keptValues(values)).every((value) => value === '')) return false
  return ctx.person ? tokens.isOwnDraft(values.draft, values.form) : ctx.request.headers.origin === ctx.site.authUrl
}

/** The fields that every form has. The form itself validates the others. */
const submission = z.looseObject({ form: z.string().catch(''), csrf: z.string().catch(''), draft: z.string().catch('') })
type Submission = z.output<typeof submission>

const formNamed = (forms: Readonly<Record<string, PageForm>>, name: string) => (Object.hasOwn(forms, name) ? forms[name] : undefined)

/** Errors that the user can correct, in the form or by confirming the password. Other errors get an error page. */
const handledCodes = new Set<string>([
  'validation_failed',
  'last_owner',
  'already_member',
  'rate_limited',
  'recent_sign_in_required',
  'own_proof_required',
])
