import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Name } from '../../web/components/address.tsx'
import { ListCard } from '../../web/components/lists/list-card.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Day } from '../../web/components/time.tsx'
import { quoteName } from '../../web/display-name.ts'
import { passkeysPath, securityPath } from '../../web/page-paths.ts'
import { checkbox, text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import {
  DeletePasskeyDocument,
  PasskeysDocument,
  RenamePasskeyDocument,
  PasskeyRegistrationDocument,
  RegisterPasskeyDocument,
} from '../generated/operations.ts'
import type { PasskeysQuery } from '../generated/operations.ts'
import { EndOtherSessions } from './end-other-sessions.tsx'
import { PasskeyForm, passkeyScripts } from './passkey-form.tsx'

const byId = z.object({ id: text })

/** The passkeys of the signed-in user. */
export const passkeys = page({
  path: passkeysPath,
  title: 'Passkeys',
  parent: securityPath,
  document: PasskeysDocument,
  forms: {
    rename: form({
      fields: byId.extend({ name: text }),
      document: RenamePasskeyDocument,
      variables: (input) => ({ input }),
      notice: ({ renamePasskey: { passkey } }) => `The passkey is now called ${quoteName(passkey.name)}.`,
    }),
    delete: form({
      fields: byId.extend({ endOtherSessions: checkbox }),
      document: DeletePasskeyDocument,
      variables: (input) => ({ input }),
      notice: ({ deletePasskey: { passkey } }) => `The passkey ${quoteName(passkey.name)} was deleted. Also remove it from your device.`,
      renewsSession: true,
    }),
  },
  view: ({ viewer: { passkeys } }, { refused }) => (
    <ListCard
      id="passkeys"
      total={passkeys.length}
      noun={['passkey', 'passkeys']}
      action={
        <a class="button" href={`${passkeysPath}/new`}>
          Add a passkey
        </a>
      }
      empty="A passkey lets you sign in with your fingerprint, face or PIN instead of your password."
    >
      {passkeys.map((passkey) => (
        // The entry is open if its new name was refused.
        <Entry {...passkey} isOpen={refused?.name === 'rename' && refused.values['id'] === passkey.id} />
      ))}
    </ListCard>
  ),
})

type Passkey = PasskeysQuery['viewer']['passkeys'][number]

const Entry = ({ id, name, isBackedUp, createdAt, lastUsedAt, isOpen }: Passkey & { isOpen: boolean }) => (
  <li>
    <div>
      <Name>{name}</Name> {isBackedUp && <span class="badge">Synced</span>}
      <p class="hint">
        Added <Day at={createdAt} />,{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <Day at={lastUsedAt} />
          </>
        )}
      </p>
    </div>
    <div class="row-actions">
      <details open={isOpen}>
        <summary>
          Rename
          <span class="visually-hidden">
            {' '}
            <bdi>{name}</bdi>
          </span>
        </summary>
        <Form name="rename" hidden={{ id }}>
          <Field id={`name-${id}`} name="name" label="New name" value={name} />
          <Buttons>
            <Button kind="second">Rename</Button>
          </Buttons>
        </Form>
      </details>
      <ConfirmDialog
        summary="Delete"
        objectName={name}
        form="delete"
        hidden={{ id }}
        button="Delete passkey"
        fields={<EndOtherSessions of={id} />}
      >
        You can no longer sign in with this passkey.
      </ConfirmDialog>
    </div>
  </li>
)

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
