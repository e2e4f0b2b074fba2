import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Name } from '../../web/components/address.tsx'
import { isolateName } from '../../web/display-name.ts'
import { passkeysPath, providerSignInAt } from '../../web/page-paths.ts'
import type { SignInRequirementQuery } from '../generated/operations.ts'

type Preview = SignInRequirementQuery['team']['signInRequirementPreviews'][number]

interface RequireThroughProps {
  providerId: string
  name: string
  preview: Preview | undefined
  /** The page to which a sign-in returns. */
  path: string
}

/** The form that requires sign-in through a provider. It shows the consequences in numbers before anything changes. */
export const RequireThrough = ({ providerId, name, preview, path }: RequireThroughProps) =>
  !preview ? null : preview.viewerWouldLoseAccess ? (
    <>
      <p>
        First sign in through <Name>{name}</Name> yourself, so that you keep your access to the team.
      </p>
      <Buttons>
        <a class="button" href={providerSignInAt(providerId, path)}>
          Sign in through {isolateName(name)}
        </a>
      </Buttons>
    </>
  ) : (
    <>
      {!preview.viewerHasPasskey && (
        <p>
          <a href={passkeysPath}>Add a passkey to your account</a> first. With it, you can open the team if <Name>{name}</Name> fails.
        </p>
      )}
      <ConfirmDialog
        summary={`Require sign-in through ${isolateName(name)}…`}
        form="require"
        hidden={{ providerId }}
        button="Require sign-in"
        fields={
          <Field
            name="graceDays"
            label="Grace period in days"
            noun="a number of days from 0 to 99"
            inputMode="numeric"
            value="14"
            maxLength={2}
            hint={preview.withoutSignIn === 0 ? 'With 0, sign-in is required immediately.' : 'With 0, they lose access immediately.'}
          />
        }
      >
        {consequences(preview)} {preview.viewerHasPasskey && 'You can open the team with your passkey if the identity provider fails.'}
      </ConfirmDialog>
    </>
  )

/** Returns a text such as `63 members are affected and get an email. 62 of them have not signed in there: …` */
function consequences({ members, withoutSignIn }: Preview): string {
  if (members === 0) return 'No members are affected at the moment.'
  const concerned =
    members === 1 ? '1 member is affected and gets an email.' : `${members.toLocaleString('en')} members are affected and get an email.`
  if (withoutSignIn === 0) return `${concerned} All of them have signed in there.`
  const lacking = withoutSignIn === 1 ? '1 of them has' : `${withoutSignIn.toLocaleString('en')} of them have`
  return `${concerned} ${lacking} not signed in there and will have no access to the team after the grace period until they do.`
}
