import { Button, Buttons } from './form.tsx'
import { Hidden, Name, Page } from './page.tsx'

interface SignOut {
  action: string
  hidden: Record<string, string>
  /** The client that asks, where one does. */
  clientName: string | undefined
}

export const SignOutPage = ({ action, hidden, clientName }: SignOut) => (
  <Page title="Sign out?">
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
  </Page>
)

export const SignedOutPage = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <Page title={isSignedIn ? 'You are still signed in' : 'You are signed out'}>
    <p>You can close this page.</p>
  </Page>
)
