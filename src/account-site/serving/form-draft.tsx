import { z } from 'zod'
import { DomainError } from '../../../schema/core/errors.ts'
import { refusedForm } from '../../web/components/forms/form.tsx'
import type { RefusedForm } from '../../web/components/forms/form.tsx'
import type { PageContext } from '../framework/page-context.ts'
import type { FormTokens } from './form-tokens.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { PlainLayout } from '../../web/layout.tsx'
import { accountPath } from '../../web/page-paths.ts'
import { sendPage } from '../../web/send-page.tsx'

// A form that was submitted without a session, or without the recent sign-in that it needs, is stored in an encrypted cookie during the
// sign-in or the confirmation of the password. The page then shows it again, so that the user need not fill it in twice and sees that it
// was not submitted yet.

const cookieName = 'form-draft'
const cookieSeconds = 900
// Browsers store about 4,000 characters of a cookie. Encryption makes the text longer by half.
const maxCharacters = 2500

/** Returns true for fields that are not part of the user's input. */
const isOwnField = (field: string) => field !== 'csrf' && field !== 'draft' && field !== 'form'
/** Returns true for files, which are never shown again, because browsers let only the user choose one. */
const isFile = (value: unknown) => value instanceof Buffer
const isSecret = (field: string) => /password|code/i.test(field)

const formDraft = z.object({ path: z.string(), token: z.string(), form: z.string(), values: z.record(z.string(), z.unknown()) })

interface Submitted extends Record<string, unknown> {
  form: string
  /** Token of the form for drafts. */
  draft: string
}

/** Returns the user's input without secrets. */
export const keptValues = (submitted: Submitted): Record<string, unknown> =>
  Object.fromEntries(Object.entries(submitted).filter(([field, value]) => isOwnField(field) && !isSecret(field) && !isFile(value)))

/** Stores a submitted form without its secrets. Returns false if it is too long for a cookie. */
function saveFormDraft({ cookies, path }: PageContext, submitted: Submitted): boolean {
  const { form, draft: token } = submitted
  const text = JSON.stringify({ path, token, form, values: keptValues(submitted) } satisfies z.input<typeof formDraft>)
  if (text.length > maxCharacters) return false
  if (token !== '') cookies.set(cookieName, text, cookieSeconds)
  return true
}

/** Returns true if a form is stored. */
export const hasFormDraft = ({ cookies }: PageContext): boolean => cookies.get(cookieName) !== undefined

/**
 * Returns and deletes the stored form if it belongs to this page, or null. The token proves that the form was shown to this
 * user: neither another user who signs in nor a page of another site can fill in a form this way.
 */
export function takeFormDraft({ cookies, path }: PageContext, tokens: Pick<FormTokens, 'isOwnDraft'>): RefusedForm | null {
  const text = cookies.get(cookieName)
  const draft = text === undefined ? undefined : formDraft.safeParse(JSON.parse(text)).data
  if (draft?.path !== path) return null
  cookies.clear(cookieName)
  if (!tokens.isOwnDraft(draft.token, draft.form)) return null
  const error = new DomainError('recent_sign_in_required', 'Your changes are not saved yet. Check them and submit again.')
  return refusedForm(draft.form, draft.values, error)
}

/**
 * Stores a submitted form while the user signs in or confirms the password, at the address that `pageAt` returns. If the form is too long
 * for a cookie, the fields of a page contain it, from which the user signs in in another tab. Returns true if it sent that page.
 */
export function keepForm(ctx: PageContext, submitted: Submitted, pageAt: (returnAddress: string) => string): boolean {
  if (saveFormDraft(ctx, submitted)) return false
  sendPage(ctx.response, 403, <KeptForm action={ctx.url} signIn={pageAt(accountPath)} submitted={submitted} />)
  return true
}

interface KeptFormProps {
  action: string
  /** Address of the sign-in page, which opens in another tab. */
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
    {/* The form contains no valid CSRF token, so it is shown again instead of executed. */}
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
