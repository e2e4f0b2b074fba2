import type { TeamAccess } from '../../../schema/core/context.ts'
import type { NavigationEntry, Page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'

export interface NavigationLink {
  path: string
  label: string
  isCurrent: boolean
}

export interface TeamLink {
  slug: string
  name: string
  /** The page of the team that corresponds to the current one, or its start page. */
  path: string
  isCurrent: boolean
}

export interface Navigation {
  /** The areas of the current team; empty for a user without a team. */
  team: readonly NavigationLink[]
  account: readonly NavigationLink[]
  teams: readonly TeamLink[]
}

interface Entry extends NavigationEntry, Pick<Page, 'path' | 'requirements'> {}

const teamPath = '/teams/:team'
const inTeam = (path: string, { team }: TeamAccess) => path.replace(':team', team.slug)

/** Returns a function that lists the links to all pages that the user can open. */
export function createNavigation(pages: readonly Page[]): (ctx: PageContext) => Navigation {
  const entries: Entry[] = pages
    .flatMap(({ nav, path, requirements }) => (nav ? [{ ...nav, path, requirements: nav.isForEveryone ? [] : requirements }] : []))
    .toSorted((one, other) => one.order - other.order)

  return (ctx) => {
    const { currentTeam } = ctx
    const allowed = (section: Entry['section'], team: TeamAccess | null) =>
      entries.filter((entry) => entry.section === section && ctx.isAllowed(entry.requirements, team))
    const teamEntries = currentTeam
      ? allowed('team', currentTeam).map((entry) => ({ label: entry.label, path: inTeam(entry.path, currentTeam) }))
      : []
    const accountEntries = allowed('account', null)
    const currentPath = pages.find((page) => page.path === ctx.path)?.navPath ?? ctx.path
    const current = [...teamEntries, ...accountEntries]
      .filter(({ path }) => currentPath === path || currentPath.startsWith(`${path}/`))
      .toSorted((one, other) => other.path.length - one.path.length)[0]
    const linksOf = (list: readonly Pick<Entry, 'label' | 'path'>[]) =>
      list.map(({ label, path }) => ({ label, path, isCurrent: path === current?.path }))
    const section = entries.find(({ label, section }) => ctx.team && section === 'team' && label === current?.label)
    const pathIn = (team: TeamAccess) => inTeam(section && ctx.isAllowed(section.requirements, team) ? section.path : teamPath, team)
    return {
      team: linksOf(teamEntries),
      account: linksOf(accountEntries),
      teams: ctx.teams.map((each) => ({ ...each.team, path: pathIn(each), isCurrent: each.team.slug === currentTeam?.team.slug })),
    }
  }
}
