import { AppOrigin } from '../../web/components/app-origin.tsx'
import type { AppOriginProps } from '../../web/components/app-origin.tsx'
import { isolateName } from '../../web/display-name.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { RefusedFormContext, HiddenFields } from '../../web/components/forms/form.tsx'
import type { RefusedForm } from '../../web/components/forms/form.tsx'
import { StrongAddress, Name } from '../../web/components/address.tsx'
import { AppMark } from '../../web/components/app-mark.tsx'
import { PlainLayout } from '../../web/layout.tsx'
import { twoFactorPath } from '../../web/page-paths.ts'
import { Names, ScopeFields, TeamField } from './consent-fields.tsx'
import type { ScopeFieldsProps, TeamFieldProps } from './consent-fields.tsx'

interface ConsentPageProps extends ScopeFieldsProps, Omit<TeamFieldProps, 'teams'> {
  action: string
  /** Tokens that bind the form to this interaction and consent request. */
  hidden: Record<string, string>
  clientDescription: string | null
  clientOrigin: AppOriginProps
  /** Destination after the form: host or private-use scheme of the redirect URI; null for a device. */
  returnsTo: string | null
  /** The code that the device shows; null if no device waits. */
  userCode: string | null
  /** Null if grants of this client have no team. */
  teams: TeamFieldProps['teams'] | null
  /** Names of the user's teams that cannot be selected, because they require two-factor authentication. */
  teamsWithoutTwoFactor: readonly string[]
  /** Teams of the user that require a sign-in through their provider first, with the address where it starts. */
  teamsWithoutSignIn: readonly { name: string; path: string }[]
  /** Path on which the user confirms the account to reach more teams; null if the session reaches all of them. */
  otherTeamsPath: string | null
  /** A submitted form without a team. */
  refused?: RefusedForm | undefined
  alert?: string | undefined
  /** Name of the team whose members alone can connect the unlisted app; null for a listed app. */
  getDraft: string | null
  account: { email: string; switchAction: string; switchHidden: Record<string, string> }
}

export const ConsentPage = (props: ConsentPageProps) => {
  const { action, hidden, app, clientDescription, clientOrigin, returnsTo, teams, teamsWithoutTwoFactor, teamsWithoutSignIn } = props
  const { refused, alert, account, getDraft, otherTeamsPath, userCode } = props
  const canAllow = teams?.length !== 0
  const isLockedOut = teamsWithoutTwoFactor.length > 0
  return (
    <PlainLayout
      title={canAllow ? `Allow ${isolateName(app.name)} to access your account?` : `${isolateName(app.name)} needs a team`}
      mark={<AppMark app={app} />}
      alert={alert}
      isRefused={refused !== undefined}
    >
      {!canAllow && !isLockedOut && teamsWithoutSignIn.length === 0 && otherTeamsPath === null && (
        <p>You are not a member of a team. Ask a team owner to invite you.</p>
      )}
      {canAllow && userCode !== null && (
        <>
          <p>Allow access only if you have the device and it shows this code:</p>
          <p class="code">{userCode}</p>
        </>
      )}
      {clientDescription && (
        <p>
          <bdi>{clientDescription}</bdi>
        </p>
      )}
      {getDraft !== null && (
        <p class="caution">
          <Name>{app.name}</Name> is a draft of the team <Name>{getDraft}</Name>. Only members of this team can connect it.
        </p>
      )}
      <AppOrigin {...clientOrigin} />
      {!clientOrigin.verified && (
        <p class="caution">We have not verified who publishes this app. Allow access only if you know and trust it.</p>
      )}
      {isLockedOut && (
        <p class="caution">
          You cannot choose <Names names={teamsWithoutTwoFactor} />: two-factor authentication is required there.{' '}
          <a href={twoFactorPath}>Turn it on</a>.
        </p>
      )}
      {teamsWithoutSignIn.map(({ name, path }) => (
        <p class="caution">
          You cannot choose <Name>{name}</Name>: sign-in through its identity provider is required there. <a href={path}>Sign in</a>.
        </p>
      ))}
      {otherTeamsPath !== null && (
        <p>
          You signed in through the identity provider of a team, so you can choose this team only.{' '}
          <a href={otherTeamsPath}>Show my other teams</a>
        </p>
      )}
      <form class="account" method="post" action={account.switchAction}>
        <HiddenFields fields={account.switchHidden} />
        <span>
          Signed in as <StrongAddress>{account.email}</StrongAddress>
        </span>
        <Button kind="quiet">Use another account</Button>
      </form>
      <form method="post" action={action}>
        <HiddenFields fields={hidden} />
        {canAllow && (
          <RefusedFormContext.Provider value={refused ?? null}>
            {teams && <TeamField {...props} teams={teams} />}
            <ScopeFields {...props} />
          </RefusedFormContext.Provider>
        )}
        {returnsTo && (
          <p class="hint">
            You will be redirected to <bdi>{returnsTo}</bdi>.
          </p>
        )}
        <Buttons>
          {canAllow && (
            <Button name="decision" value="allow">
              Allow access
            </Button>
          )}
          <Button name="decision" value="deny" kind="second" skipsValidation>
            Deny
          </Button>
        </Buttons>
      </form>
    </PlainLayout>
  )
}
