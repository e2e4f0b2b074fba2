import { z } from 'zod'
import { securityPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { text } from '../framework/field-types.ts'
import { Field } from '../../web/components/field.tsx'
import { PasskeyRegistrationDocument, RegisterPasskeyDocument } from '../generated/operations.ts'
import { PasskeyForm, passkeyScripts } from './passkey-form.tsx'

/** Registers a passkey. */
export const newPasskey = page({
  path: '/security/passkeys/new',
  title: 'Add a passkey',
  scripts: passkeyScripts,
  document: PasskeyRegistrationDocument,
  forms: {
    register: form({
      fields: z.object({ name: text, response: text }),
      document: RegisterPasskeyDocument,
      variables: (input) => ({ input }),
      notice: 'The passkey was added. You can sign in with it.',
      renewsSession: true,
      onSuccess: () => securityPath,
    }),
  },
  view: ({ viewer: { passkeyRegistration } }) => (
    <section>
      <p>
        A passkey signs you in without your password: by your fingerprint, face or PIN, on this device or on a security key. It works at
        this site alone, so nobody can trick you out of it.
      </p>
      <noscript>
        <p class="alert">
          Browsers make passkeys only by JavaScript. Turn it on for this page, or use an authenticator application instead.
        </p>
      </noscript>
      <PasskeyForm name="register" ceremony="create" options={passkeyRegistration} button="Continue">
        <Field name="name" label="Name" hint="What you will know it by, such as the device it is on." />
      </PasskeyForm>
    </section>
  ),
})
