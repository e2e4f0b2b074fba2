import { Name, Names } from '../../web/components/address.tsx'
import type { MarkedApp } from '../../web/components/app-mark.tsx'
import { twoFactorPath } from '../../web/page-paths.ts'

export interface AppNoticeProps {
  app: MarkedApp
  /** Name of the team whose members alone can connect the unlisted app; null for a listed app. */
  draftTeam: string | null
  isVerified: boolean
  /** True for a client by URL, whose name is its host. */
  isByUrl: boolean
}

/** What the user has to know about the app before allowing access. It is one notice, because users read no list of warnings. */
export const AppNotice = ({ app, draftTeam, isVerified, isByUrl }: AppNoticeProps) =>
  draftTeam === null && isVerified ? null : (
    <p class="caution">
      {draftTeam !== null && (
        <>
          <Name>{app.name}</Name> is a draft of the team <Name>{draftTeam}</Name>. Only members of this team can connect it.{' '}
        </>
      )}
      {isByUrl && (
        <>
          This app is described by a document on <Name>{app.name}</Name>.{' '}
        </>
      )}
      {!isVerified && 'We have not verified who publishes this app. Allow access only if you know and trust it.'}
    </p>
  )

export interface TeamNotesProps {
  /** Names of the user's teams that cannot be selected, because they require two-factor authentication. */
  teamsWithoutTwoFactor: readonly string[]
  /** Teams of the user that require a sign-in through their provider first, with the address where it starts. */
  teamsWithoutSignIn: readonly { name: string; path: string }[]
  /** Path on which the user confirms the account to reach more teams; null if the session reaches all of them. */
  otherTeamsPath: string | null
}

/** Why some teams of the user cannot be selected: hints below the field or, if no team can be selected, the reason for that. */
export function TeamNotes({
  teamsWithoutTwoFactor,
  teamsWithoutSignIn,
  otherTeamsPath,
  look,
}: TeamNotesProps & { look: 'hint' | 'caution' }) {
  return (
    <>
      {teamsWithoutTwoFactor.length > 0 && (
        <p class={look}>
          You cannot choose <Names names={teamsWithoutTwoFactor} />: two-factor authentication is required there.{' '}
          <a href={twoFactorPath}>Turn it on</a>.
        </p>
      )}
      {teamsWithoutSignIn.map(({ name, path }) => (
        <p class={look}>
          You cannot choose <Name>{name}</Name>: sign-in through its identity provider is required there. <a href={path}>Sign in</a>.
        </p>
      ))}
      {otherTeamsPath !== null && (
        <p class="hint">
          You signed in through the identity provider of a team, so you can choose this team only.{' '}
          <a href={otherTeamsPath}>Show my other teams</a>
        </p>
      )}
    </>
  )
}

/** Returns true if there is a reason to show. */
export const hasTeamNotes = ({ teamsWithoutTwoFactor, teamsWithoutSignIn, otherTeamsPath }: TeamNotesProps): boolean =>
  teamsWithoutTwoFactor.length > 0 || teamsWithoutSignIn.length > 0 || otherTeamsPath !== null
