import { z } from 'zod'
import { invitationPath, signInAt, signUpPath } from '../../web/page-paths.ts'
import { returnOf } from '../../web/return-address.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import type { ResultPage } from '../framework/form.ts'
import { text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field, passwordScript } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { SignUpDocument } from '../generated/operations.ts'
import { findPendingInvitation } from '../invitations/open-invitation.ts'
import { savedLinkSecret } from '../mail-links/link-secret.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { NewPasswordField } from './new-password-field.tsx'

/** Creates an account. The response is the same if the address has an account already. */
export const signUp = page({
  path: signUpPath,
  title: 'Create your account',
  isPublic: true,
  scripts: [passwordScript],
  redirectBefore: ({ person }) => (person ? '/' : undefined),
  forms: {
    'sign-up': form({
      fields: z.object({ name: text, email: text, password: text }),
      document: SignUpDocument,
      variables: ({ name, email, password }, { cookies }) => ({
        input: { name, email, password, invitation: savedLinkSecret(cookies, 'INVITATION') || null },
      }),
      // The secret of an invitation proves that the address belongs to the user; no verification mail is sent.
      notice: 'Sign in to continue. If you already had an account, nothing was changed; check your email.',
      async onSuccess({ signUp: { email } }, ctx) {
        const invitation = await findPendingInvitation(ctx)
        return invitation?.email === email ? signInAt(invitationPath) : mailSent(email, returnOf(ctx))
      },
    }),
  },
  async view(_, ctx) {
    const invitation = await findPendingInvitation(ctx)
    const returnTo = returnOf(ctx)
    if (ctx.site.signUp === 'invited' && !invitation) return <ByInvitation returnTo={returnTo} />
    return (
      <>
        {ctx.refused?.error?.details.errors?.['invitation'] && invitation && (
          <p>
            The invitation was sent to <StrongAddress>{invitation.email}</StrongAddress>.
          </p>
        )}
        <Form name="sign-up">
          <Field name="name" label="Name" autocomplete="name" hint="Shown to the members of your teams." />
          <Field name="email" label="Email address" inputMode="email" autocomplete="username" value={invitation?.email ?? ''} />
          <NewPasswordField name="password" label="Password" />
          <Buttons>
            <Button>Create account</Button>
          </Buttons>
        </Form>
        <p>
          Already have an account? <a href={signInAt(invitation ? invitationPath : returnTo)}>Sign in</a>
        </p>
      </>
    )
  },
})

const ByInvitation = ({ returnTo }: { returnTo: string }) => (
  <p>
    You need an invitation to create an account. Ask an owner of a team to invite you. Already have an account?{' '}
    <a href={signInAt(returnTo)}>Sign in</a>
  </p>
)

const mailSent = (email: string, returnTo: string): ResultPage => ({
  title: 'Check your email',
  content: (
    <>
      <p>
        We sent an email to <StrongAddress>{email}</StrongAddress>. Open the link in it to verify your address. If the address already has
        an account, the email says so, and nothing was changed.
      </p>
      <p>
        <a href={signInAt(returnTo)}>Sign in</a>
      </p>
    </>
  ),
})
