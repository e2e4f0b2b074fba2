import { z } from 'zod'
import { securityPath } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import { text } from '../fields.ts'
import { Button, Buttons, Form } from '../form.tsx'
import { ChangePasswordDocument } from '../generated/operations.ts'
import { NewPasswordField } from './new-password-field.tsx'

/** Where somebody who has just shown who they are chooses a new password, or their first. */
export const password = page({
  path: '/account/password',
  title: 'Choose a new password',
  recentSignIn: true,
  forms: {
    change: form({
      fields: z.object({ newPassword: text }),
      document: ChangePasswordDocument,
      variables: (input) => ({ input }),
      notice: 'Your password was changed. All other browsers were signed out.',
      renews: true,
      done: () => securityPath,
    }),
  },
  view: (_, { person }) => (
    <>
      <p>All other browsers in which you are signed in are signed out.</p>
      <Form name="change">
        <NewPasswordField name="newPassword" label="New password" email={person?.user.email ?? ''} />
        <Buttons>
          <Button>Change the password</Button>
        </Buttons>
      </Form>
    </>
  ),
})
