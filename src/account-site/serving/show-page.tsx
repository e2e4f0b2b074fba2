import { alertOf, PageFormsContext } from '../../web/components/forms/form.tsx'
import { TimesContext } from '../../web/components/time.tsx'
import type { CsrfTokens } from '../../web/csrf.ts'
import { PlainLayout } from '../../web/layout.tsx'
import { renderPage, sendPage } from '../../web/send-page.tsx'
import { defaultTimes } from '../../web/time-format.ts'
import type { ResultPage } from '../framework/form.ts'
import { formTokensOf } from './form-tokens.ts'
import { Layout } from '../layout/layout.tsx'
import { createNavigation } from '../layout/navigation.ts'
import type { PageContext } from '../framework/page-context.ts'
import type { Page } from '../framework/page.ts'

export interface ShowPageOptions {
  status?: number
  /** The result of a form, shown in place of the page's own content. */
  result?: ResultPage
}

export type ShowPage = (page: Page, ctx: PageContext, options?: ShowPageOptions) => Promise<void>

/** Returns a function that loads a page, renders it in its layout and sends it. */
export function createShowPage(csrfTokens: CsrfTokens, pages: readonly Page[]): ShowPage {
  const navigationOf = createNavigation(pages)
  return async (page, ctx, { status = 200, result } = {}) => {
    const { title, content } = result ?? (await page.load(ctx))
    const { refused } = ctx
    const layout = { title, isRefused: refused !== null && refused.error !== null, notice: takeNotice(ctx), scripts: page.scripts }
    const tokens = formTokensOf(csrfTokens, page, ctx)
    const times = { ...(ctx.person?.timeSettings ?? defaultTimes), now: ctx.site.now() }
    const documentWith = (alert: string | undefined) => (
      <PageFormsContext.Provider value={{ action: ctx.url, csrfTokenOf: tokens.of, draftTokenOf: tokens.draftOf, refused }}>
        <TimesContext.Provider value={times}>
          {ctx.person && !page.isPublic ? (
            <Layout {...layout} alert={alert} ctx={ctx} navigation={navigationOf(ctx, page)}>
              {content}
            </Layout>
          ) : (
            <PlainLayout {...layout} alert={alert} isWelcome={page.isPublic}>
              {content}
            </PlainLayout>
          )}
        </TimesContext.Provider>
      </PageFormsContext.Provider>
    )
    // A refused form is rendered twice: the alert at the top, which comes first, has the messages that no field shows.
    if (refused) renderPage(ctx.response, documentWith(undefined))
    sendPage(ctx.response, status, documentWith(refused ? alertOf(refused) : undefined), ctx.forms)
  }
}

const noticeCookie = 'notice'

/** Stores the confirmation that the next page shows once. */
export const saveNotice = ({ cookies }: PageContext, notice: string): void => cookies.set(noticeCookie, notice, 60)

function takeNotice({ cookies }: PageContext): string | undefined {
  const notice = cookies.get(noticeCookie)
  if (notice !== undefined) cookies.clear(noticeCookie)
  return notice
}
