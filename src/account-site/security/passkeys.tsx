import { Button, Buttons, Field, Form } from '../form.tsx'
import type { SecurityQuery } from '../generated/operations.ts'
import { Name } from '../page.tsx'
import { Day } from '../time.tsx'

interface PasskeysProps {
  passkeys: SecurityQuery['viewer']['passkeys']
  /** The passkey that a refused form was about. */
  openId: unknown
}

/** What signs in without the password. */
export const Passkeys = ({ passkeys, openId }: PasskeysProps) => (
  <section>
    <h2 id="passkeys">Passkeys</h2>
    {passkeys.length === 0 ? (
      <p class="empty">You have none. A passkey signs you in by fingerprint, face or PIN, without your password.</p>
    ) : (
      <div class="table" tabIndex={0} role="region" aria-labelledby="passkeys">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Added</th>
              <th scope="col">Last used</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {passkeys.map(({ id, name, isBackedUp, createdAt, lastUsedAt }) => (
              <tr>
                <th scope="row">
                  <Name>{name}</Name> {isBackedUp && <span class="badge">Synchronised</span>}
                </th>
                <td>
                  <Day at={createdAt} />
                </td>
                <td>
                  <Day at={lastUsedAt} />
                </td>
                <td>
                  <details open={id === openId}>
                    <summary>Rename or delete</summary>
                    <Form name="rename" hidden={{ id }}>
                      <Field id={`name-${id}`} name="name" label="New name" value={name} />
                      <Buttons>
                        <Button kind="second">Rename</Button>
                      </Buttons>
                    </Form>
                    <Form name="delete" hidden={{ id }}>
                      <Button kind="danger">Delete</Button>
                    </Form>
                  </details>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
    <p>
      <a href="/security/passkeys/new">Add a passkey</a>
    </p>
  </section>
)
