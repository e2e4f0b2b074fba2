import { z } from 'zod'
import { forgottenPasswordPath, signInPath } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import type { Shown } from '../declaration.ts'
import { text } from '../fields.ts'
import { Button, Buttons, Field, Form } from '../form.tsx'
import { RequestPasswordResetDocument } from '../generated/operations.ts'
import { Name } from '../page.tsx'
import { countAsking } from './count-asking.ts'

/** Where somebody asks for the mail under which a new password is chosen. */
export const forgottenPassword = page({
  path: forgottenPasswordPath,
  title: 'Forgotten password',
  for: 'anyone',
  forms: {
    ask: form({
      fields: z.object({ email: text }),
      guard: countAsking,
      document: RequestPasswordResetDocument,
      variables: (input) => ({ input }),
      done: ({ requestPasswordReset: { email } }) => mailSent(email),
    }),
  },
  view: () => (
    <>
      <p>Say which address your account has. You get a mail with a link under which you choose a new password.</p>
      <Form name="ask">
        <Field name="email" label="Email address" inputMode="email" autocomplete="username" />
        <Buttons>
          <Button>Send the mail</Button>
        </Buttons>
      </Form>
      <p>
        <a href={signInPath}>Back to sign in</a>
      </p>
    </>
  ),
})

const mailSent = (email: string): Shown => ({
  title: 'Look into your mailbox',
  content: (
    <>
      <p>
        If <Name>{email}</Name> is the address of an account, a mail is on its way.
      </p>
      <p>
        Nothing came? Look among the unwanted mails, or <a href={forgottenPasswordPath}>try another address</a>.
      </p>
    </>
  ),
})
