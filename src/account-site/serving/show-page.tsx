import { getAlert, PageFormsContext, ReadOnlyContext } from '../../web/components/forms/form.tsx'
import { clearErrorsScript } from '../../web/components/forms/field-description.tsx'
import type { RefusedForm } from '../../web/components/forms/form.tsx'
import { ConfirmationContext, ConfirmationPage, formatQuestion } from '../../web/components/confirm-dialog.tsx'
import type { PageConfirmation } from '../../web/components/confirm-dialog.tsx'
import { TimesContext } from '../../web/components/time.tsx'
import type { CsrfTokens } from '../../web/csrf.ts'
import { PlainLayout } from '../../web/layout.tsx'
import { renderPage, sendPage } from '../../web/send-page.tsx'
import { defaultTimes } from '../../web/time-format.ts'
import { createKeepLinks } from '../support-access/account-pages.ts'
import { takeNotice } from '../framework/notice.ts'
import { createFormTokens } from './form-tokens.ts'
import { Layout } from '../layout/site-layout.tsx'
import { createNavigation } from '../layout/navigation.ts'
import type { PageContext } from '../framework/page-context.ts'
import type { Page, PageContent } from '../framework/page.ts'

/** Shows the content of the page, or the result of one of its forms. The status is that of the content by default. */
export type ShowPage = (page: Page, ctx: PageContext, content: PageContent, status?: number) => Promise<void>

/** Returns a function that renders a page in its layout and sends it. */
export function createShowPage(csrfTokens: CsrfTokens, pages: readonly Page[]): ShowPage {
  const buildNavigation = createNavigation(pages)
  const keepLinks = createKeepLinks(pages)
  return async (
    page,
    ctx,
    { notice, title, badge, content, above = [], tabs = [], status: statusOfContent = 200 },
    status = statusOfContent,
  ) => {
    const { refused } = ctx
    const shared = {
      notice: notice ?? takeNotice(ctx),
      scripts: [...page.scripts, ...(isRefused(refused) ? [clearErrorsScript] : [])],
    }
    const tokens = createFormTokens(csrfTokens, page, ctx)
    const times = { ...(ctx.signedIn?.timeSettings ?? defaultTimes), now: ctx.site.now() }
    const confirmation: PageConfirmation = { requested: ctx.confirmation, dialog: null }
    const navigation = buildNavigation(ctx, page)
    const buildDocument = ({ alert, above = [], ...shown }: ShownContent) => (
      <PageFormsContext.Provider value={{ action: ctx.url, getCsrfToken: tokens.of, getDraftToken: tokens.getDraft, refused }}>
        <TimesContext.Provider value={times}>
          <ConfirmationContext.Provider value={confirmation}>
            {ctx.person && (!page.isPublic || page.isTool) ? (
              <Layout
                {...shared}
                isRefused={isRefused(refused)}
                title={shown.title}
                badge={shown.badge}
                alert={alert}
                ctx={ctx}
                navigation={{ ...navigation, above: [...navigation.above, ...above] }}
                tabs={shown.tabs ?? []}
              >
                <ReadOnlyContext.Provider value={ctx.supportSession !== null}>{shown.content}</ReadOnlyContext.Provider>
              </Layout>
            ) : (
              <PlainLayout
                {...shared}
                isRefused={isRefused(refused)}
                title={shown.title}
                alert={alert}
                isWelcome={page.isPublic && !page.isTool}
              >
                {shown.content}
              </PlainLayout>
            )}
          </ConfirmationContext.Provider>
        </TimesContext.Provider>
      </PageFormsContext.Provider>
    )
    // The page is rendered twice if the content determines the part above it: the title of a confirmation in its place, and the messages of
    // a refused form that no field shows.
    if (refused || ctx.confirmation !== null) renderPage(ctx.response, buildDocument({ title, content, above }))
    const alert = refused ? getAlert(refused) : undefined
    const { dialog } = confirmation
    const shown = dialog
      ? { title: formatQuestion(dialog), content: <ConfirmationPage {...dialog} />, above: [...above, { path: ctx.url, label: title }] }
      : { title, badge, content, above, tabs }
    const { pagesStart } = ctx
    sendPage(ctx.response, status, buildDocument({ ...shown, alert }), ctx.forms, (html) =>
      pagesStart ? keepLinks(html, pagesStart) : html,
    )
  }
}

const isRefused = (form: RefusedForm | null) => form !== null && form.error !== null && !form.isQuestion

interface ShownContent extends PageContent {
  alert?: string | undefined
}
