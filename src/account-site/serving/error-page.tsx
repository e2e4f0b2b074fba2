import type { Request, Response } from 'express'
import { PageFormsContext } from '../../web/components/forms/form.tsx'
import type { CsrfTokens } from '../../web/csrf.ts'
import { ErrorPage, ErrorText } from '../../web/error-page.tsx'
import type { ErrorPageContent } from '../../web/error-page.tsx'
import { sendPage } from '../../web/send-page.tsx'
import { account } from '../account/account.tsx'
import { createPageContext } from '../framework/page-context.ts'
import type { SitePorts } from '../framework/page-context.ts'
import type { Page } from '../framework/page.ts'
import { formTokensOf } from './form-tokens.ts'
import { Layout } from '../layout/layout.tsx'
import { createNavigation } from '../layout/navigation.ts'

export type ShowError = (request: Request, response: Response, status: number, content: ErrorPageContent) => Promise<void>

/** Returns a function that sends an error page, which keeps the navigation for a user who is signed in. */
export function createShowError(site: SitePorts, csrfTokens: CsrfTokens, pages: readonly Page[]): ShowError {
  const navigationOf = createNavigation(pages)

  async function signedInPage(request: Request, response: Response, content: ErrorPageContent) {
    const ctx = await createPageContext(site, request, response, { needsTeam: false })
    // The forms of the header are sent to the account page, since the address of this page may accept none.
    const { of: csrfTokenOf, draftOf: draftTokenOf } = formTokensOf(csrfTokens, account, { ...ctx, path: account.path })
    return (
      <PageFormsContext.Provider value={{ action: account.path, csrfTokenOf, draftTokenOf, refused: null }}>
        {/* No link leads to this page, so none is marked as the current one. */}
        <Layout title={content.title} ctx={ctx} navigation={navigationOf(ctx, null)}>
          <section>
            <ErrorText {...content} />
          </section>
        </Layout>
      </PageFormsContext.Provider>
    )
  }

  return async (request, response, status, content) => {
    const isSignedIn = response.locals.person && status !== 503
    // The cause of the error can also prevent the navigation from being loaded.
    const document = isSignedIn ? await signedInPage(request, response, content).catch(() => null) : null
    sendPage(response, status, document ?? ErrorPage(content))
  }
}
