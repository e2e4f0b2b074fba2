import { z } from 'zod'
import { securityPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { checkbox, text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { ChangePasswordDocument } from '../generated/operations.ts'
import { NewPasswordField, newPasswordScripts, passwordStrength } from '../passwords/new-password.tsx'
import { RevokePersonalTokens } from '../security/end-other-sessions.tsx'

/** Sets a new or the first password after a recent sign-in. */
export const password = page({
  path: '/account/password',
  title: 'Password',
  parent: securityPath,
  recentSignIn: true,
  scripts: newPasswordScripts,
  forms: {
    change: form({
      fields: z.object({ newPassword: text, revokePersonalTokens: checkbox }),
      document: ChangePasswordDocument,
      variables: (input) => ({ input }),
      notice: 'Your password was changed. All other browsers were signed out.',
      renewsSession: true,
      onSuccess: () => securityPath,
    }),
    strength: passwordStrength((typed, { person }) => person?.user ?? typed),
  },
  view: (_, { person }) => (
    <>
      <p>You will be signed out in all other browsers.</p>
      <Form name="change">
        <NewPasswordField name="newPassword" label="New password" email={person?.user.email ?? ''} hasFocus />
        <RevokePersonalTokens />
        <Buttons>
          <Button>Change password</Button>
        </Buttons>
      </Form>
    </>
  ),
})
