import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import type { SecurityQuery } from '../generated/operations.ts'
import { Day, RelativeTime } from '../../web/components/time.tsx'

type Session = SecurityQuery['viewer']['sessions'][number]

interface SessionsProps {
  sessions: readonly Session[]
  /** Whether other browsers are trusted devices, which signing out ends. */
  hasTrustedDevices: boolean
}

/** The sessions of the signed-in user. */
export const Sessions = ({ sessions, hasTrustedDevices }: SessionsProps) => (
  <section>
    <h2>Where you are signed in</h2>
    <ul class="entries" id="sessions">
      {sessions.map((session) => (
        <Entry {...session} />
      ))}
    </ul>
    {hasTrustedDevices && <p class="hint">Signing out another browser also removes all other trusted devices.</p>}
    {(sessions.length > 1 || hasTrustedDevices) && (
      <Form name="revoke-others">
        <Buttons>
          <Button kind="second">Sign out all other browsers</Button>
        </Buttons>
      </Form>
    )}
  </section>
)

const Entry = ({ id, device, address, createdAt, lastUsedAt, isCurrent }: Session) => (
  <li>
    <div>
      <strong>{device}</strong> {isCurrent && <span class="badge">This browser</span>}
      <p class="hint">
        From <span>{address}</span>, last used <RelativeTime at={lastUsedAt} />, signed in since <Day at={createdAt} />
      </p>
    </div>
    {!isCurrent && (
      <Form name="revoke" hidden={{ id }}>
        <Button kind="second">Sign out</Button>
      </Form>
    )}
  </li>
)
