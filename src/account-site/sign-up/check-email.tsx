import { z } from 'zod'
import { checkEmailPath, signInAt, signUpAt } from '../../web/page-paths.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { StrongAddress } from '../../web/components/address.tsx'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { findSignUp } from '../framework/pending-sign-up.ts'
import { ResendSignUpDocument } from '../generated/operations.ts'
import { againParameter } from './sign-up.tsx'

/** Waits for the user to open the link in the sign-up email. It looks the same if the address has an account already. */
export const checkEmail = page({
  path: checkEmailPath,
  title: 'Check your email',
  isPublic: true,
  // Someone has signed in since, in another tab, or the sign-up has expired.
  load: (ctx) => (ctx.person ? readReturnAddress(ctx) : (findSignUp(ctx.cookies) ?? signUpAt(readReturnAddress(ctx)))),
  forms: {
    resend: form({
      fields: z.object({}),
      document: ResendSignUpDocument,
      variables: () => ({}),
      notice: ({ resendSignUp: { email } }) => `We sent another email to ${email}. Its link replaces the previous one.`,
    }),
  },
  view: ({ email }, ctx) => (
    <>
      <p>
        We sent an email to <StrongAddress>{email}</StrongAddress>. Open the link in it to continue. In this browser it also signs you in.
      </p>
      <p class="hint">No email after a few minutes? Check your spam folder. If you already have an account, the email says so.</p>
      <Form name="resend">
        <Buttons>
          <Button kind="second">Send the email again</Button>
        </Buttons>
      </Form>
      <p>
        Wrong email address? <a href={`${signUpAt(readReturnAddress(ctx))}&${againParameter}=1`}>Change it</a>
      </p>
      <p>
        Already have an account? <a href={signInAt(readReturnAddress(ctx))}>Sign in</a>
      </p>
    </>
  ),
})
