import { StrongAddress } from '../../web/components/address.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { HiddenFields } from '../../web/components/forms/form.tsx'
import { PlainLayout } from '../../web/layout.tsx'

interface NotPublishedPageProps {
  account: { email: string; switchAction: string; switchHidden: Record<string, string> }
}

/**
 * The page for a user who is not a member of a draft's team. It shows no text of that team, which the user may have no reason to trust, and
 * does not lead to the app.
 */
export const NotPublishedPage = ({ account: { email, switchAction, switchHidden } }: NotPublishedPageProps) => (
  <PlainLayout title="This app is not published yet">
    <p>
      Only members of the team that develops the app can connect it. You are signed in as <StrongAddress>{email}</StrongAddress>, which is
      not an account of that team. Nothing was shared with the app.
    </p>
    <form method="post" action={switchAction}>
      <HiddenFields fields={switchHidden} />
      <Buttons>
        <Button>Use another account</Button>
        <a class="button second" href="/">
          Go to the start page
        </a>
      </Buttons>
    </form>
  </PlainLayout>
)
