import { StrongAddress } from '../../web/components/address.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { HiddenFields } from '../../web/components/forms/form.tsx'
import { PlainLayout } from '../../web/layout.tsx'

interface NotPublishedPageProps {
  /** Host of a client by URL; null for a draft. */
  host: string | null
  account: { email: string; switchAction: string; switchHidden: Record<string, string> }
}

/**
 * The page for a user who is not a member of the team of a draft, or of a team that allows the host of a client by URL. It shows no text of
 * the app, which the user may have no reason to trust, and does not lead to the app.
 */
export const NotPublishedPage = ({ host, account: { email, switchAction, switchHidden } }: NotPublishedPageProps) => (
  <PlainLayout title={host === null ? 'This app is not published yet' : 'Your teams do not allow this app'}>
    {host === null ? (
      <p>
        Only members of the team that develops the app can connect it. You are signed in as <StrongAddress>{email}</StrongAddress>, which is
        not an account of that team. Nothing was shared with the app.
      </p>
    ) : (
      <p>
        The app belongs to <StrongAddress>{host}</StrongAddress>. An owner of your team can allow this host on the page Agents of the team,
        under Developers. You are signed in as <StrongAddress>{email}</StrongAddress>. Nothing was shared with the app.
      </p>
    )}
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
