import type { Page, PageLink } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { listAddress } from '../table/address.ts'

interface PageTree {
  /** The pages above a page, the nearest first. */
  ancestorsOf(page: Page): readonly Page[]
  /** Links to them for breadcrumbs, from the top. A page of a team is below the team. */
  linksAbove(page: Page, ctx: PageContext): readonly PageLink[]
}

/** The tree of the pages, as they declare it. Throws at start if a parent is not a page, or its title depends on an object. */
export function createPageTree(pages: readonly Page[]): PageTree {
  const parents = new Map<Page, Page>()
  for (const page of pages) {
    if (page.parent === undefined) continue
    const parent = pages.find(({ path }) => path === page.parent)
    if (!parent || parent.fixedTitle === null)
      throw new Error(`${page.path} has the parent ${page.parent}, which is no page with a fixed title`)
    parents.set(page, parent)
  }
  const ancestorsOf = (page: Page): readonly Page[] => {
    const parent = parents.get(page)
    return parent ? [parent, ...ancestorsOf(parent)] : []
  }
  return {
    ancestorsOf,
    linksAbove(page, ctx) {
      const links = ancestorsOf(page).map(({ path, fixedTitle }, index) => ({
        path: index === 0 ? listAddress(pathOf(path, ctx), ctx) : pathOf(path, ctx),
        label: fixedTitle ?? '',
      }))
      const team = ctx.team && { path: `/teams/${ctx.team.team.slug}`, label: ctx.team.team.name }
      return [...(team && ctx.path !== team.path ? [team] : []), ...links.toReversed()]
    },
  }
}

/** A parent's path has no other parameters than its child's. */
const pathOf = (path: string, ctx: PageContext) => path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(ctx.param(name)))
