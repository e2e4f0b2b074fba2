import { Button, Buttons, Field, Form } from '../form.tsx'
import type { SecurityQuery } from '../generated/operations.ts'
import { Name } from '../page.tsx'
import { Sure } from '../sure.tsx'
import { Day } from '../time.tsx'

type Passkey = SecurityQuery['viewer']['passkeys'][number]

interface PasskeysProps {
  passkeys: readonly Passkey[]
  /** The passkey whose new name was refused. */
  openId: unknown
}

/** What signs in without the password. */
export const Passkeys = ({ passkeys, openId }: PasskeysProps) => (
  <section>
    <h2>Passkeys</h2>
    {passkeys.length === 0 ? (
      <p class="empty">You have none. A passkey signs you in by fingerprint, face or PIN, without your password.</p>
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
      <Name>{name}</Name> {isBackedUp && <span class="badge">Synchronised</span>}
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
      <Sure summary="Delete" of={name} form="delete" hidden={{ id }} button="Yes, delete it">
        You can no longer sign in with it, and would have to add another.
      </Sure>
    </div>
  </li>
)
