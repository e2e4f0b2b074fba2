import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field, passwordScript } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { StrongAddress } from '../../web/components/address.tsx'
import { ConfirmSignInDocument, ConfirmSignInOptionsDocument, ConfirmSignInWithPasskeyDocument } from '../generated/operations.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { text } from '../framework/field-types.ts'
import { PasskeyForm, passkeyScripts } from '../security/passkey-form.tsx'
import { Username } from '../security/username.tsx'
import { nextPage } from './next-page.ts'

/** Requests the password of a signed-in user again, before operations that require a recent sign-in. */
export const confirm = page({
  path: '/confirm',
  title: 'Confirm it’s you',
  scripts: [...passkeyScripts, passwordScript],
  document: ConfirmSignInOptionsDocument,
  forms: {
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
  },
  view: ({ viewer: { passkeyConfirmation } }, { person }) => (
    <>
      <p>
        You are signed in as <StrongAddress>{person?.user.email ?? ''}</StrongAddress>. To continue, enter your password
        {passkeyConfirmation !== null && ' or use a passkey'}.
      </p>
      <Form name="confirm">
        <Username email={person?.user.email ?? ''} />
        <Field name="password" label="Password" noun="your password" type="password" autocomplete="current-password" />
        <Buttons>
          <Button>Continue</Button>
        </Buttons>
      </Form>
      {passkeyConfirmation !== null && <PasskeyForm name="passkey" ceremony="get" options={passkeyConfirmation} button="Use a passkey" />}
    </>
  ),
})
