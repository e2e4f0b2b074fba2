import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import type { SecurityQuery } from '../generated/operations.ts'
import { Name } from '../../web/components/name.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { EndOtherSessions } from './end-other-sessions.tsx'
import { Day } from '../../web/components/time.tsx'

type Passkey = SecurityQuery['viewer']['passkeys'][number]

interface PasskeysProps {
  passkeys: readonly Passkey[]
  /** Identifier of the passkey whose new name was refused; its form is open. */
  openId: unknown
}

/** The passkeys of the signed-in user. */
export const Passkeys = ({ passkeys, openId }: PasskeysProps) => (
  <section>
    <h2>Passkeys</h2>
    {passkeys.length === 0 ? (
      <p class="empty">No passkeys yet. A passkey lets you sign in with your fingerprint, face or PIN instead of your password.</p>
    ) : (
      <ul class="entries" id="passkeys">
        {passkeys.map((passkey) => (
          <Entry {...passkey} isOpen={passkey.id === openId} />
        ))}
      </ul>
    )}
    <p>
      <a class="button second" href="/security/passkeys/new">
        Add a passkey
      </a>
    </p>
  </section>
)

const Entry = ({ id, name, isBackedUp, createdAt, lastUsedAt, isOpen }: Passkey & { isOpen: boolean }) => (
  <li>
    <div>
      <Name>{name}</Name> {isBackedUp && <span class="badge">Synced</span>}
      <p class="hint">
        Added <Day at={createdAt} />, last used <Day at={lastUsedAt} />
      </p>
    </div>
    <div>
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
