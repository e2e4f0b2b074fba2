import { z } from 'zod'
import { forgottenPasswordAt, forgottenPasswordPath, returnOf, signInAt } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import type { Shown } from '../declaration.ts'
import { text } from '../fields.ts'
import { Button, Buttons, Field, Form } from '../form.tsx'
import { RequestPasswordResetDocument } from '../generated/operations.ts'
import { Name } from '../page.tsx'
import { countAsking } from './count-asking.ts'
import { keepReturn } from './kept-return.ts'

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
      done({ requestPasswordReset: { email } }, visit) {
        keepReturn(visit)
        return mailSent(email, returnOf(visit))
      },
    }),
  },
  view: (_, visit) => (
    <>
      <p>Say which address your account has. You get a mail with a link under which you choose a new password.</p>
      <Form name="ask">
        <Field name="email" label="Email address" inputMode="email" autocomplete="username" />
        <Buttons>
          <Button>Send the mail</Button>
        </Buttons>
      </Form>
      <p>
        <a href={signInAt(returnOf(visit))}>Back to sign in</a>
      </p>
    </>
  ),
})

const mailSent = (email: string, returnTo: string): Shown => ({
  title: 'Look into your mailbox',
  content: (
    <>
      <p>
        If <Name>{email}</Name> is the address of an account, a mail is on its way.
      </p>
      <p>
        Nothing came? Look among the unwanted mails, or <a href={forgottenPasswordAt(returnTo)}>try another address</a>.
      </p>
    </>
  ),
})
