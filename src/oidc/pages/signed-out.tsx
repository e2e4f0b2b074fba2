import { StrongAddress, Name } from '../../web/components/address.tsx'
import { AppMark } from '../../web/components/app-mark.tsx'
import type { MarkedApp } from '../../web/components/app-mark.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { HiddenFields } from '../../web/components/forms/form.tsx'
import { PlainLayout } from '../../web/layout.tsx'

interface SignOutPageProps {
  action: string
  hidden: Record<string, string>
  /** The app that requested the logout; undefined without one. */
  app: MarkedApp | undefined
  email: string | undefined
}

export const SignOutPage = ({ action, hidden, app, email }: SignOutPageProps) => (
  <PlainLayout title="Sign out?" mark={app && <AppMark app={app} />}>
    {app && (
      <p>
        <Name>{app.name}</Name> asks if you also want to sign out here.
      </p>
    )}
    {email !== undefined && (
      <p>
        Signed in as <StrongAddress>{email}</StrongAddress>
      </p>
    )}
    <form method="post" action={action}>
      <HiddenFields fields={hidden} />
      <Buttons>
        <Button name="logout" value="yes">
          Sign out
        </Button>
        <Button kind="second">Stay signed in</Button>
      </Buttons>
    </form>
  </PlainLayout>
)

export const SignedOutPage = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <PlainLayout title={isSignedIn ? 'You are still signed in' : 'You are signed out'}>
    <p>You can close this page.</p>
    {isSignedIn && (
      <Buttons>
        <a class="button" href="/">
          Go to your account
        </a>
      </Buttons>
    )}
  </PlainLayout>
)
