import type { ComponentChildren } from 'preact'
import { BrandLink, Footer, Document, PageHeading } from '../../web/layout.tsx'
import { dialogScript } from '../../web/components/confirm-dialog.tsx'
import { Tabs } from '../../web/components/tabs.tsx'
import type { Tab } from '../../web/components/tabs.tsx'
import { useTimes } from '../../web/components/time.tsx'
import { Icon } from '../../web/icon.tsx'
import { formatDate } from '../../web/time-format.ts'
import type { PageContext } from '../framework/page-context.ts'
import { AccountMenu } from './account-menu.tsx'
import type { Navigation, NavigationGroup } from './navigation.ts'
import { filterScript, hasTeamFilter, TeamSwitcher } from './team-switcher.tsx'
import { ReachBanner, SignInBanner, TwoFactorBanner } from './banners.tsx'
import { OpenSupportBanner, ReaderBanner } from './support-banner.tsx'
import type { PageLink } from '../framework/page.ts'

interface LayoutProps {
  title: string
  /** Content on the same line as the title. */
  badge?: ComponentChildren
  ctx: PageContext
  navigation: Navigation
  /** Links to the pages of the object that the title names. */
  tabs?: readonly Tab[]
  scripts?: readonly string[]
  alert?: string | undefined
  isRefused?: boolean
  notice?: string | undefined
  children: ComponentChildren
}

/** The layout of pages that need a sign-in. A sidebar, or a menu on a phone, contains the pages of the team and of the account. */
export const Layout = ({
  title,
  badge,
  ctx,
  navigation,
  tabs = [],
  scripts = [],
  alert,
  isRefused = false,
  notice,
  children,
}: LayoutProps) => (
  <Document
    title={[...tabs.slice(1).flatMap(({ label, isCurrent }) => (isCurrent ? [label] : [])), title].join(' · ')}
    hasError={isRefused || alert !== undefined}
    scripts={[dialogScript, ...(hasTeamFilter(navigation.teams) ? [filterScript] : []), ...scripts]}
    kind="site"
  >
    <a class="skip" href="#content">
      Skip to content
    </a>
    <header>
      <button type="button" class="menu" popovertarget="navigation">
        <Icon name="menu" />
        <span class="visually-hidden">Menu</span>
      </button>
      <BrandLink />
      <TeamSwitcher teams={navigation.teams} current={ctx.currentTeam?.team ?? null} />
      <AccountMenu ctx={ctx} />
    </header>
    <div class="sidebar" id="navigation" popover>
      <div>
        {navigation.team.length > 0 && <Groups label="Team" groups={navigation.team} />}
        <Groups label={ctx.pagesStart === '' ? 'Your account' : 'Account'} groups={navigation.account} />
      </div>
    </div>
    <Printed ctx={ctx} />
    <Breadcrumbs above={navigation.above} title={title} />
    <main id="content" tabIndex={-1}>
      <PageHeading title={title} badge={badge} notice={notice} alert={alert} tabs={<Tabs label={title} tabs={tabs} />} />
      <ReaderBanner ctx={ctx} />
      <OpenSupportBanner ctx={ctx} />
      <TwoFactorBanner ctx={ctx} />
      <SignInBanner ctx={ctx} />
      <ReachBanner ctx={ctx} />
      {children}
    </main>
    <Footer />
  </Document>
)

/** The text above the title of a printed page: the owner of the page and the day. */
const Printed = ({ ctx: { team, site } }: { ctx: PageContext }) => (
  <p class="printed">
    <bdi>{team?.team.name ?? site.brand.name}</bdi> <span>{formatDate(site.now(), useTimes())}</span>
  </p>
)

/** Links to pages, in groups whose titles are visible, so that each page is one click away. */
const Groups = ({ label, groups }: { label: string; groups: readonly NavigationGroup[] }) => (
  <nav aria-label={label}>
    {groups.map(({ name, title, links }) => (
      <>
        {title !== null && <p id={`group-${name}`}>{title}</p>}
        <ul aria-labelledby={title === null ? undefined : `group-${name}`}>
          {links.map(({ path, label, icon, isCurrent }) => (
            <li>
              <a href={path} aria-current={isCurrent ? 'page' : undefined}>
                <Icon name={icon} />
                <span>{label}</span>
              </a>
            </li>
          ))}
        </ul>
      </>
    ))}
  </nav>
)

/** Links to the pages above this page, and its title. Renders nothing for a page at the top. */
const Breadcrumbs = ({ above, title }: { above: readonly PageLink[]; title: string }) =>
  above.length === 0 ? null : (
    <nav class="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        {above.map(({ path, label }) => (
          <li>
            <a href={path}>
              <bdi>{label}</bdi>
            </a>
          </li>
        ))}
        <li aria-current="page">
          <bdi>{title}</bdi>
        </li>
      </ol>
    </nav>
  )
