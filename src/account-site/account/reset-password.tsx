import { z } from 'zod'
import { signInAt } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import { text } from '../fields.ts'
import { Button, Buttons, Form } from '../form.tsx'
import { ResetPasswordDocument } from '../generated/operations.ts'
import { aboutSecret, forgetSecret, keptSecret } from '../kept-secret.ts'
import { Name } from '../page.tsx'
import { landingPath, linkOf, needsLink } from './kept-link.ts'
import { forgetReturn, keptReturn } from './kept-return.ts'
import { NewPasswordField } from './new-password-field.tsx'

const kind = 'reset_password'

/** Where the link of a mail lets somebody choose a new password. */
export const resetPassword = page({
  path: landingPath[kind],
  title: 'Choose a new password',
  for: 'anyone',
  before: needsLink(kind),
  about: aboutSecret(kind),
  forms: {
    reset: form({
      fields: z.object({ password: text }),
      document: ResetPasswordDocument,
      variables: ({ password }, { cookies }) => ({ input: { password, token: keptSecret(cookies, kind) } }),
      notice: 'Your password was changed. Sign in with the new one.',
      async done({ resetPassword: { email } }, visit) {
        const returnTo = keptReturn(visit)
        forgetReturn(visit)
        forgetSecret(visit.cookies, kind)
        // Somebody may have guessed at the old one, to keep its owner out.
        await visit.site.guesses.signInAccount.clear(email)
        return signInAt(returnTo)
      },
    }),
  },
  view(_, visit) {
    const { email } = linkOf(visit)
    return (
      <>
        <p>
          For the account of <Name>{email}</Name>. It is signed out in every browser, and you sign in with the new password.
        </p>
        <Form name="reset">
          <NewPasswordField name="password" label="New password" email={email} />
          <Buttons>
            <Button>Change the password</Button>
          </Buttons>
        </Form>
      </>
    )
  },
})
