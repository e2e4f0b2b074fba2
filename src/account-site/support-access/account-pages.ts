import { isReadableInSupport } from '../../../schema/core/requires.ts'
import { staffPath } from '../../web/page-paths.ts'
import type { Page } from '../framework/page.ts'

// The pages of an account that its user opens to staff in a support session (docs/decisions/staff.md#reading-an-account). Their addresses begin
// with the user, so that staff can send them to a colleague.

/**
 * Returns the pages of an account that staff can read: those in the navigation of the account, and those below them. A page that needs a recent
 * sign-in is left out, because it changes the account or shows a secret that is being set up, and so is one that reads the browser. A page
 * that is neither in the navigation nor has a query shows nothing of the account.
 */
export function listAccountPages(pages: readonly Page[]): Page[] {
  const isOfAccount = ({ nav, parent }: Page): boolean => {
    const above = pages.find(({ path }) => path === parent)
    return nav?.group === 'account' || (above !== undefined && isOfAccount(above))
  }
  return pages.filter(
    (page) =>
      isOfAccount(page) &&
      !page.needsRecentSignIn &&
      page.requirements.every(isReadableInSupport) &&
      (page.nav !== undefined || page.requirements.length > 0),
  )
}

/**
 * Returns a function that keeps the reader of an account inside these pages: it changes the links in the main part of a rendered document, and
 * disables those to other pages of the user, which would show the pages of the reader. Values of attributes contain no quotation marks, so
 * that the pattern finds only links.
 */
export function createKeepLinks(pages: readonly Page[]): (html: string, start: string) => string {
  const readable = new Set(listAccountPages(pages))
  const patterns = pages.map((page) => ({ page, pattern: new RegExp(`^${page.path.replace(/:\w+/g, '[^/]+')}$`) }))
  const isReadable = (target: string) => {
    const [path = ''] = target.split(/[?#]/)
    const page = patterns.find(({ pattern }) => pattern.test(path))?.page
    return page !== undefined && readable.has(page)
  }
  const toLink = (whole: string, href: string, start: string) => {
    // Links that the page builds from its own path begin so already.
    const target = href.startsWith(`${start}/`) ? href.slice(start.length) : href
    if (!target.startsWith('/') || `${target}/`.startsWith(`${staffPath}/`)) return whole
    return isReadable(target) ? ` href="${start}${target}"` : ' role="link" aria-disabled="true"'
  }
  return (html, start) => {
    const [from, to] = [html.indexOf('<main'), html.lastIndexOf('</main>')]
    const main = html.slice(from, to).replace(/ href="([^"]*)"/g, (whole, href: string) => toLink(whole, href, start))
    return html.slice(0, from) + main + html.slice(to)
  }
}
