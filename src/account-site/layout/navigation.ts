import { buildPath, navigationGroups } from '../framework/page.ts'
import type { NavigationGroupName, Page, PageLink, NavigationEntry } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { listAddress } from '../table/address.ts'
import type { TeamAccess } from '../../../schema/core/principals.ts'
import type { IconName } from '../../web/icon.tsx'
import { isolateName } from '../../web/display-name.ts'
import { accountPath, staffPath } from '../../web/page-paths.ts'
import { picturePath } from '../../../schema/pictures/picture-url.ts'

interface PageTree {
  /** Returns the pages above a page, the nearest first. */
  listAncestors(page: Page): readonly Page[]
  /** Returns breadcrumb links to these pages, from the top. The pages of a team are below the team. */
  linksAbove(page: Page, ctx: PageContext): readonly PageLink[]
}

/** Creates the tree of the declared pages. Throws at start if a parent is not a page, or if its title depends on an object. */
function createPageTree(pages: readonly Page[]): PageTree {
  const parents = new Map<Page, Page>()
  for (const page of pages) {
    if (page.parent === undefined) continue
    const parent = pages.find(({ path }) => path === page.parent)
    if (!parent || parent.fixedTitle === null)
      throw new Error(`${page.path} has the parent ${page.parent}, which is no page with a fixed title`)
    parents.set(page, parent)
  }
  const listAncestors = (page: Page): readonly Page[] => {
    const parent = parents.get(page)
    return parent ? [parent, ...listAncestors(parent)] : []
  }
  return {
    listAncestors,
    linksAbove(page, ctx) {
      const links = listAncestors(page).map(({ path, fixedTitle }, index) => ({
        path: index === 0 ? listAddress(buildPath(path, ctx), ctx) : buildPath(path, ctx),
        label: fixedTitle ?? '',
      }))
      const team = ctx.team && { path: `/teams/${ctx.team.team.slug}`, label: ctx.team.team.name }
      return [...(team && ctx.path !== team.path ? [team] : []), ...links.toReversed()]
    },
  }
}

export interface NavigationLink extends PageLink {
  icon: IconName
  isCurrent: boolean
}

/** Links of the navigation that belong together. */
export interface NavigationGroup {
  name: string
  title: string | null
  links: readonly NavigationLink[]
}

export interface TeamLink {
  slug: string
  name: string
  /** Path of the logo. */
  logo: string | null
  /** Path of the corresponding page of the team, or of its start page. */
  path: string
  isCurrent: boolean
}

export interface Navigation {
  /**
   * On pages of a team, the groups that contain a page which the user can open. Elsewhere, a link back to the current team; empty for a user
   * without a team.
   */
  team: readonly NavigationGroup[]
  /**
   * On pages of a team, a link to the account. On pages of staff, these and the link. Elsewhere, the pages of the account, and for staff who read
   * them a link back.
   */
  account: readonly NavigationGroup[]
  teams: readonly TeamLink[]
  /** The pages above the current one, from the team down. */
  above: readonly PageLink[]
}

interface Entry extends NavigationEntry, Pick<Page, 'path' | 'requirements'> {
  label: string
}

const teamPath = '/teams/:team'
const inTeam = (path: string, { team }: TeamAccess) => path.replace(':team', team.slug)

/** Returns a function that lists the links to all pages that the user can open. `page` is the current one; null for an error page. */
export function createNavigation(pages: readonly Page[]): (ctx: PageContext, page: Page | null) => Navigation {
  const { listAncestors, linksAbove } = createPageTree(pages)
  const entries: Entry[] = pages
    .flatMap(({ nav, fixedTitle, path, requirements }) =>
      nav ? [{ label: fixedTitle ?? path, ...nav, path, requirements: nav.isForEveryone ? [] : requirements }] : [],
    )
    .toSorted((one, other) => one.order - other.order)

  return (ctx, page) => {
    const { currentTeam } = ctx
    const readsAccount = ctx.pagesStart !== ''
    const current = page && [page, ...listAncestors(page)].find(({ nav }) => nav)
    const listGroups = (area: (typeof navigationGroups)[number]['area'], team: TeamAccess | null): NavigationGroup[] =>
      navigationGroups
        .filter((group) => group.area === area)
        .map(({ name, title }) => ({
          name,
          title: name === 'account' && readsAccount ? isolateName(ctx.person?.user.name ?? '') : title,
          links: listLinks(name, team),
        }))
        .filter(({ links }) => links.length > 0)
    const listLinks = (group: NavigationGroupName, team: TeamAccess | null): NavigationLink[] =>
      entries
        .filter((entry) => entry.group === group && ctx.isAllowed(entry.requirements, team))
        .map(({ label, icon, path }) => ({
          label,
          icon,
          path: team ? inTeam(path, team) : ctx.pagesStart + path,
          isCurrent: path === current?.path,
        }))
    // Both areas together would be longer than a small window.
    const toGroup = (link: Omit<NavigationLink, 'isCurrent'>) => [{ name: 'link', title: null, links: [{ ...link, isCurrent: false }] }]
    // The address of an error page can be in a team, too.
    const isInTeam = currentTeam !== null && `${ctx.path}/`.startsWith(`/teams/${currentTeam.team.slug}/`)
    const isOfStaff = `${ctx.path}/`.startsWith(`${staffPath}/`)
    const linkToAccount = toGroup({ label: 'Your account', icon: 'person', path: accountPath })
    const listAccountArea = (): NavigationGroup[] => {
      const ofAccount = listGroups('account', null)
      if (readsAccount) return [...ofAccount, ...toGroup({ label: 'Support desk', icon: 'back', path: staffPath })]
      if (isInTeam) return linkToAccount
      return isOfStaff ? [...listGroups('staff', null), ...linkToAccount] : ofAccount
    }
    const linksToTeam = ({ team }: TeamAccess) =>
      toGroup({ label: `Back to ${isolateName(team.name)}`, icon: 'back', path: `/teams/${team.slug}` })
    const section = entries.find(({ path }) => ctx.team && path === current?.path)
    const pathIn = (team: TeamAccess) => inTeam(section && ctx.isAllowed(section.requirements, team) ? section.path : teamPath, team)
    return {
      team: !currentTeam ? [] : isInTeam ? listGroups('team', currentTeam) : linksToTeam(currentTeam),
      account: listAccountArea(),
      teams: ctx.teams.map((each) => ({
        ...each.team,
        logo: picturePath(each.team.logoId),
        path: pathIn(each),
        isCurrent: each.team.slug === currentTeam?.team.slug,
      })),
      above: page ? linksAbove(page, ctx) : [],
    }
  }
}
