import { z } from 'zod'
import { passkeysPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { checkbox, text } from '../framework/field-types.ts'
import { Field } from '../../web/components/forms/field.tsx'
import { PasskeyRegistrationDocument, RegisterPasskeyDocument } from '../generated/operations.ts'
import { EndOtherSessions } from './end-other-sessions.tsx'
import { PasskeyForm, passkeyScripts } from './passkey-form.tsx'
import { quoteName } from '../../web/display-name.ts'

/** Registers a passkey. */
export const newPasskey = page({
  path: `${passkeysPath}/new`,
  title: 'Add a passkey',
  parent: passkeysPath,
  scripts: passkeyScripts,
  document: PasskeyRegistrationDocument,
  forms: {
    register: form({
      fields: z.object({ name: text, response: text, endOtherSessions: checkbox }),
      document: RegisterPasskeyDocument,
      variables: (input) => ({ input }),
      notice: ({ registerPasskey: { passkey } }) => `The passkey ${quoteName(passkey.name)} was added. You can now sign in with it.`,
      renewsSession: true,
      onSuccess: () => passkeysPath,
    }),
  },
  view: ({ viewer: { passkeyRegistration } }) => (
    <section>
      <p>
        A passkey lets you sign in with your fingerprint, face or PIN instead of your password. It works on this site only, so it cannot be
        phished.
      </p>
      <noscript>
        <p class="alert">Passkeys need JavaScript. Turn it on for this page, or use an authenticator app instead.</p>
      </noscript>
      <PasskeyForm name="register" ceremony="create" options={passkeyRegistration} button="Continue">
        <Field name="name" label="Name" hint="Helps you recognize it, for example the name of the device." />
        <EndOtherSessions />
      </PasskeyForm>
    </section>
  ),
})
