import { z } from 'zod'
import { forgottenPasswordAt, forgottenPasswordPath, signInAt } from '../../web/page-paths.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import type { ResultPage } from '../framework/form.ts'
import { text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { RequestPasswordResetDocument } from '../generated/operations.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { typedAddressScript, getKnownAddress } from '../sign-in/known-address.ts'
import { saveReturnAddress } from '../mail-links/link-return-address.ts'

/** Requests the mail whose link lets the user choose a new password. */
export const forgottenPassword = page({
  path: forgottenPasswordPath,
  title: 'Forgot password?',
  isPublic: true,
  scripts: [typedAddressScript],
  forms: {
    ask: form({
      fields: z.object({ email: text }),
      document: RequestPasswordResetDocument,
      variables: (input) => ({ input }),
      onSuccess({ requestPasswordReset: { email } }, ctx) {
        saveReturnAddress(ctx)
        return mailSent(email, readReturnAddress(ctx))
      },
    }),
  },
  view: async (_, ctx) => (
    <>
      <p>Enter the email address of your account. We will send you a link to choose a new password.</p>
      <Form name="ask">
        <Field
          name="email"
          label="Email address"
          noun="your email address"
          inputMode="email"
          autocomplete="username"
          value={await getKnownAddress(ctx)}
          hasFocus
        />
        <Buttons>
          <Button>Send reset link</Button>
        </Buttons>
      </Form>
      <p>
        <a href={signInAt(readReturnAddress(ctx))}>Back to sign in</a>
      </p>
    </>
  ),
})

const mailSent = (email: string, returnTo: string): ResultPage => ({
  title: 'Check your email',
  content: (
    <>
      <p>
        If <StrongAddress>{email}</StrongAddress> has an account, we sent it a link to choose a new password. The link expires in an hour.
      </p>
      <p>
        No email? Check your spam folder, or <a href={forgottenPasswordAt(returnTo)}>try another email address</a>.
      </p>
    </>
  ),
})
