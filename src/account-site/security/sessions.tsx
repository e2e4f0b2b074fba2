import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Day, RelativeTime } from '../../web/components/time.tsx'
import { quoteName } from '../../web/display-name.ts'
import { securityPath } from '../../web/page-paths.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { RevokeOtherSessionsDocument, RevokeSessionDocument, SessionsDocument } from '../generated/operations.ts'
import type { SessionsQuery } from '../generated/operations.ts'
import { describeNetwork } from './network.ts'

export const sessionsPath = `${securityPath}/sessions`

/** The browsers with which the user is signed in. */
export const sessions = page({
  path: sessionsPath,
  title: 'Sessions',
  parent: securityPath,
  document: SessionsDocument,
  forms: {
    revoke: form({
      fields: z.object({ id: text }),
      document: RevokeSessionDocument,
      variables: (input) => ({ input }),
      notice: ({ revokeSession: { session } }) => `The browser ${quoteName(session.device)} was signed out.`,
    }),
    'revoke-others': form({
      fields: z.object({}),
      document: RevokeOtherSessionsDocument,
      variables: () => ({}),
      notice: 'All other browsers were signed out.',
    }),
  },
  view({ viewer: { sessions, trustedDevices } }) {
    const currentAddress = sessions.find(({ isCurrent }) => isCurrent)?.address
    const hasTrustedDevices = trustedDevices.some(({ isCurrent }) => !isCurrent)
    return (
      <>
        <p>
          The browsers in which you are signed in. If you do not recognize one of them, sign it out and change your password.
          {hasTrustedDevices && ' Signing out another browser also removes all other trusted devices.'}
        </p>
        <section>
          <ul class="entries" id="sessions">
            {sessions.map((session) => (
              <Entry {...session} currentAddress={session.isCurrent ? undefined : currentAddress} />
            ))}
          </ul>
          {(sessions.length > 1 || hasTrustedDevices) && (
            <Form name="revoke-others">
              <Buttons>
                <Button kind="second">Sign out all other browsers</Button>
              </Buttons>
            </Form>
          )}
        </section>
      </>
    )
  },
})

type Session = SessionsQuery['viewer']['sessions'][number]

const Entry = ({
  id,
  device,
  address,
  createdAt,
  lastUsedAt,
  isCurrent,
  currentAddress,
}: Session & { currentAddress: string | undefined }) => (
  <li>
    <div>
      <strong>{device}</strong> {isCurrent && <span class="badge">This browser</span>}
      <p class="hint">
        <span>{describeNetwork(address, currentAddress)}</span>
        <br />
        Last used <RelativeTime at={lastUsedAt} />, signed in on <Day at={createdAt} />
      </p>
    </div>
    {!isCurrent && (
      <Form name="revoke" hidden={{ id }}>
        <Button kind="second">
          Sign out<span class="visually-hidden"> {device}</span>
        </Button>
      </Form>
    )}
  </li>
)
