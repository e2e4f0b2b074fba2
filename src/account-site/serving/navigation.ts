import type { Page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'

export interface NavigationLink {
  path: string
  label: string
  isCurrent: boolean
}

export interface Navigation {
  /** Empty outside a team. */
  team: readonly NavigationLink[]
  account: readonly NavigationLink[]
}

/** Returns a function that lists the links to all pages that the user can open. */
export function createNavigation(pages: readonly Page[]): (ctx: PageContext) => Navigation {
  const entries = pages
    .flatMap(({ nav, path, requirements }) => (nav ? [{ ...nav, path, requirements }] : []))
    .toSorted((one, other) => one.order - other.order)

  return (ctx) => {
    const linksOf = (section: 'team' | 'account') =>
      entries
        .filter((entry) => entry.section === section && ctx.isAllowed(entry.requirements))
        .map(({ label, path: pattern }) => {
          const path = pattern.replace(':team', ctx.team?.team.slug ?? '')
          return { label, path, isCurrent: ctx.path === path || ctx.path.startsWith(`${path}/`) }
        })
    return { team: ctx.team ? linksOf('team') : [], account: linksOf('account') }
  }
}
