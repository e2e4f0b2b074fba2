import { Button, Buttons } from './form.tsx'
import { Hidden, Name, PlainFrame } from './page.tsx'

interface SignOut {
  action: string
  hidden: Record<string, string>
  /** The client that asks, where one does. */
  clientName: string | undefined
}

export const SignOutPage = ({ action, hidden, clientName }: SignOut) => (
  <PlainFrame title="Sign out?">
    {clientName && (
      <p>
        <Name>{clientName}</Name> asks whether you want to sign out here too.
      </p>
    )}
    <form method="post" action={action}>
      <Hidden fields={hidden} />
      <Buttons>
        <Button name="logout" value="yes">
          Sign out
        </Button>
        <Button kind="second">Stay signed in</Button>
      </Buttons>
    </form>
  </PlainFrame>
)

export const SignedOutPage = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <PlainFrame title={isSignedIn ? 'You are still signed in' : 'You are signed out'}>
    <p>You can close this page.</p>
  </PlainFrame>
)
