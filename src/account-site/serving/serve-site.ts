import type { RequestHandler } from 'express'
import type { CsrfTokens } from '../../web/csrf.ts'
import { signInAt } from '../../web/page-paths.ts'
import { sendFile } from '../../web/files/send-file.ts'
import type { Download } from '../framework/download.ts'
import type { PageForm } from '../framework/form.ts'
import { takeFormDraft } from './form-draft.tsx'
import { createFormTokens } from './form-tokens.ts'
import { openPage, requireStaff } from './open-page.ts'
import { createPageContext } from '../framework/page-context.ts'
import type { SitePorts } from '../framework/page-context.ts'
import type { Page } from '../framework/page.ts'
import { createShowPage } from './show-page.tsx'
import { createSubmitForm } from './submit-form.ts'

interface ServePorts {
  site: SitePorts
  csrfTokens: CsrfTokens
  /** All pages, for the navigation. */
  pages: readonly Page[]
  /** Forms that are part of every page. */
  sharedForms: Readonly<Record<string, PageForm>>
}

/** Creates the request handlers of declared pages and downloads. */
export function createServe({ site, csrfTokens, pages, sharedForms }: ServePorts) {
  const showPage = createShowPage(csrfTokens, pages)
  const submitForm = createSubmitForm({ site, csrfTokens, sharedForms, showPage })

  const get =
    (page: Page): RequestHandler =>
    async (request, response) => {
      const opened = await openPage(site, page, request, response)
      if (!opened) return
      const { ctx, loadContent } = opened
      ctx.refused = takeFormDraft(ctx, createFormTokens(csrfTokens, page, ctx))
      await showPage(page, ctx, await loadContent())
    }

  const post =
    (page: Page): RequestHandler =>
    (request, response) =>
      submitForm(page, request, response)

  const download =
    (file: Download): RequestHandler =>
    async (request, response) => {
      const ctx = await createPageContext(site, request, response)
      if (!ctx.person) return response.redirect(303, signInAt(request.originalUrl))
      requireStaff(file, ctx)
      await sendFile(response, await file.load(ctx))
    }

  return { get, post, download }
}
