import type { ComponentChildren } from 'preact'
import { accountPath } from '../../web/page-paths.ts'
import { Button } from '../../web/components/button.tsx'
import { Form } from '../../web/components/form.tsx'
import { Head, PageHeading } from '../../web/layout.tsx'
import { Initials, Name } from '../../web/components/name.tsx'
import type { Navigation, NavigationLink } from './navigation.ts'
import type { PageContext } from '../framework/page-context.ts'
import { TwoFactorBanner } from './two-factor-banner.tsx'

interface LayoutProps {
  title: string
  ctx: PageContext
  navigation: Navigation
  scripts: readonly string[]
  alert: string | undefined
  notice: string | undefined
  children: ComponentChildren
}

/** The layout of pages that need a sign-in: team switcher, account, navigation and content. */
export const Layout = ({ title, ctx, navigation, scripts, alert, notice, children }: LayoutProps) => (
  <html lang="en">
    <Head title={title} alert={alert} scripts={scripts} />
    <body class="site">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header>
        <a class="brand" href="/">
          Team accounts
        </a>
        <TeamSwitcher ctx={ctx} />
        {ctx.person && (
          <div class="person">
            <a href={accountPath}>
              <span class="visually-hidden">Your account: </span>
              <Name>{ctx.person.user.name}</Name>
            </a>
            <Form name="sign-out">
              <Button kind="quiet">Sign out</Button>
            </Form>
          </div>
        )}
      </header>
      {ctx.team ? <Links label="Team" links={navigation.team} /> : <Links label="Your account" links={navigation.account} />}
      <main id="content" tabIndex={-1}>
        <PageHeading title={title} notice={notice} alert={alert} />
        <TwoFactorBanner ctx={ctx} />
        {children}
      </main>
    </body>
  </html>
)

const Links = ({ label, links }: { label: string; links: readonly NavigationLink[] }) => (
  <nav aria-label={label}>
    <ul>
      {links.map(({ path, label, isCurrent }) => (
        <li>
          <a href={path} aria-current={isCurrent ? 'page' : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** A menu of the user's teams that shows the current team. Works without JavaScript. */
const TeamSwitcher = ({ ctx: { person, teams, team } }: { ctx: PageContext }) =>
  person && (
    <details class="switcher">
      <summary>
        <span class="visually-hidden">Team: </span>
        {team ? (
          <>
            <Initials name={team.team.name} /> <Name>{team.team.name}</Name>
          </>
        ) : (
          'Choose a team'
        )}
      </summary>
      <ul>
        {teams.map(({ team: { slug, name } }) => (
          <li>
            <a href={`/teams/${slug}`} aria-current={slug === team?.team.slug ? 'true' : undefined}>
              <Name>{name}</Name> <small>{slug}</small>
            </a>
          </li>
        ))}
        <li>
          <a href="/teams/new">Create a team</a>
        </li>
      </ul>
    </details>
  )
