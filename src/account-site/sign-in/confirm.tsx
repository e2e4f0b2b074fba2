import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field, passwordScript } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Name, StrongAddress } from '../../web/components/address.tsx'
import { ConfirmSignInDocument, ConfirmSignInOptionsDocument, ConfirmSignInWithPasskeyDocument } from '../generated/operations.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { text } from '../framework/field-types.ts'
import { hasFormDraft } from '../serving/form-draft.tsx'
import { PasskeyForm, passkeyScripts } from '../security/passkey-form.tsx'
import { Username } from '../security/username.tsx'
import { shownAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import type { PageContext } from '../framework/page-context.ts'
import { ProviderLinks } from '../providers/provider-links.tsx'
import { nextPage } from './next-page.ts'
import { leadFormsToClient } from './requesting-client.ts'

export const addressOrName = ({ person }: PageContext): string => (person ? shownAddress(person.user.email, person.user.name) : '')

/** The forms with which a signed-in user authenticates again. */
export const confirmationForms = {
  confirm: form({
    fields: z.object({ password: text }),
    document: ConfirmSignInDocument,
    variables: (input) => ({ input }),
    onSuccess: ({ confirmSignIn }, ctx) => nextPage(confirmSignIn, ctx),
  }),
  passkey: form({
    fields: z.object({ response: text }),
    document: ConfirmSignInWithPasskeyDocument,
    variables: (input) => ({ input }),
    onSuccess: ({ confirmSignInWithPasskey }, ctx) => nextPage(confirmSignInWithPasskey, ctx),
  }),
}

interface ConfirmationFieldsProps {
  ctx: PageContext
  hasPassword: boolean
  /** The challenge for a passkey; null if the user has none. */
  passkeyConfirmation: string | null | undefined
}

/** The fields of these forms: a password, a passkey, or both. */
export const ConfirmationFields = ({ ctx, hasPassword, passkeyConfirmation = null }: ConfirmationFieldsProps) => (
  <>
    {hasPassword && (
      <Form name="confirm">
        <Username email={ctx.person?.user.email ?? ''} />
        <Field name="password" label="Password" noun="your password" type="password" autocomplete="current-password" hasFocus />
        <Buttons>
          <Button>Continue</Button>
        </Buttons>
      </Form>
    )}
    {passkeyConfirmation !== null && (
      <PasskeyForm name="passkey" ceremony="get" options={passkeyConfirmation} button="Use a passkey">
        {hasPassword && <p class="or">or</p>}
      </PasskeyForm>
    )}
  </>
)

/** Returns the team that the user opens afterwards and whose owners ended the session there, if any. */
function findTeamOfEndedSession(ctx: PageContext) {
  const { pathname } = new URL(readReturnAddress(ctx), ctx.site.authUrl)
  return ctx.teamsOfEndedSession.find(({ team: { slug } }) => `${pathname}/`.startsWith(`/teams/${slug}/`))
}

/** Requests the password of a signed-in user again, before operations that require a recent sign-in. */
export const confirm = page({
  path: '/confirm',
  title: (_, ctx) => (findTeamOfEndedSession(ctx) ? 'Sign in again to open this team' : 'Confirm it’s you'),
  scripts: [...passkeyScripts, passwordScript],
  document: ConfirmSignInOptionsDocument,
  forms: confirmationForms,
  async view({ viewer: { hasPassword, passkeyConfirmation, confirmationProviders } }, ctx) {
    await leadFormsToClient(ctx)
    const closed = findTeamOfEndedSession(ctx)
    return (
      <section>
        {closed ? (
          <p>
            An owner of the team <Name>{closed.team.name}</Name> ended your sessions in it. You are still signed in as{' '}
            <StrongAddress>{addressOrName(ctx)}</StrongAddress>, and your other teams and your account stay open.
          </p>
        ) : (
          <p>
            You are signed in as <StrongAddress>{addressOrName(ctx)}</StrongAddress>. We ask you to confirm this before you change who has
            access. Afterwards, you return to the page where you were.
          </p>
        )}
        {hasFormDraft(ctx) && <p>What you entered is kept. Afterwards, check the form and submit it.</p>}
        <ProviderLinks providers={confirmationProviders} returnTo={readReturnAddress(ctx)} purpose="confirm" isUsual={!hasPassword} />
        <ConfirmationFields ctx={ctx} hasPassword={hasPassword} passkeyConfirmation={passkeyConfirmation} />
        {!hasPassword && passkeyConfirmation === null && confirmationProviders.length === 0 && (
          <p>Your account has no password or passkey that could confirm it. Sign out, and sign in again as you usually do.</p>
        )}
        <p>
          <a href="/">Cancel</a>
        </p>
      </section>
    )
  },
})
