import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { PlainLayout } from '../../web/layout.tsx'
import { accountPath } from '../../web/page-paths.ts'
import { sendPage } from '../../web/send-page.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { keptValues, saveFormDraft } from './form-draft.ts'
import type { Submitted } from './form-draft.ts'

/**
 * Keeps a submitted form while the user signs in or confirms the password, at the address that `pageAt` returns. A form that is too
 * long for a cookie is kept in the fields of a page, from which the user signs in in another tab. Returns true if it sent that page.
 */
export function keepForm(ctx: PageContext, submitted: Submitted, pageAt: (returnAddress: string) => string): boolean {
  if (saveFormDraft(ctx, submitted)) return false
  sendPage(ctx.response, 403, <KeptForm action={ctx.url} signIn={pageAt(accountPath)} submitted={submitted} />)
  return true
}

interface KeptFormProps {
  action: string
  /** The page that opens in another tab. */
  signIn: string
  submitted: Submitted
}

const KeptForm = ({ action, signIn, submitted }: KeptFormProps) => (
  <PlainLayout title="Your changes are not saved yet">
    <p>You have to sign in again before we can save them. Leave this page open: it keeps what you entered.</p>
    <p>
      <a class="button" href={signIn} target="_blank" rel="noopener">
        Sign in in a new tab
      </a>
    </p>
    {/* Contains no valid CSRF token: the form is shown again instead of executed. */}
    <form method="post" action={action}>
      {[...Object.entries(keptValues(submitted)), ['form', submitted.form], ['draft', submitted.draft]].flatMap(([name, value]) =>
        [value].flat().map((each) => <input type="hidden" name={name} value={String(each)} />),
      )}
      <p>Then come back to this page and continue.</p>
      <Buttons>
        <Button kind="second">Continue</Button>
      </Buttons>
    </form>
  </PlainLayout>
)
