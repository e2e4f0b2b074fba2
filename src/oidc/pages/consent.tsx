import { AppLinks, AppOrigin } from '../../web/components/app-origin.tsx'
import type { AppOriginProps } from '../../web/components/app-origin.tsx'
import { isolateName } from '../../web/display-name.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { RefusedFormContext, HiddenFields } from '../../web/components/forms/form.tsx'
import type { RefusedForm } from '../../web/components/forms/form.tsx'
import { Name, StrongAddress } from '../../web/components/address.tsx'
import { AppMark } from '../../web/components/app-mark.tsx'
import { PlainLayout } from '../../web/layout.tsx'
import { ScopeFields, TeamField } from './consent-fields.tsx'
import type { ScopeFieldsProps, TeamFieldProps } from './consent-fields.tsx'
import { AppNotice, hasTeamNotes, TeamNotes } from './consent-notes.tsx'
import type { AppNoticeProps, TeamNotesProps } from './consent-notes.tsx'

interface ConsentPageProps extends ScopeFieldsProps, TeamNotesProps, Omit<AppNoticeProps, 'isVerified'>, Omit<TeamFieldProps, 'teams'> {
  action: string
  /** Tokens that bind the form to this interaction and consent request. */
  hidden: Record<string, string>
  /** For a client by URL, this is the name in its document. */
  clientDescription: string | null
  clientOrigin: AppOriginProps
  /** Destination after the form: host or private-use scheme of the redirect URI; null for a device. */
  returnsTo: string | null
  /** The code that the device shows; null if no device waits. */
  userCode: string | null
  /** Null if grants of this client have no team. */
  teams: TeamFieldProps['teams'] | null
  /** A submitted form without a team. */
  refused?: RefusedForm | undefined
  alert?: string | undefined
  account: { email: string; switchAction: string; switchHidden: Record<string, string> }
}

export const ConsentPage = (props: ConsentPageProps) => {
  const { action, hidden, app, isByUrl, clientDescription, clientOrigin, returnsTo, teams, refused, alert, account, userCode } = props
  const canAllow = teams?.length !== 0
  return (
    <PlainLayout
      title={canAllow ? `Allow ${isolateName(app.name)} to access your account?` : `${isolateName(app.name)} needs a team`}
      mark={<AppMark app={app} />}
      alert={alert}
      isRefused={refused !== undefined}
    >
      {!canAllow && !hasTeamNotes(props) && <p>You are not a member of a team. Ask a team owner to invite you.</p>}
      {canAllow && userCode !== null && (
        <>
          <p>Allow access only if you have the device and it shows this code:</p>
          <p class="code">{userCode}</p>
        </>
      )}
      {clientDescription && (
        <p>
          {isByUrl ? (
            <>
              The app calls itself <Name>{clientDescription}</Name>.
            </>
          ) : (
            <bdi>{clientDescription}</bdi>
          )}
        </p>
      )}
      {isByUrl ? <AppLinks {...clientOrigin} /> : <AppOrigin {...clientOrigin} />}
      {canAllow ? <AppNotice {...props} isVerified={clientOrigin.verified} /> : <TeamNotes {...props} look="caution" />}
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
            {teams && (
              <>
                <TeamField {...props} teams={teams} />
                <TeamNotes {...props} look="hint" />
              </>
            )}
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
