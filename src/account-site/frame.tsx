import type { ComponentChildren } from 'preact'
import { accountPath } from './addresses.ts'
import { Button, Form } from './form.tsx'
import { Head, Initials, Name, Opening } from './page.tsx'
import type { Visit } from './visit.ts'

/** A link of the navigation. */
export interface NavigationLink {
  path: string
  label: string
  isCurrent: boolean
}

interface FrameProps {
  title: string
  visit: Visit
  navigation: { team: readonly NavigationLink[]; account: readonly NavigationLink[] }
  scripts: readonly string[]
  alert: string | undefined
  notice: string | undefined
  children: ComponentChildren
}

/** The frame of every page of somebody who is signed in: where they are, where they can go, and who they are. */
export const Frame = ({ title, visit, navigation, scripts, alert, notice, children }: FrameProps) => (
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
        <TeamSwitcher visit={visit} />
        {visit.person && (
          <div class="person">
            <a href={accountPath}>
              <span class="visually-hidden">Your account: </span>
              <Name>{visit.person.user.name}</Name>
            </a>
            <Form name="sign-out">
              <Button kind="quiet">Sign out</Button>
            </Form>
          </div>
        )}
      </header>
      {visit.team ? <Links label="Team" links={navigation.team} /> : <Links label="Your account" links={navigation.account} />}
      <main id="content" tabIndex={-1}>
        <Opening title={title} notice={notice} alert={alert} />
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

/** Opens without JavaScript; closed, it says whose pages these are. */
const TeamSwitcher = ({ visit: { person, team } }: { visit: Visit }) =>
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
        {person.teams.map(({ team: { slug, name } }) => (
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
